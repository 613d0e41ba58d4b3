import { NumberField } from '../../components/number-field/number-field.tsx'
import { Presets } from '../../components/presets/presets.tsx'
import { useTranslation } from '../../translation.ts'
import { maxTokens } from './draft.ts'

type CountFieldProps = Readonly<{
  value: number | undefined
  onValue: (value: number | undefined) => void
  error?: string | undefined
}>

/** How many tokens to make at once (docs/reference/screens.md#tokens). */
export function CountField({ value, onValue, error }: CountFieldProps) {
  const { t } = useTranslation()
  return (
    <>
      <NumberField
        label={t('token.count')}
        value={value}
        onValue={onValue}
        min={1}
        max={maxTokens}
        hint={value !== undefined && value > 1 ? t('token.countHint') : undefined}
        error={error}
      />
      <Presets
        label={t('token.countPresets')}
        presets={usualCounts.map((count) => ({ text: String(count), value: () => count }))}
        onChoose={onValue}
      />
    </>
  )
}

const usualCounts = [10, 20, 30, 100] as const
