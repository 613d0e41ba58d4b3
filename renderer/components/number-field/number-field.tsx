import { FormGroup, NumericInput, type NumericInputProps } from '@blueprintjs/core'
import { useId } from 'react'

type NumberFieldProps = Readonly<{
  label: string
  /** A whole number within the bounds, or undefined while the input is not one. */
  value: number | undefined
  onValue: (value: number | undefined) => void
  /** Defaults to 0. */
  min?: number
  max: number
  hint?: string | undefined
  /** The meaning of 0, shown instead of it; an empty field is then 0. */
  zeroText?: string
  error?: string | undefined
}> &
  Pick<NumericInputProps, 'stepSize' | 'majorStepSize' | 'disabled'>

export function NumberField({
  label,
  value,
  onValue,
  min = 0,
  max,
  hint,
  zeroText,
  error,
  ...input
}: NumberFieldProps) {
  const id = useId()
  const intent = error ? 'danger' : 'none'
  const isNothing = value === 0 && zeroText !== undefined
  const note = error ?? hint
  const read = (number: number, text: string) => {
    if (text === '') return zeroText === undefined ? undefined : 0
    return isFine(number) ? number : undefined
  }
  const isFine = (number: number) => Number.isInteger(number) && number >= min && number <= max
  return (
    <FormGroup label={label} labelFor={id} intent={intent} helperText={note && <span id={`${id}-note`}>{note}</span>}>
      <NumericInput
        {...input}
        id={id}
        fill
        buttonPosition="none"
        min={min}
        max={max}
        minorStepSize={null}
        intent={intent}
        {...(zeroText === undefined ? {} : { placeholder: zeroText })}
        value={isNothing ? '' : (value ?? '')}
        onValueChange={(number, text) => onValue(read(number, text))}
        aria-invalid={error !== undefined}
        aria-describedby={note && `${id}-note`}
      />
    </FormGroup>
  )
}
