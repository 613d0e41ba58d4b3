import type { JSX } from 'react'
import { decodeToSave, labelOf, type OptionKey, options } from '../../../shared/options/index.ts'
import { OptionRefusal } from '../../../shared/options/wire.ts'
import { useTranslation } from '../../translation.ts'
import { TextField } from '../text-field/text-field.tsx'
import { controlOf, useOptionHint } from './use-option-hint.ts'

type OptionFieldProps = Readonly<{
  option: OptionKey
  /** As typed; numbers are text here, too. */
  value: string
  onValue: (value: string) => void
  error: string | undefined
  /** Replaces the option's own explanation. */
  hint?: string | undefined
  isDisabled?: boolean
  onLockedPress?: (() => void) | undefined
  end?: JSX.Element | undefined
}>

/**
 * A single-line field of an option (docs/reference/options.md#options): name, explanation and range are from
 * shared/options.
 */
export function OptionField({ option, value, onValue, error, ...manner }: OptionFieldProps) {
  const { hint, isDisabled = false, onLockedPress, end } = manner
  const { t } = useTranslation()
  const defaultHint = useOptionHint(option)
  const isNumber = options[option].wire === 'number'
  const isAddress = controlOf(option) === 'address'
  return (
    <TextField
      label={t(labelOf(option))}
      name={option}
      value={value}
      error={error}
      hint={hint ?? defaultHint}
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

/** Why the gateway would refuse an option's value; undefined if it would not. */
export function optionRefusal(option: OptionKey, value: string): OptionRefusal | undefined {
  try {
    decodeToSave(option, value)
    return undefined
  } catch (error) {
    if (error instanceof OptionRefusal) return error
    throw error
  }
}
