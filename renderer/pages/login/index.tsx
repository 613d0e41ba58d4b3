import './login.css'
import { Callout, Card, H1 } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { SignedIn } from '../../../shared/api/user.ts'
import { nextPlace } from '../../api/next-place.ts'
import { rememberUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { clearCallCache } from '../../api/use-call.ts'
import { LoginForm } from '../../components/login-form/login-form.tsx'
import { showSuccess, showWarning } from '../../components/toasts.ts'
import { useTitle } from '../../components/use-title.ts'

/**
 * The login page (docs/reference/screens.md#login): username or email and password; says so when a session has ended.
 */
export default function LoginPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const status = useStatus()
  const enter = useEnter(nextPlace(query.get('next'), window.location.origin))
  useTitle(t('label.logIn'))
  return (
    <Card className="login">
      <H1 className="login-title">{t('login.title', { name: status.system_name })}</H1>
      {query.get('expired') === 'true' && (
        <Callout intent="warning" role="alert">
          {t('login.expired')}
        </Callout>
      )}
      <LoginForm onEnter={enter} />
    </Card>
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
