import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'
import { CopyButton } from '../copy-text/copy-button.tsx'

type TextDialogProps = Readonly<{ title: string; text: string; onClose: () => void }>

export function TextDialog({ title, text, onClose }: TextDialogProps) {
  const { t } = useTranslation()
  const actions = (
    <>
      <CopyButton text={text} label={t('label.copy')} />
      <Button text={t('label.close')} onClick={onClose} />
    </>
  )
  return (
    <Dialog className="fits-window" isOpen onClose={onClose} title={title} isCloseButtonShown={false}>
      <DialogBody>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long texts must scroll by keyboard */}
        <pre className="long-text-whole" tabIndex={0}>
          {text}
        </pre>
      </DialogBody>
      <DialogFooter actions={actions} />
    </Dialog>
  )
}
