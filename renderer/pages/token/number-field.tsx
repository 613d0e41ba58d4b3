import { FormGroup, NumericInput } from '@blueprintjs/core'
import { useId } from 'react'

type NumberFieldProps = Readonly<{
  label: string
  /** A whole number from 0 to `max`, or undefined while what is typed is none. */
  value: number | undefined
  onValue: (value: number | undefined) => void
  max: number
  hint: string
  /** What is wrong with the number; shown in place of the hint. */
  error?: string | undefined
}>

/** A whole number, with what it means or what is wrong with it. */
export function NumberField({ label, value, onValue, max, hint, error }: NumberFieldProps) {
  const id = useId()
  const intent = error ? 'danger' : 'none'
  const isFine = (number: number) => Number.isInteger(number) && number >= 0 && number <= max
  return (
    <FormGroup label={label} labelFor={id} intent={intent} helperText={<span id={`${id}-note`}>{error ?? hint}</span>}>
      <NumericInput
        id={id}
        fill
        buttonPosition="none"
        min={0}
        max={max}
        minorStepSize={null}
        intent={intent}
        value={value ?? ''}
        onValueChange={(number, text) => onValue(text !== '' && isFine(number) ? number : undefined)}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
      />
    </FormGroup>
  )
}
