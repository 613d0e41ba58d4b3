import './quota-input.css'
import { Button, FormGroup, NumericInput } from '@blueprintjs/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { MAX_QUOTA } from '../../../shared/api/fields.ts'
import { useStatus } from '../../api/status.ts'
import { useQuotaFormat } from '../amount.ts'

type QuotaInputProps = Readonly<{
  label: string
  /** A whole amount of quota, or undefined while what is typed is none. */
  value: number | undefined
  onValue: (value: number | undefined) => void
  error?: string | undefined
  isDisabled?: boolean
}>

/** An amount of quota, with what it is worth and the usual amounts to choose from (specification 3 §2). */
export function QuotaInput({ label, value, onValue, error, isDisabled = false }: QuotaInputProps) {
  const id = useId()
  const worth = useWorth(value)
  const intent = error ? 'danger' : 'none'
  return (
    <FormGroup
      label={label}
      labelFor={id}
      intent={intent}
      disabled={isDisabled}
      helperText={<span id={`${id}-note`}>{error ?? worth}</span>}
    >
      <NumericInput
        id={id}
        fill
        min={0}
        max={MAX_QUOTA}
        stepSize={10_000}
        majorStepSize={100_000}
        minorStepSize={null}
        intent={intent}
        disabled={isDisabled}
        value={value ?? ''}
        onValueChange={(number, text) => onValue(text !== '' && isAmount(number) ? number : undefined)}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
      />
      <Presets isDisabled={isDisabled} onChoose={onValue} />
    </FormGroup>
  )
}

/** Dollars; what they are in quota depends on the operator's unit. */
const presets = [1, 10, 50, 100, 500, 1000] as const

function Presets({ isDisabled, onChoose }: { isDisabled: boolean; onChoose: (value: number) => void }) {
  const { t } = useTranslation()
  const { quota_per_unit: unit } = useStatus()
  return (
    <fieldset className="quota-input-presets" aria-label={t('quota.presets')}>
      {presets.map((dollars) => (
        <Button
          key={dollars}
          size="small"
          variant="outlined"
          text={`$${dollars}`}
          disabled={isDisabled}
          onClick={() => onChoose(Math.round(dollars * unit))}
        />
      ))}
    </fieldset>
  )
}

function useWorth(value: number | undefined): string {
  const { t } = useTranslation()
  const { display_in_currency: inCurrency } = useStatus()
  const format = useQuotaFormat()
  return inCurrency && value !== undefined ? t('quota.worth', { amount: format(value) }) : ''
}

const isAmount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_QUOTA
