import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { SwapHorizontal } from '@blueprintjs/icons'
import { useId, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { useDescription } from '../form/description.ts'
import { Presets } from '../presets/presets.tsx'
import { sentences } from '../sentences.ts'
import { type AmountUnit, signed, useAmountUnit } from './use-amount-unit.ts'
import { useUsualAmounts } from './use-usual-amounts.ts'

type QuotaInputProps = Readonly<{
  label: string
  value: number | undefined
  onValue: (value: number | undefined) => void
  error?: string | undefined
  /** For unlimited tokens: the amount stays visible, greyed out. */
  isDisabled?: boolean
  /** Hides the presets, where several fields are grouped. */
  isPlain?: boolean
  isSigned?: boolean
  /** The meaning of 0, shown instead of it; an empty field is then 0. */
  zeroText?: string
  hint?: string
}>

/**
 * An amount in dollars or quota with its conversion and presets (docs/reference/screens.md#formats-and-colors).
 * Input is parsed exactly; an untouched value does not change.
 */
export function QuotaInput({ label, value, onValue, error, isDisabled = false, ...manner }: QuotaInputProps) {
  const { isPlain, isSigned = false, zeroText, hint } = manner
  const { t } = useTranslation()
  const id = useId()
  const { unit, other, change } = useUnits(isSigned)
  const field = useTyped({ value, onValue, unit, zeroText })
  const isNothing = value === 0 && zeroText !== undefined
  const worth =
    value === undefined || isNothing || !other.isUsable ? undefined : t('quota.worth', { amount: other.name(value) })
  // An empty field already shows `zeroText` as its placeholder.
  const detail = isNothing && field.text !== '' ? zeroText : worth
  const note = error ?? (sentences(hint, detail) || undefined)
  const description = useDescription(note && `${id}-note`)
  const intent = error ? 'danger' : 'none'
  const unitButton = (
    <Button
      size="small"
      variant="minimal"
      text={unit.sign}
      endIcon={<SwapHorizontal size={12} />}
      title={t('quota.switch', { unit: other.title })}
      aria-label={t('quota.unitOf', { label, unit: unit.title, other: other.title })}
      disabled={isDisabled || !other.isUsable}
      onClick={change}
    />
  )
  return (
    <>
      <FormGroup label={label} labelFor={id} intent={intent} helperText={note && <span id={`${id}-note`}>{note}</span>}>
        <InputGroup
          id={id}
          fill
          autoComplete="off"
          inputMode={inputModeOf(unit, isSigned)}
          intent={intent}
          disabled={isDisabled}
          {...(zeroText === undefined ? {} : { placeholder: zeroText })}
          rightElement={unitButton}
          value={field.text}
          onValueChange={field.type}
          aria-invalid={error !== undefined}
          aria-describedby={description}
        />
      </FormGroup>
      {!isPlain && <UsualAmounts unit={unit} onChoose={onValue} isDisabled={isDisabled} />}
    </>
  )
}

function useUnits(isSigned: boolean): ReturnType<typeof useAmountUnit> {
  const choice = useAmountUnit()
  return isSigned ? { ...choice, unit: signed(choice.unit), other: signed(choice.other) } : choice
}

/** Numeric keyboards of phones have no minus. */
function inputModeOf({ isPrice }: AmountUnit, isSigned: boolean) {
  if (isSigned) return 'text'
  return isPrice ? 'decimal' : 'numeric'
}

type TypedAmount = Pick<QuotaInputProps, 'value' | 'onValue' | 'zeroText'> & Readonly<{ unit: AmountUnit }>

/** The field's text: what was typed, as long as it represents the value in the current unit. */
function useTyped({ value, onValue, unit, zeroText }: TypedAmount) {
  const [typed, setTyped] = useState<Readonly<{ text: string; unit: AmountUnit['id'] }>>()
  const read = (text: string) => (zeroText !== undefined && text.trim() === '' ? 0 : unit.read(text))
  const isCurrent = typed?.unit === unit.id && read(typed.text) === value
  const own = value === undefined || (value === 0 && zeroText !== undefined) ? '' : unit.write(value)
  const type = (text: string) => {
    setTyped({ text, unit: unit.id })
    onValue(read(text))
  }
  return { text: isCurrent ? typed.text : own, type }
}

type UsualAmountsProps = Readonly<{ unit: AmountUnit; onChoose: (value: number) => void; isDisabled: boolean }>

function UsualAmounts({ unit, onChoose, isDisabled }: UsualAmountsProps) {
  const { t } = useTranslation()
  const presets = useUsualAmounts(unit).map(({ text, quota }) => ({ text, value: () => quota }))
  return <Presets label={t('quota.presets')} presets={presets} onChoose={onChoose} isDisabled={isDisabled} />
}
