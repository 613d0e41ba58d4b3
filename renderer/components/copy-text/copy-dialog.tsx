import { Button, Dialog, DialogBody, DialogFooter, TextArea } from '@blueprintjs/core'
import { useTranslation } from '../../translation.ts'

/** Shows a text that could not be copied, selected for copying by hand. */
export default function CopyDialog({ text, onClose }: { text: string | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      className="fits-window"
      isOpen={text !== undefined}
      onClose={onClose}
      title={t('copy.fail')}
      isCloseButtonShown={false}
    >
      <DialogBody>
        <TextArea
          fill
          readOnly
          autoFocus
          autoResize
          value={text ?? ''}
          aria-label={t('copy.fail')}
          onFocus={(event) => event.currentTarget.select()}
        />
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}
