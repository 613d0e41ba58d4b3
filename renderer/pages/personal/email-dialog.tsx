import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { registration } from '../../../shared/api/registration.ts'
import { user } from '../../../shared/api/user.ts'
import { manageFocus } from '../../api/focus-management.ts'
import { useStatus } from '../../api/status.ts'
import { areaOf, useSend } from '../../api/use-call.ts'
import { Form } from '../../components/form/form.tsx'
import { later } from '../../components/later.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { showSuccess } from '../../components/toasts.ts'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { MailCodeField } from './mail-code-field.tsx'
import { type MailCode, useMailCode } from './use-mail-code.ts'

manageFocus()

/** Loaded separately, because most gateways do not use it. */
const HumanCheck = later(async () => (await import('../../components/human-check/human-check.tsx')).HumanCheck)

type EmailDialogProps = Readonly<{
  /** Replaces an address that is bound already. */
  isChange: boolean
  onClose: () => void
}>

type EmailProblems = Readonly<{ address?: TextKey; code?: TextKey }>

/** Binds a mail address with the code sent to it. Mount it to open it. */
export function EmailDialog({ isChange, onClose }: EmailDialogProps) {
  const { t } = useTranslation()
  const [address, setAddress] = useState('')
  const [code, setCode] = useState('')
  const [problems, setProblems] = useState<EmailProblems>({})
  const codeField = useRef<HTMLInputElement>(null)
  const mail = useMailCode(() => codeField.current?.focus())
  const { bind, isBusy } = useBinding(onClose)
  const email = address.trim()
  const requestCode = () => {
    setProblems(email === '' ? { address: 'email.need' } : {})
    if (email !== '') mail.request(email)
  }
  const submit = () => {
    const found: EmailProblems = {
      ...(email === '' && { address: 'email.need' }),
      ...(code.trim() === '' && { code: 'email.need_code' }),
    }
    setProblems(found)
    if (Object.keys(found).length === 0) bind(email, code.trim())
  }
  return (
    <Dialog
      className="fits-window"
      title={t(isChange ? 'personal.changeEmail' : 'personal.bindEmail')}
      isCloseButtonShown={false}
      isOpen
      onClose={() => !isBusy && onClose()}
    >
      <Form isBusy={isBusy} isDirty={email !== '' || code !== ''} onSubmit={submit}>
        <DialogBody>
          <TextField
            label={t('personal.emailAddress')}
            hint={t('personal.emailHint')}
            type="email"
            name="email"
            autoComplete="email"
            autoFocus
            value={address}
            onValue={setAddress}
            error={problems.address && t(problems.address)}
          />
          <HumanChecks mail={mail} />
          <MailCodeField
            mail={mail}
            onRequest={requestCode}
            inputRef={codeField}
            value={code}
            onValue={setCode}
            error={problems.code}
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} disabled={isBusy} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('personal.bind')} loading={isBusy} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}

/** The human check for requesting a code, if enabled. */
function HumanChecks({ mail }: { mail: MailCode }) {
  const status = useStatus()
  if (!status.turnstile_check) return null
  return (
    <div className="personal-check">
      <HumanCheck key={mail.check} siteKey={status.turnstile_site_key} onToken={mail.setToken} />
    </div>
  )
}

function useBinding(onDone: () => void) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const { mutate, isPending } = useSend(registration.bindEmail)
  const onSuccess = () => {
    void queries.invalidateQueries({ queryKey: [areaOf(user.self)] })
    showSuccess(t('email.bound'))
    onDone()
  }
  return {
    bind: (email: string, code: string) => mutate({ query: { email, code } }, { onSuccess }),
    isBusy: isPending,
  }
}
