import { useTranslation } from 'react-i18next'
import { MAX_QUOTA } from '../../../shared/api/fields.ts'
import { useStatus } from '../../api/status.ts'
import { useQuotaFormat } from '../amount.ts'
import { NumberField } from '../number-field/number-field.tsx'
import { Presets } from '../presets/presets.tsx'

type QuotaInputProps = Readonly<{
  label: string
  /** A whole amount of quota, or undefined while what is typed is none. */
  value: number | undefined
  onValue: (value: number | undefined) => void
  /** What is wrong with the amount; shown at the field. */
  error?: string | undefined
  /** For tokens without a limit: the amount stays in sight, greyed. */
  isDisabled?: boolean
  /** Without the usual amounts, where several stand together. */
  isPlain?: boolean
}>

/**
 * An amount of quota, with what it is worth and the usual amounts to choose from
 * (docs/reference/screens.md#formats-and-colours).
 */
export function QuotaInput({ label, value, onValue, error, isDisabled = false, isPlain = false }: QuotaInputProps) {
  const { t } = useTranslation()
  const { quota_per_unit: unit } = useStatus()
  const worth = useWorth(value)
  return (
    <>
      <NumberField
        label={label}
        value={value}
        onValue={onValue}
        max={MAX_QUOTA}
        stepSize={10_000}
        majorStepSize={100_000}
        disabled={isDisabled}
        hint={worth}
        error={error}
      />
      {!isPlain && (
        <Presets
          label={t('quota.presets')}
          presets={usualDollars.map((dollars) => ({ text: `$${dollars}`, value: () => Math.round(dollars * unit) }))}
          onChoose={onValue}
          isDisabled={isDisabled}
        />
      )}
    </>
  )
}

/** What they are in quota depends on the operator's unit. */
const usualDollars = [1, 10, 50, 100, 500, 1000] as const

/** What an amount is worth, where the operator shows currency. */
function useWorth(value: number | undefined): string | undefined {
  const { t } = useTranslation()
  const { display_in_currency: inCurrency } = useStatus()
  const format = useQuotaFormat()
  return inCurrency && value !== undefined ? t('quota.worth', { amount: format(value) }) : undefined
}
