import './login.css'
import { Button, Callout, Card, H1 } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { useStatus } from '../../api/status.ts'
import { PasswordField } from '../../components/text-field/password-field.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTitle } from '../../components/use-title.ts'
import { useLogin } from './use-login.ts'

/**
 * The login page (docs/reference/screens.md#login): username or email and password; says so when a session has ended.
 */
export default function LoginPage() {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const status = useStatus()
  const login = useLogin()
  useTitle(t('label.logIn'))
  return (
    <Card className="login">
      <H1 className="login-title">{t('login.title', { name: status.system_name })}</H1>
      {query.get('expired') === 'true' && (
        <Callout intent="warning" role="alert">
          {t('login.expired')}
        </Callout>
      )}
      {!status.password_login_enabled && <Callout intent="primary">{t('login.closed')}</Callout>}
      <form onSubmit={login.submit} noValidate>
        <TextField
          label={t('login.username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          autoFocus
          value={login.username}
          onValue={login.setUsername}
        />
        <PasswordField
          label={t('login.password')}
          name="password"
          autoComplete="current-password"
          value={login.password}
          onValue={login.setPassword}
        />
        {login.problem && (
          <Callout compact intent="danger" role="alert">
            {login.problem}
          </Callout>
        )}
        {login.isDefaultRoot && (
          <Callout compact intent="warning" role="alert">
            {t('login.default_pw')}
          </Callout>
        )}
        <Button type="submit" intent="primary" fill size="large" text={t('label.logIn')} loading={login.isBusy} />
      </form>
    </Card>
  )
}
