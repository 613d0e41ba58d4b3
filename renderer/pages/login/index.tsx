import { Callout } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import * as z from 'zod/mini'
import type { SignedIn } from '../../../shared/api/user.ts'
import { nextPlace } from '../../api/next-place.ts'
import { rememberUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { clearCallCache } from '../../api/use-call.ts'
import { EntryCard } from '../../components/entry-card/entry-card.tsx'
import { RegisterWay, ResetWay } from '../../components/entry-card/entry-ways.tsx'
import { useInviteLink } from '../../components/invite-code.ts'
import { LoginForm } from '../../components/login-form/login-form.tsx'
import { showSuccess, showWarning } from '../../components/toasts.ts'

/** Who comes from registering, or from a new password, brings the name to sign in by. */
const brought = z.object({ username: z.string() })

/**
 * The login page (docs/reference/screens.md#login): username or email and password; says so when a session has ended.
 */
export default function LoginPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const { system_name: name } = useStatus()
  const { state } = useLocation()
  const enter = useEnter(nextPlace(query.get('next'), window.location.origin))
  const [isCodeAsked, setCodeAsked] = useState(false)
  useInviteLink()
  const ways = (
    <>
      <RegisterWay />
      <ResetWay />
    </>
  )
  const card = isCodeAsked
    ? { title: t('factor.title') }
    : { title: t('login.title', { name }), name: t('label.logIn'), ways }
  return (
    <EntryCard {...card}>
      {query.get('expired') === 'true' && !isCodeAsked && (
        <Callout intent="warning" role="alert">
          {t('login.expired')}
        </Callout>
      )}
      <LoginForm username={brought.safeParse(state).data?.username} onEnter={enter} onStep={setCodeAsked} />
    </EntryCard>
  )
}

/** What follows a success: nothing of an earlier person stays, the new one is remembered and led on. */
function useEnter(next: string): (signedIn: SignedIn, isDefaultRoot: boolean) => void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return (signedIn, isDefaultRoot) => {
    clearCallCache(queries)
    rememberUser(signedIn)
    void navigate(next, { replace: true })
    showSuccess(t('login.ok'))
    if (isDefaultRoot) showWarning(t('login.default_pw'))
  }
}
