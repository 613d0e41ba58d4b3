import { type ReactNode, useId } from 'react'
import { labelOf, type OptionKey, options } from '../../../../shared/options/index.ts'
import { domainsOf } from '../../../../shared/options/lists.ts'
import { DescriptionContext } from '../../../components/form/description.ts'
import { JsonField } from '../../../components/json-field/json-field.tsx'
import { OptionField } from '../../../components/option-field/option-field.tsx'
import { controlOf, useOptionHint } from '../../../components/option-field/use-option-hint.ts'
import { QuotaInput } from '../../../components/quota-input/quota-input.tsx'
import { TagListInput } from '../../../components/tag-list-input/tag-list-input.tsx'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { AreaField } from './area-field.tsx'
import { ChoiceField } from './choice-field.tsx'
import { FlagField } from './flag-field.tsx'
import { exampleOf } from './json-examples.ts'
import { OptionMarks, useMarks } from './option-marks.tsx'
import { SecretField } from './secret-field.tsx'
import { unitOf } from './units.ts'
import type { BoundOption } from './use-option-form.ts'

type OptionControlProps = BoundOption &
  Readonly<{
    /** It cannot be changed while another setting is as it is. */
    isDisabled?: boolean
    /** Stands in place of its own explanation. */
    hint?: string
    /** It is only shown until something else has been done, such as a warning read; a press on it is told. */
    onLockedPress?: (() => void) | undefined
    /** A button at its end. */
    action?: ReactNode
  }>

/**
 * The control of one setting as its declaration wants it (shared/options): its name, its explanation and range, what is
 * wrong with it, and the place that a link to it leads to.
 */
export function OptionControl(props: OptionControlProps) {
  const { option, onLeave, onReset } = props
  const id = useId()
  const hasWords = useMarks(option).hasWords
  const leaving = { onBlur: onLeave }
  return (
    <div className={`setting-field ${shapeOf(option)}`} data-option={option} {...leaving}>
      <DescriptionContext value={hasWords ? id : undefined}>
        <Field {...props} />
      </DescriptionContext>
      <OptionMarks id={id} option={option} {...(onReset && { onReset })} />
    </div>
  )
}

/** How a field stands among the others. */
function shapeOf(option: OptionKey): string {
  const { wire, secret } = options[option]
  if (wire === 'flag') return 'setting-field-flag'
  const isWide = wire === 'json' || ['area', 'lines', 'domains'].includes(controlOf(option) ?? '')
  return isWide && !secret ? 'setting-field-wide' : ''
}

function Field(props: OptionControlProps) {
  const { option, value, onValue, error, isDisabled = false } = props
  const { t } = useTranslation()
  const usual = useOptionHint(option)
  const hint = props.hint ?? usual
  const label = t(labelOf(option))
  const field = { label, value, onValue, error, ...(hint !== '' && { hint }) }
  const { wire, secret } = options[option]
  if (secret) return <SecretField {...props} {...field} />
  if (wire === 'flag') return <FlagField {...field} option={option} isDisabled={isDisabled} />
  if (wire === 'json') return <JsonField {...field} onChange={onValue} template={exampleOf(option)} />
  const control = controlOf(option)
  if (control === 'area' || control === 'lines') return <AreaField {...field} option={option} />
  if (control === 'choice') return <ChoiceField {...field} option={option} />
  if (control === 'domains')
    return <TagListInput {...field} values={domainsOf(value)} onValues={(names) => onValue(names.join(','))} />
  if (control === 'amount') return <AmountField {...field} />
  const { onLockedPress, action } = props
  const line = { option, value, onValue, error, hint: props.hint, isDisabled, onLockedPress }
  const unit = unitOf(option)
  return <OptionField {...line} end={unit || action ? <End unit={unit} action={action} /> : undefined} />
}

type NamedField = Readonly<{
  label: string
  value: string
  onValue: (value: string) => void
  error: string | undefined
  hint?: string
}>

/** An amount as people type amounts elsewhere: in dollars or in quota. */
function AmountField({ value, onValue, ...field }: NamedField) {
  const amount = value === '' ? undefined : Number(value)
  return (
    <QuotaInput
      {...field}
      isPlain
      value={amount}
      onValue={(quota) => onValue(quota === undefined ? '' : String(quota))}
    />
  )
}

type EndProps = Readonly<{ unit: TextKey | undefined; action: ReactNode }>

/** At the end of a line: the unit of its number, and a button. */
function End({ unit, action }: EndProps) {
  const { t } = useTranslation()
  return (
    <span className="setting-end">
      {unit && <span className="setting-unit">{t(unit)}</span>}
      {action}
    </span>
  )
}
