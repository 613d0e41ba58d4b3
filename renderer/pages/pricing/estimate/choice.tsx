import { FormGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { Select } from '../../../components/select.tsx'

type ChoiceProps<Value extends string> = Readonly<{
  label: string
  value: Value
  options: readonly Readonly<{ value: Value; label: string }>[]
  onValue: (value: Value) => void
  hint?: string
}>

export function Choice<Value extends string>({ label, value, options, onValue, hint }: ChoiceProps<Value>) {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id} helperText={hint && <span id={`${id}-note`}>{hint}</span>}>
      <Select
        id={id}
        fill
        value={value}
        options={options}
        aria-describedby={hint && `${id}-note`}
        onChange={({ currentTarget }) => {
          const chosen = options.find((option) => option.value === currentTarget.value)
          if (chosen) onValue(chosen.value)
        }}
      />
    </FormGroup>
  )
}
