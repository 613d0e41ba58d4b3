import { groupDigits } from '../../../components/count.tsx'
import { NumberField } from '../../../components/number-field/number-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { type Draft, type NumberName, numberFields, type problemsOf } from './draft.ts'

export type EstimateForm = Readonly<{
  draft: Draft
  change: (part: Partial<Draft>) => void
  problems: ReturnType<typeof problemsOf>
}>

type NumberInputProps = Readonly<{ form: EstimateForm; name: NumberName; label: string; hint?: string }>

export function NumberInput({ form: { draft, change, problems }, name, label, hint }: NumberInputProps) {
  const { t } = useTranslation()
  const { max, ...bounds } = numberFields[name]
  const min = 'min' in bounds ? bounds.min : 0
  return (
    <NumberField
      label={label}
      hint={hint}
      min={min}
      max={max}
      value={draft.numbers[name]}
      onValue={(value) => change({ numbers: { ...draft.numbers, [name]: value } })}
      error={problems.has(name) ? t('estimate.range', { min, max: groupDigits(max) }) : undefined}
    />
  )
}
