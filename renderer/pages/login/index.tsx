import { Callout } from '@blueprintjs/core'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import type { SignedIn } from '../../../shared/api/user.ts'
import { nextPath } from '../../api/next-path.ts'
import { useStatus } from '../../api/status.ts'
import { useEnter } from '../../api/use-enter.ts'
import { EntryCard } from '../../components/entry-card/entry-card.tsx'
import { LockedOutLink, RegisterLink, ResetLink } from '../../components/entry-card/entry-links.tsx'
import { useInviteLink } from '../../components/invite-code.ts'
import { LoginForm } from '../../components/login-form/login-form.tsx'
import { PasskeyLogin } from '../../components/passkeys/passkey-login.tsx'
import { ProviderRow } from '../../components/providers/provider-row.tsx'
import { showWarning } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

/**
 * Navigation state: the username after registration or password reset, or that an OAuth login requires a second factor.
 */
const navigationState = z.object({ username: z.optional(z.string()), isCodeRequired: z.optional(z.boolean()) })

/** Which factor the form requests, and whether the page was opened by an OAuth login. */
type Step = Readonly<{ isFirst: boolean; isCodeRequired: boolean }>

/**
 * The login page (docs/reference/screens.md#login): username or email and password, with a note if the session has
 * expired.
 */
export default function LoginPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const { system_name: name } = useStatus()
  const { username, isCodeRequired: isFirst = false } = navigationState.safeParse(useLocation().state).data ?? {}
  const [step, setStep] = useState<Step>()
  const isCodeRequired = step?.isFirst === isFirst ? step.isCodeRequired : isFirst
  const enter = useEnter()
  const logIn = (signedIn: SignedIn, isDefaultRoot: boolean) => {
    enter(signedIn, nextPath(query.get('next'), window.location.origin))
    if (isDefaultRoot) showWarning(t('login.default_pw'))
  }
  useInviteLink()
  const links = (
    <>
      <RegisterLink />
      <ResetLink />
      <LockedOutLink />
    </>
  )
  const card = isCodeRequired
    ? { title: t('factor.title') }
    : { title: t('login.title', { name }), name: t('label.logIn'), links }
  return (
    <EntryCard {...card}>
      {query.get('expired') === 'true' && !isCodeRequired && (
        <Callout intent="warning" role="alert">
          {t('login.expired')}
        </Callout>
      )}
      <LoginForm
        key={String(isFirst)}
        username={username}
        isCodeRequired={isFirst}
        onEnter={logIn}
        onStep={(isRequired) => setStep({ isFirst, isCodeRequired: isRequired })}
      >
        <PasskeyLogin onEnter={(signedIn) => logIn(signedIn, false)} />
        <ProviderRow />
      </LoginForm>
    </EntryCard>
  )
}
