import { InputGroup, type InputGroupProps } from '@blueprintjs/core'
import { useId } from 'react'
import type { Known } from './use-known-values.ts'

type SuggestingFieldProps = Pick<InputGroupProps, 'inputMode' | 'onFocus'> &
  Readonly<{
    label: string
    hint?: string
    /** Whether the label needs a wider field. */
    isLong?: boolean
    value: string
    onValue: (value: string) => void
    /** Suggestions; anything else may be typed, too. */
    known?: readonly Known[]
  }>

/** A text filter with the browser's own suggestions. */
export function SuggestingField({
  label,
  hint,
  isLong = false,
  value,
  onValue,
  known = [],
  ...input
}: SuggestingFieldProps) {
  const id = useId()
  return (
    <>
      <InputGroup
        {...input}
        className={`log-filters-text ${isLong ? 'log-filters-text-long' : ''}`}
        placeholder={label}
        aria-label={label}
        title={hint}
        autoComplete="off"
        list={id}
        value={value}
        onValueChange={onValue}
      />
      <datalist id={id}>
        {known.map((one) => (
          <option key={one.value} {...one} />
        ))}
      </datalist>
    </>
  )
}
