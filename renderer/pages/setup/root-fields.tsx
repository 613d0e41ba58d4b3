import { PasswordField } from '../../components/text-field/password-field.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import type { RootAccount, RootProblems } from './root-account.ts'

type RootFieldsProps = Readonly<{
  values: RootAccount
  problems: RootProblems
  onChange: (change: Partial<RootAccount>) => void
}>

export function RootFields({ values, problems, onChange }: RootFieldsProps) {
  const { t } = useTranslation()
  const errorOf = (field: keyof RootAccount) => problems[field] && t(problems[field])
  return (
    <fieldset className="setup-group">
      <legend>{t('setup.root')}</legend>
      <TextField
        label={t('setup.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        autoFocus
        value={values.username}
        onValue={(username) => onChange({ username })}
        error={errorOf('username')}
        hint={t('setup.usernameHint')}
      />
      <PasswordField
        label={t('setup.password')}
        name="password"
        autoComplete="new-password"
        value={values.password}
        onValue={(password) => onChange({ password })}
        error={errorOf('password')}
        hint={t('setup.passwordHint')}
      />
      <PasswordField
        label={t('setup.confirm')}
        name="confirmPassword"
        autoComplete="new-password"
        value={values.confirmPassword}
        onValue={(confirmPassword) => onChange({ confirmPassword })}
        error={errorOf('confirmPassword')}
      />
    </fieldset>
  )
}
