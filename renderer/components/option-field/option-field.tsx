import type { JSX } from 'react'
import { decodeToSave, labelOf, type OptionKey, options } from '../../../shared/options/index.ts'
import { OptionRefusal } from '../../../shared/options/wire.ts'
import { useTranslation } from '../../translation.ts'
import { TextField } from '../text-field/text-field.tsx'
import { controlOf, useOptionHint } from './use-option-hint.ts'

type OptionFieldProps = Readonly<{
  option: OptionKey
  /** As it is typed; numbers are text here, too. */
  value: string
  onValue: (value: string) => void
  /** What is wrong with it, in words. */
  error: string | undefined
  /** Stands in place of its own explanation. */
  hint?: string | undefined
  isDisabled?: boolean
  /** It is only shown until something else has been done; a press on it is told. */
  onLockedPress?: (() => void) | undefined
  /** What stands at its end, such as a unit. */
  end?: JSX.Element | undefined
}>

/**
 * The field of an option that is one line, wherever it is edited (docs/reference/options.md#options): a name, an address or a
 * number, with its name, its explanation and its range from shared/options.
 */
export function OptionField({ option, value, onValue, error, ...manner }: OptionFieldProps) {
  const { hint, isDisabled = false, onLockedPress, end } = manner
  const { t } = useTranslation()
  const usual = useOptionHint(option)
  const isNumber = options[option].wire === 'number'
  const isAddress = controlOf(option) === 'address'
  return (
    <TextField
      label={t(labelOf(option))}
      name={option}
      value={value}
      error={error}
      hint={hint ?? usual}
      autoComplete="off"
      spellCheck={false}
      disabled={isDisabled}
      {...(isNumber && { inputMode: 'decimal' })}
      {...(isAddress && { inputMode: 'url', placeholder: 'https://' })}
      {...(onLockedPress && { readOnly: true, onClick: onLockedPress })}
      {...(end && { rightElement: end })}
      onValue={(typed) => onValue(isNumber ? typed.trim() : typed)}
    />
  )
}

/** Why the gateway would refuse a value of an option; undefined where it would not. */
export function optionRefusal(option: OptionKey, value: string): OptionRefusal | undefined {
  try {
    decodeToSave(option, value)
    return undefined
  } catch (error) {
    if (error instanceof OptionRefusal) return error
    throw error
  }
}
