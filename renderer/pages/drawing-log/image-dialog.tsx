import { AnchorButton, Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Share, Video } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { drawing } from '../../../shared/api/task.ts'
import { isWebLink } from '../../../shared/links.ts'
import { areaOf } from '../../api/use-call.ts'
import { useTranslation } from '../../translation.ts'

type ImageDialogProps = Readonly<{ id: string; url: string; videos: readonly string[]; onClose: () => void }>

export function ImageDialog({ id, url, videos: links, onClose }: ImageDialogProps) {
  const { t } = useTranslation()
  const picture = isWebLink(url) ? hereOf(url) : ''
  const videos = links.filter(isWebLink)
  const actions = (
    <>
      {videos.map((video, index) => (
        <AnchorButton
          key={video}
          icon={<Video />}
          text={videos.length > 1 ? t('tasks.openVideoOf', { n: index + 1 }) : t('tasks.openVideo')}
          href={hereOf(video)}
          target="_blank"
          rel="noreferrer"
        />
      ))}
      {picture !== '' && (
        <AnchorButton icon={<Share />} text={t('tasks.openImage')} href={picture} target="_blank" rel="noreferrer" />
      )}
      <Button text={t('label.close')} onClick={onClose} />
    </>
  )
  return (
    <Dialog
      className="fits-window drawing-dialog"
      isOpen
      onClose={onClose}
      title={t('label.resultImage')}
      isCloseButtonShown={false}
    >
      <DialogBody>
        {picture === '' ? <Callout>{t('tasks.videoAlone')}</Callout> : <Still id={id} address={picture} />}
      </DialogBody>
      <DialogFooter actions={actions} />
    </Dialog>
  )
}

function Still({ id, address }: { id: string; address: string }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [failed, setFailed] = useState('')
  /** Image links expire: reloads the list for a fresh one, which is then tried automatically. */
  const reloadList = () => {
    setFailed(address)
    void queries.invalidateQueries({ queryKey: [areaOf(drawing.list)] })
  }
  if (failed === address) return <Callout intent="warning">{t('tasks.imageFailed')}</Callout>
  return <img className="drawing-image" src={address} alt={t('tasks.imageOf', { id })} onError={reloadList} />
}

/** A link to this gateway is loaded from the console's origin, whatever address clients use. */
function hereOf(url: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  return pathname.startsWith('/mj/image/') ? `${pathname}${search}` : url
}
