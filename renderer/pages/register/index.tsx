import { Button, Callout } from '@blueprintjs/core'
import { Key, Lock } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ApiAnswer } from '../../../shared/api/call.ts'
import { invitation } from '../../../shared/api/invitation.ts'
import { send } from '../../api/client.ts'
import { canRegister, useStatus } from '../../api/status.ts'
import { EntryCard } from '../../components/entry-card/entry-card.tsx'
import { EntryForm } from '../../components/entry-card/entry-form.tsx'
import { LoginLink } from '../../components/entry-card/entry-links.tsx'
import { HumanCheckField } from '../../components/human-check/human-check-field.tsx'
import { useInviteLink } from '../../components/invite-code.ts'
import { canUsePasskeys } from '../../components/passkeys/browser-passkeys.ts'
import { PasskeyNote } from '../../components/passkeys/passkey-note.tsx'
import { ProviderRow } from '../../components/providers/provider-row.tsx'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import { EmailFields } from './email-fields.tsx'
import { useRegistration } from './use-registration.ts'

/** The registration page (docs/reference/screens.md#registration); shows a note if registration is closed. */
export default function RegisterPage() {
  const { t } = useTranslation()
  const status = useStatus()
  useInviteLink()
  const invitation = useInvitation()
  const links = (
    <span>
      {t('register.hasAccount')} <LoginLink />
    </span>
  )
  return (
    <EntryCard title={t('register.title', { name: status.system_name })} name={t('label.register')} links={links}>
      {invitation.data && (
        <Callout intent="primary">{t('register.invited', { name: invitation.data.invited_by })}</Callout>
      )}
      {invitation.error && (
        <Callout intent="warning" role="alert">
          {invitation.error.message}
        </Callout>
      )}
      {invitation.data || (canRegister(status) && !invitation.isLoading) ? (
        <>
          <RegisterForm invitation={invitation.data ? invitation.code : ''} />
          <ProviderRow invitation={invitation.data ? invitation.code : ''} />
        </>
      ) : (
        !invitation.isLoading && <Callout intent="primary">{t('register.closed')}</Callout>
      )}
    </EntryCard>
  )
}

/** Username, password twice or a passkey instead, and a mail address with its code if it must be verified. */
function RegisterForm({ invitation }: { invitation: string }) {
  const { t } = useTranslation()
  const form = useRegistration(invitation)
  const { entered, enter, problems, passkey } = form
  return (
    <div ref={form.box}>
      <EntryForm isBusy={form.isBusy} onSubmit={form.submit}>
        <TextField
          label={t('setup.username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          value={entered.username}
          onValue={(username) => enter({ username })}
          error={problems.username}
          hint={t('setup.usernameHint')}
        />
        {passkey.isChosen ? <p>{t('register.passkeyHint')}</p> : <PasswordFields form={form} />}
        {form.needsEmail && <EmailFields mail={form.mail} values={entered} problems={problems} onEnter={enter} />}
        <HumanCheckField check={form.check} />
        <PasskeyNote trouble={passkey.trouble} />
        {form.failure && (
          <Callout compact intent="danger" role="alert">
            {form.failure}
          </Callout>
        )}
        <Button type="submit" intent="primary" fill size="large" text={t('label.register')} loading={form.isBusy} />
        {canUsePasskeys() && (
          <Button
            fill
            variant="outlined"
            icon={passkey.isChosen ? <Lock /> : <Key />}
            text={t(passkey.isChosen ? 'register.byPassword' : 'register.byPasskey')}
            disabled={form.isBusy}
            onClick={() => passkey.choose(!passkey.isChosen)}
          />
        )}
      </EntryForm>
    </div>
  )
}

function PasswordFields({
  form: { entered, enter, problems },
}: Readonly<{ form: ReturnType<typeof useRegistration> }>) {
  const { t } = useTranslation()
  return (
    <>
      <PasswordField
        label={t('setup.password')}
        name="password"
        autoComplete="new-password"
        placeholder={t('register.passwordHint')}
        value={entered.password}
        onValue={(password) => enter({ password })}
        error={problems.password}
      />
      <PasswordField
        label={t('setup.confirm')}
        name="password2"
        autoComplete="new-password"
        value={entered.password2}
        onValue={(password2) => enter({ password2 })}
        error={problems.password2}
      />
    </>
  )
}

type Lookup = Readonly<{ data?: ApiAnswer<typeof invitation.look>; error?: Error }>

/** What an invitation link (`?invite=`) allows; looked up once, because lookups are rate-limited. */
function useInvitation(): Lookup & Readonly<{ code: string; isLoading: boolean }> {
  const [query] = useSearchParams()
  const code = query.get('invite') ?? ''
  const [looked, setLooked] = useState<Lookup>()
  useEffect(() => {
    if (code === '') return
    let isOver = false
    send(invitation.look, { body: { code } }, { quiet: true }).then(
      (data) => isOver || setLooked({ data }),
      (error: Error) => isOver || setLooked({ error }),
    )
    return () => {
      isOver = true
    }
  }, [code])
  return { ...looked, code, isLoading: code !== '' && !looked }
}
