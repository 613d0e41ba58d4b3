import { AnchorButton, Button, Callout, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { Share } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

type ImageDialogProps = Readonly<{ id: string; url: string; onClose: () => void }>

/** The picture of a drawing as large as the window allows, and a way to it alone. */
export function ImageDialog({ id, url, onClose }: ImageDialogProps) {
  const { t } = useTranslation()
  const [hasFailed, fail] = useState(false)
  const address = hereOf(url)
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
        {hasFailed ? (
          <Callout intent="warning">{t('tasks.imageFailed')}</Callout>
        ) : (
          <img className="drawing-image" src={address} alt={t('tasks.imageOf', { id })} onError={() => fail(true)} />
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
