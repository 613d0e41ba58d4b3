import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { RedemptionView } from '../../../shared/api/redemption.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { useTranslation } from '../../translation.ts'

type CodeDialogProps = Readonly<{ code: RedemptionView; isOpen: boolean; onClose: () => void }>

export function CodeDialog({ code: { name, key }, isOpen, onClose }: CodeDialogProps) {
  const { t } = useTranslation()
  return (
    <Dialog
      className="fits-window"
      title={t('redemption.view', { name })}
      isOpen={isOpen}
      onClose={onClose}
      isCloseButtonShown={false}
    >
      <DialogBody>
        <CopyValue value={key} label={t('redemption.copyCode', { name })} />
      </DialogBody>
      <DialogFooter actions={<Button text={t('label.close')} onClick={onClose} />} />
    </Dialog>
  )
}
