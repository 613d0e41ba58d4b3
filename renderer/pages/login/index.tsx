import { Callout } from '@blueprintjs/core'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import type { SignedIn } from '../../../shared/api/user.ts'
import { nextPlace } from '../../api/next-place.ts'
import { useStatus } from '../../api/status.ts'
import { useEnter } from '../../api/use-enter.ts'
import { EntryCard } from '../../components/entry-card/entry-card.tsx'
import { LockedOutWay, RegisterWay, ResetWay } from '../../components/entry-card/entry-ways.tsx'
import { useInviteLink } from '../../components/invite-code.ts'
import { LoginForm } from '../../components/login-form/login-form.tsx'
import { PasskeyLogin } from '../../components/passkeys/passkey-login.tsx'
import { ProviderRow } from '../../components/providers/provider-row.tsx'
import { showWarning } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

/** Navigation state: the username after registration or password reset, or the success of an OAuth login. */
const navigationState = z.object({ username: z.optional(z.string()), isCodeAsked: z.optional(z.boolean()) })

/** Which factor the form requests, and whether the page was opened by an OAuth login. */
type Step = Readonly<{ isFirst: boolean; isCodeAsked: boolean }>

/**
 * The login page (docs/reference/screens.md#login): username or email and password, with a note if the session has
 * expired.
 */
export default function LoginPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const { system_name: name } = useStatus()
  const { username, isCodeAsked: isFirst = false } = navigationState.safeParse(useLocation().state).data ?? {}
  const [step, setStep] = useState<Step>()
  const isCodeAsked = step?.isFirst === isFirst ? step.isCodeAsked : isFirst
  const enter = useEnter()
  const logIn = (signedIn: SignedIn, isDefaultRoot: boolean) => {
    enter(signedIn, nextPlace(query.get('next'), window.location.origin))
    if (isDefaultRoot) showWarning(t('login.default_pw'))
  }
  useInviteLink()
  const links = (
    <>
      <RegisterWay />
      <ResetWay />
      <LockedOutWay />
    </>
  )
  const card = isCodeAsked
    ? { title: t('factor.title') }
    : { title: t('login.title', { name }), name: t('label.logIn'), ways: links }
  return (
    <EntryCard {...card}>
      {query.get('expired') === 'true' && !isCodeAsked && (
        <Callout intent="warning" role="alert">
          {t('login.expired')}
        </Callout>
      )}
      <LoginForm
        key={String(isFirst)}
        username={username}
        isCodeAsked={isFirst}
        onEnter={logIn}
        onStep={(asked) => setStep({ isFirst, isCodeAsked: asked })}
      >
        <PasskeyLogin onEnter={(signedIn) => logIn(signedIn, false)} />
        <ProviderRow />
      </LoginForm>
    </EntryCard>
  )
}
