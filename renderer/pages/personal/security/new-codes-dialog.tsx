import { Dialog } from '@blueprintjs/core'
import { useState } from 'react'
import { security } from '../../../../shared/api/security.ts'
import { manageFocus } from '../../../api/focus-management.ts'
import { useSend } from '../../../api/use-call.ts'
import { useTranslation } from '../../../translation.ts'
import { CodeStepForm } from './code-step-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useCodeForm } from './use-code-form.ts'

manageFocus()

/** Replaces the recovery codes after a code was entered, and shows the new ones. Mount it to open it. */
export function NewCodesDialog({ username, onClose }: Readonly<{ username: string; onClose: () => void }>) {
  const { t } = useTranslation()
  const [codes, setCodes] = useState<readonly string[]>()
  const form = useCodeForm(useSend(security.renewCodes, { quiet: true }), (answer) => setCodes(answer.backup_codes))
  return (
    <Dialog
      className="fits-window"
      title={t(codes ? 'security.codesTitle' : 'security.newCodesTitle')}
      isCloseButtonShown={false}
      canOutsideClickClose={codes === undefined}
      canEscapeKeyClose={codes === undefined}
      isOpen
      onClose={() => !form.isBusy && onClose()}
    >
      {codes ? (
        <RecoveryCodes lead={t('security.codesReplaced')} codes={codes} username={username} onClose={onClose} />
      ) : (
        <CodeStepForm
          form={form}
          text={t('security.newCodesHint')}
          verb={t('security.newCodesMake')}
          intent="primary"
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}
