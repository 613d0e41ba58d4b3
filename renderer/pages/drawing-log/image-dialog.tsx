import { AnchorButton, Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Share } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { drawing } from '../../../shared/api/task.ts'
import { areaOf } from '../../api/use-call.ts'

type ImageDialogProps = Readonly<{ id: string; url: string; onClose: () => void }>

/** The picture of a drawing as large as the window allows, and a way to it alone. */
export function ImageDialog({ id, url, onClose }: ImageDialogProps) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [failed, fail] = useState('')
  const address = hereOf(url)
  /** A link of a page that was read long ago has ended: the list is asked for a fresh one, which is tried by itself. */
  const askAgain = () => {
    fail(address)
    void queries.invalidateQueries({ queryKey: [areaOf(drawing.list)] })
  }
  const actions = (
    <>
      <AnchorButton icon={<Share />} text={t('tasks.openImage')} href={address} target="_blank" rel="noreferrer" />
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
        {failed === address ? (
          <Callout intent="warning">{t('tasks.imageFailed')}</Callout>
        ) : (
          <img className="drawing-image" src={address} alt={t('tasks.imageOf', { id })} onError={askAgain} />
        )}
      </DialogBody>
      <DialogFooter actions={actions} />
    </Dialog>
  )
}

/** A link of this gateway is asked for where the console is open, whatever address clients know it by. */
function hereOf(url: string): string {
  const { pathname = '', search = '' } = URL.parse(url) ?? {}
  return pathname.startsWith('/mj/image/') ? `${pathname}${search}` : url
}
