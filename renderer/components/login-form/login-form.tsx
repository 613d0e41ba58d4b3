import '../entry-card/entry-form.css'
import './login-form.css'
import { Button, Callout } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import type { SignedIn } from '../../../shared/api/user.ts'
import { useStatus } from '../../api/status.ts'
import { useTranslation } from '../../translation.ts'
import { Form } from '../form/form.tsx'
import { HumanCheckField } from '../human-check/human-check-field.tsx'
import { later } from '../later.tsx'
import { PasswordField } from '../text-field/password-field.tsx'
import { TextField } from '../text-field/text-field.tsx'
import { type Login, useLogin } from './use-login.ts'

const CodeStep = later(async () => (await import('./code-step.tsx')).default)

type LoginFormProps = Readonly<{
  /** The fixed username of a repeated login; shown read-only. */
  account?: string
  username?: string | undefined
  /** An OAuth login was the first factor; start with the second one. */
  isCodeRequired?: boolean
  onEnter: (signedIn: SignedIn, isDefaultRoot: boolean) => void
  /** Called when the form changes between the first and second factor. */
  onStep?: (isCodeRequired: boolean) => void
  /** Set if the login can be put off. */
  onCancel?: () => void
  children?: ReactNode
}>

/** The login form, on the login page and over a page whose session has ended (docs/reference/screens.md#login). */
export function LoginForm(form: LoginFormProps) {
  const { account, username = '', isCodeRequired = false, onEnter, onStep, onCancel, children } = form
  const isNameOpen = account === undefined && username === ''
  const login = useLogin(account ?? username, isCodeRequired, onEnter, onStep)
  if (login.isCodeRequired)
    return <CodeStep onEnter={(signedIn) => onEnter(signedIn, login.isDefaultRoot)} onBack={login.restart} />
  return (
    <>
      <PasswordForm login={login} isNameFixed={account !== undefined} isNameOpen={isNameOpen} onCancel={onCancel} />
      {children}
    </>
  )
}

type PasswordFormProps = Readonly<{
  login: Login
  isNameFixed: boolean
  /** The username is unknown and is entered first. */
  isNameOpen: boolean
  onCancel: (() => void) | undefined
}>

function PasswordForm({ login, isNameFixed, isNameOpen, onCancel }: PasswordFormProps) {
  const { t } = useTranslation()
  const status = useStatus()
  return (
    <Form className="entry-form login-form" isBusy={login.isBusy} onSubmit={login.submit}>
      {!status.password_login_enabled && <Callout intent="primary">{t('login.closed')}</Callout>}
      <TextField
        label={t('login.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus={isNameOpen}
        readOnly={isNameFixed}
        value={login.username}
        onValue={login.setUsername}
        error={login.isMissing.username ? '' : undefined}
      />
      <PasswordField
        label={t('login.password')}
        name="password"
        autoComplete="current-password"
        autoFocus={!isNameOpen}
        inputRef={login.passwordField}
        value={login.password}
        onValue={login.setPassword}
        error={login.isMissing.password ? '' : undefined}
      />
      <HumanCheckField check={login.check} />
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
      {onCancel ? (
        <div className="login-form-buttons">
          <Button text={t('label.cancel')} disabled={login.isBusy} onClick={onCancel} />
          <Button type="submit" intent="primary" text={t('label.logIn')} loading={login.isBusy} />
        </div>
      ) : (
        <Button type="submit" intent="primary" fill size="large" text={t('label.logIn')} loading={login.isBusy} />
      )}
    </Form>
  )
}
