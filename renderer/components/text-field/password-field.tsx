import { Button } from '@blueprintjs/core'
import { EyeOff, EyeOpen } from '@blueprintjs/icons'
import { type Ref, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { TextField } from './text-field.tsx'

type PasswordFieldProps = Readonly<{
  label: string
  name: string
  value: string
  onValue: (value: string) => void
  /** Tells a password manager whether to fill in or generate a password. */
  autoComplete: 'current-password' | 'new-password'
  error?: string | undefined
  hint?: string
  placeholder?: string
  autoFocus?: boolean
  inputRef?: Ref<HTMLInputElement>
}>

export function PasswordField(field: PasswordFieldProps) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  const toggle = (
    <Button
      variant="minimal"
      icon={isShown ? <EyeOff /> : <EyeOpen />}
      aria-label={t('field.showPassword')}
      aria-pressed={isShown}
      onClick={() => setShown(!isShown)}
    />
  )
  return <TextField {...field} type={isShown ? 'text' : 'password'} rightElement={toggle} />
}
