import { Button } from '@blueprintjs/core'
import { MAX_EMAIL } from '../../../shared/api/registration.ts'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'
import type { Registration, RegistrationProblems } from './registration.ts'
import type { CodeMail } from './use-registration.ts'

type EmailFieldsProps = Readonly<{
  mail: CodeMail
  values: Registration
  problems: RegistrationProblems
  onEnter: (change: Partial<Registration>) => void
}>

export function EmailFields({ mail, values, problems, onEnter }: EmailFieldsProps) {
  const { t } = useTranslation()
  const { secondsLeft: n } = mail
  return (
    <>
      <TextField
        label={t('register.email')}
        name="email"
        type="email"
        autoComplete="email"
        maxLength={MAX_EMAIL}
        value={values.email}
        onValue={(email) => onEnter({ email })}
        error={problems.email}
      />
      <Button
        fill
        variant="outlined"
        className="tabular"
        text={n > 0 ? t('register.sendAgain', { n }) : t('register.sendCode')}
        disabled={n > 0}
        loading={mail.isBusy}
        onClick={mail.request}
      />
      <TextField
        label={t('register.code')}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        value={values.code}
        onValue={(code) => onEnter({ code })}
        error={problems.code}
      />
    </>
  )
}
