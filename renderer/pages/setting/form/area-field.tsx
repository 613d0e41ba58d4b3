import { FormGroup, TextArea } from '@blueprintjs/core'
import { useId } from 'react'
import { useDescription } from '../../../components/form/description.ts'

type AreaFieldProps = Readonly<{
  label: string
  /** Under which the field is found. */
  option: string
  value: string
  onValue: (value: string) => void
  error: string | undefined
  hint?: string
  /** Lines in sight at first. */
  rows?: number
}>

/** Text of several lines, with what it means or what is wrong with it. */
export function AreaField({ label, option, value, onValue, error, hint, rows = 6 }: AreaFieldProps) {
  const id = useId()
  const note = error ?? hint
  const description = useDescription(note && `${id}-note`)
  const intent = error === undefined ? 'none' : 'danger'
  return (
    <FormGroup label={label} labelFor={id} intent={intent} helperText={note && <span id={`${id}-note`}>{note}</span>}>
      <TextArea
        id={id}
        name={option}
        className="setting-area"
        fill
        rows={Math.min(16, Math.max(rows, value.split('\n').length + 1))}
        intent={intent}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
        aria-invalid={error !== undefined}
        aria-describedby={description}
      />
    </FormGroup>
  )
}
