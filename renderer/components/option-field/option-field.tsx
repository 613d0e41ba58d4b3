import { useTranslation } from 'react-i18next'
import { hintOf } from '../../../shared/options/hints.ts'
import { decodeOption, labelOf, type OptionKey, options, rangeOf } from '../../../shared/options/index.ts'
import { OptionRefusal } from '../../../shared/options/wire.ts'
import { TextField } from '../text-field/text-field.tsx'

type OptionFieldProps = Readonly<{
  option: OptionKey
  /** As it is typed; numbers are text here, too. */
  value: string
  onValue: (value: string) => void
}>

/**
 * The form field of one option of the installation (docs/reference/options.md#options): its name, its explanation and
 * range from shared/options, and what is wrong with the value as the gateway would refuse it.
 */
export function OptionField({ option, value, onValue }: OptionFieldProps) {
  const { t } = useTranslation()
  const hint = hintOf(option)
  const range = rangeOf(option)
  const refusal = optionRefusal(option, value)
  const isNumber = options[option].wire === 'number'
  return (
    <TextField
      label={t(labelOf(option))}
      name={option}
      value={value}
      {...(isNumber ? { inputMode: 'numeric' } : {})}
      autoComplete="off"
      onValue={(typed) => onValue(isNumber ? typed.trim() : typed)}
      error={refusal && t(refusal.key, refusal.params)}
      hint={[hint && t(hint), range && t(range.key, range.params)].filter(Boolean).join(' ')}
    />
  )
}

/** Why the gateway would refuse a value of an option; undefined where it would not. */
export function optionRefusal(option: OptionKey, value: string): OptionRefusal | undefined {
  try {
    decodeOption(option, value)
    return undefined
  } catch (error) {
    if (error instanceof OptionRefusal) return error
    throw error
  }
}
