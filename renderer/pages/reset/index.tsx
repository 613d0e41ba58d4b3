import { Button, Callout } from '@blueprintjs/core'
import { useState } from 'react'
import { MAIL_AGAIN_S, registration } from '../../../shared/api/registration.ts'
import { useSend } from '../../api/use-call.ts'
import { EntryCard } from '../../components/entry-card/entry-card.tsx'
import { EntryForm } from '../../components/entry-card/entry-form.tsx'
import { LoginLink } from '../../components/entry-card/entry-links.tsx'
import { HumanCheckField } from '../../components/human-check/human-check-field.tsx'
import { useHumanCheck } from '../../components/human-check/use-human-check.ts'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useWait } from '../../components/use-wait.ts'
import { useTranslation } from '../../translation.ts'

/**
 * Requests a password reset mail (docs/reference/screens.md#recovering-a-password); does not reveal whether the
 * address has an account.
 */
export default function ResetPage() {
  const { t } = useTranslation()
  const form = useResetRequest()
  const { secondsLeft: n } = form
  return (
    <EntryCard title={t('reset.title')} links={<LoginLink />}>
      <p>{t('reset.intro')}</p>
      <EntryForm isBusy={form.isBusy || n > 0} onSubmit={form.submit}>
        <TextField
          label={t('register.email')}
          name="email"
          type="email"
          autoComplete="email"
          autoFocus
          value={form.email}
          onValue={form.setEmail}
          error={form.isMissing ? t('email.need') : undefined}
        />
        <HumanCheckField check={form.check} />
        {form.failure && (
          <Callout compact intent="danger" role="alert">
            {form.failure}
          </Callout>
        )}
        {form.isSent && (
          <Callout intent="success" role="status">
            {t('reset.sent')}
          </Callout>
        )}
        <Button
          type="submit"
          intent="primary"
          className="tabular"
          fill
          size="large"
          text={n > 0 ? t('reset.sendAgain', { n }) : t('reset.send')}
          disabled={n > 0}
          loading={form.isBusy}
        />
      </EntryForm>
    </EntryCard>
  )
}

/** Requests the mail, at most every 30 seconds. */
function useResetRequest() {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [secondsLeft, wait] = useWait(MAIL_AGAIN_S)
  const check = useHumanCheck()
  const { mutate, isPending, isSuccess } = useSend(registration.requestReset, { quiet: true })
  const submit = () => {
    const isEmpty = email.trim() === ''
    setMissing(isEmpty)
    setFailure(!isEmpty && check.isWaiting ? t('turnstile.wait') : undefined)
    if (isEmpty || check.isWaiting) return
    const input = { query: { ...check.query, email: email.trim() } }
    mutate(input, {
      onSuccess: wait,
      onError: ({ message }) => setFailure(message),
      onSettled: check.renew,
    })
  }
  return { email, setEmail, isMissing, failure, secondsLeft, check, isBusy: isPending, isSent: isSuccess, submit }
}
