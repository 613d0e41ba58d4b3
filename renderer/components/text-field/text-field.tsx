import { FormGroup, InputGroup, type InputGroupProps } from '@blueprintjs/core'
import { useId } from 'react'
import { useDescription } from '../form/description.ts'

type TextFieldProps = Omit<InputGroupProps, 'id' | 'intent' | 'onValueChange'> &
  Readonly<{
    label: string
    value: string
    onValue: (value: string) => void
    /** Shown at the field and announced to screen readers. Empty if the form shows the error elsewhere. */
    error?: string | undefined
    hint?: string
  }>

export function TextField({ label, value, onValue, error, hint, ...input }: TextFieldProps) {
  const id = useId()
  const note = error ?? hint
  const description = useDescription(note && `${id}-note`)
  const intent = error === undefined ? 'none' : 'danger'
  return (
    <FormGroup label={label} labelFor={id} intent={intent} helperText={note && <span id={`${id}-note`}>{note}</span>}>
      <InputGroup
        {...input}
        id={id}
        fill
        intent={intent}
        value={value}
        onValueChange={onValue}
        aria-invalid={error !== undefined}
        aria-describedby={description}
      />
    </FormGroup>
  )
}
