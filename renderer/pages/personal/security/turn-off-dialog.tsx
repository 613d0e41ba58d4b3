import { Dialog } from '@blueprintjs/core'
import { security } from '../../../../shared/api/security.ts'
import { manageFocus } from '../../../api/focus-management.ts'
import { useSend } from '../../../api/use-call.ts'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { CodeStepForm } from './code-step-form.tsx'
import { useCodeForm } from './use-code-form.ts'

manageFocus()

/** Disables two-factor authentication after a code was entered. Mount it to open it. */
export function TurnOffDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const { t } = useTranslation()
  const form = useCodeForm(useSend(security.disable, { quiet: true }), () => {
    showSuccess(t('security.isOff'))
    onClose()
  })
  return (
    <Dialog
      className="fits-window"
      title={t('security.turnOffTitle')}
      isCloseButtonShown={false}
      isOpen
      onClose={() => !form.isBusy && onClose()}
    >
      <CodeStepForm
        form={form}
        text={t('security.turnOffHint')}
        verb={t('security.turnOff')}
        intent="danger"
        onCancel={onClose}
      />
    </Dialog>
  )
}
