import { FormGroup } from '@blueprintjs/core'
import { useId } from 'react'
import { type OptionKey, options } from '../../../../shared/options/index.ts'
import { useDescription } from '../../../components/form/description.ts'
import { Select } from '../../../components/select.tsx'
import { useTranslation } from '../../../translation.ts'

type ChoiceFieldProps = Readonly<{
  label: string
  option: OptionKey
  value: string
  onValue: (value: string) => void
  error: string | undefined
  hint?: string
}>

export function ChoiceField({ label, option, value, onValue, error, hint }: ChoiceFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const { words: values = [] }: { words?: readonly string[] } = options[option]
  const nameOf = (word: string) => (isNamed(word) ? t(names[word]) : word)
  const note = error ?? hint
  const description = useDescription(note && `${id}-note`)
  return (
    <FormGroup label={label} labelFor={id} helperText={note && <span id={`${id}-note`}>{note}</span>}>
      <Select
        id={id}
        name={option}
        fill
        value={value}
        options={values.map((word) => ({ value: word, label: nameOf(word) }))}
        onChange={(event) => onValue(event.currentTarget.value)}
        aria-invalid={error !== undefined}
        aria-describedby={description}
      />
    </FormGroup>
  )
}

const names = {
  hour: 'label.hour',
  day: 'label.day',
  week: 'label.week',
  nobody: 'settings.nobody',
  root: 'role.root',
  admin: 'settings.adminsUp',
  owner: 'settings.ownerToo',
  everybody: 'settings.everybody',
} as const
const isNamed = (word: string): word is keyof typeof names => Object.hasOwn(names, word)
