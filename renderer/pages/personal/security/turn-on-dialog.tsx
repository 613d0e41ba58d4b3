import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useState } from 'react'
import { security } from '../../../../shared/api/security.ts'
import { manageFocus } from '../../../api/focus-management.ts'
import { useSend } from '../../../api/use-call.ts'
import { Form } from '../../../components/form/form.tsx'
import { PasswordField } from '../../../components/text-field/password-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { type FactorProposal, ScanStep } from './scan-step.tsx'

manageFocus()

type TurnOnDialogProps = Readonly<{
  /** The account has a password, which is required first. */
  hasPassword: boolean
  username: string
  onClose: () => void
}>

/** Enables two-factor authentication: password, secret and first code, recovery codes. Mount it to open it. */
export function TurnOnDialog({ hasPassword, username, onClose }: TurnOnDialogProps) {
  const { t } = useTranslation()
  const [proposal, setProposal] = useState<FactorProposal>()
  const [codes, setCodes] = useState<readonly string[]>()
  const step = () => {
    if (codes) return <RecoveryCodes lead={t('security.isOn')} codes={codes} username={username} onClose={onClose} />
    if (proposal) return <ScanStep proposal={proposal} onCodes={setCodes} onCancel={onClose} />
    return <PasswordStep hasPassword={hasPassword} username={username} onProposal={setProposal} onCancel={onClose} />
  }
  return (
    <Dialog
      className="fits-window"
      title={t(codes ? 'security.codesTitle' : 'security.turnOnTitle')}
      isCloseButtonShown={false}
      canOutsideClickClose={false}
      canEscapeKeyClose={codes === undefined}
      isOpen
      onClose={onClose}
    >
      {step()}
    </Dialog>
  )
}

type PasswordStepProps = Pick<TurnOnDialogProps, 'hasPassword' | 'username'> &
  Readonly<{ onProposal: (proposal: FactorProposal) => void; onCancel: () => void }>

function PasswordStep({ hasPassword, username, onProposal, onCancel }: PasswordStepProps) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const { mutate, isPending } = useSend(security.propose, { quiet: true })
  const submit = () => {
    const isMissing = hasPassword && password === ''
    setProblem(isMissing ? t('security.needPassword') : undefined)
    if (isMissing) return
    const onError = (error: Error) => setProblem(error.message)
    mutate({ body: { password } }, { onSuccess: onProposal, onError })
  }
  return (
    <Form isBusy={isPending} onSubmit={submit}>
      <DialogBody>
        <p>{t('security.needApp')}</p>
        {hasPassword && (
          <>
            {/* Tells a password manager which account it is. */}
            <input hidden readOnly autoComplete="username" value={username} />
            <PasswordField
              label={t('login.password')}
              name="password"
              autoComplete="current-password"
              autoFocus
              value={password}
              onValue={setPassword}
              error={problem}
            />
          </>
        )}
        {!hasPassword && problem && <p role="alert">{problem}</p>}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text={t('label.cancel')} disabled={isPending} onClick={onCancel} />
            <Button
              type="submit"
              intent="primary"
              text={t('security.continue')}
              autoFocus={!hasPassword}
              loading={isPending}
            />
          </>
        }
      />
    </Form>
  )
}
