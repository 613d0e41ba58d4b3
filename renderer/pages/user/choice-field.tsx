import { FormGroup, type HTMLSelectProps } from '@blueprintjs/core'
import { useId } from 'react'
import { Select } from '../../components/select.tsx'

type ChoiceFieldProps = Readonly<{
  label: string
  hint: string
  value: string
  options: HTMLSelectProps['options']
  onValue: (value: string) => void
}>

export function ChoiceField({ label, hint, value, options, onValue }: ChoiceFieldProps) {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id} helperText={<span id={`${id}-note`}>{hint}</span>}>
      <Select
        id={id}
        fill
        value={value}
        options={options}
        onChange={(event) => onValue(event.currentTarget.value)}
        aria-describedby={`${id}-note`}
      />
    </FormGroup>
  )
}
