import { Button } from '@blueprintjs/core'
import type { RefObject } from 'react'
import { useEachSecond } from '../../components/cooldown/countdown.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import type { SentCode } from './use-mail-code.ts'

type MailCodeFieldProps = Readonly<{
  mail: SentCode
  onRequest: () => void
  inputRef: RefObject<HTMLInputElement | null>
  value: string
  onValue: (code: string) => void
  error: TextKey | undefined
}>

export function MailCodeField({ mail, onRequest, error, ...field }: MailCodeFieldProps) {
  const { t } = useTranslation()
  return (
    <TextField
      label={t('personal.emailCode')}
      name="code"
      autoComplete="one-time-code"
      error={error && t(error)}
      rightElement={<CodeButton mail={mail} onRequest={onRequest} />}
      {...field}
    />
  )
}

/** Requests a code; afterwards counts down until the next one. */
function CodeButton({ mail, onRequest }: Readonly<{ mail: SentCode; onRequest: () => void }>) {
  const { t } = useTranslation()
  const { againAt } = mail
  const seconds = useEachSecond(() => (againAt ? Math.max(0, Math.ceil((againAt - Date.now()) / 1000)) : 0))
  const ready = t(againAt === undefined ? 'personal.getCode' : 'personal.resend')
  return (
    <Button
      size="small"
      variant="minimal"
      className="tabular"
      text={seconds > 0 ? t('personal.resendIn', { n: seconds }) : ready}
      disabled={seconds > 0}
      loading={mail.isBusy}
      onClick={onRequest}
    />
  )
}
