import { Classes, FormGroup, Switch, TextArea } from '@blueprintjs/core'
import { type ReactNode, useId } from 'react'
import { labelOf, type OptionKey, options } from '../../../../shared/options/index.ts'
import { domainsOf } from '../../../../shared/options/lists.ts'
import { DescriptionContext, useDescription } from '../../../components/form/description.ts'
import { JsonField } from '../../../components/json-field/json-field.tsx'
import { OptionField } from '../../../components/option-field/option-field.tsx'
import { controlOf, useOptionHint } from '../../../components/option-field/use-option-hint.ts'
import { QuotaInput } from '../../../components/quota-input/quota-input.tsx'
import { TagListInput } from '../../../components/tag-list-input/tag-list-input.tsx'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { ChoiceField } from './choice-field.tsx'
import { OptionMarks, useMarks } from './option-marks.tsx'
import { SecretField } from './secret-field.tsx'
import type { BoundOption } from './use-option-form.ts'

type OptionControlProps = BoundOption &
  Readonly<{
    /** The setting has no effect, because another one is off. */
    isDisabled?: boolean
    /** Replaces the option's own explanation. */
    hint?: string
    /**
     * Set while the control is locked, for example until a warning has been read; called when the locked control is
     * pressed.
     */
    onLockedPress?: (() => void) | undefined
    action?: ReactNode
  }>

/** The control of a setting by its declaration (shared/options): name, explanation, range, error and link target. */
export function OptionControl(props: OptionControlProps) {
  const { option, onLeave, onReset } = props
  const id = useId()
  const hasText = useMarks(option).hasText
  const leaving = { onBlur: onLeave }
  return (
    <div className={`setting-field ${shapeOf(option)}`} data-option={option} {...leaving}>
      <DescriptionContext value={hasText ? id : undefined}>
        <Field {...props} />
      </DescriptionContext>
      <OptionMarks id={id} option={option} {...(onReset && { onReset })} />
    </div>
  )
}

function shapeOf(option: OptionKey): string {
  const { wire, secret } = options[option]
  if (wire === 'flag') return 'setting-field-flag'
  const isWide = wire === 'json' || ['area', 'lines', 'domains'].includes(controlOf(option) ?? '')
  return isWide && !secret ? 'setting-field-wide' : ''
}

function Field(props: OptionControlProps) {
  const { option, value, onValue, error, isDisabled = false } = props
  const { t } = useTranslation()
  const defaultHint = useOptionHint(option)
  const hint = props.hint ?? defaultHint
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

function End({ unit, action }: EndProps) {
  const { t } = useTranslation()
  return (
    <span className="setting-end">
      {unit && <span className="setting-unit">{t(unit)}</span>}
      {action}
    </span>
  )
}

/** The unit of a number whose name does not include it. */
const unitOf = (option: OptionKey): TextKey | undefined => units[option]

const units: Readonly<Partial<Record<OptionKey, TextKey>>> = {
  QuotaPerUnit: 'settings.unit.quota',
  USDExchangeRate: 'settings.unit.cny',
  Price: 'settings.unit.cny',
  PreConsumedQuota: 'settings.unit.tokens',
  DefaultMaxOutput: 'settings.unit.tokens',
}

/** The example or default that the template button of a JSON setting inserts. */
const exampleOf = (option: OptionKey): string => JSON.stringify(examples[option] ?? options[option].default)

/** For options whose default is empty or not a good example. */
const examples: Readonly<Partial<Record<OptionKey, unknown>>> = {
  ModelRequestRateLimitGroup: { default: [200, 100], vip: [0, 1000] },
  ModelMaxOutput: { 'my-model': 16_384, 'my-family-*': 8192 },
  GroupGroupRatio: { vip: { default: 0.9 } },
  'claude.model_headers_settings': {
    'claude-3-7-sonnet-20250219': { 'anthropic-beta': ['output-128k-2025-02-19'] },
  },
  ModelPrice: { 'dall-e-3': 0.04 },
  ModelRatio: { 'gpt-4o': 1.25 },
  CompletionRatio: { 'gpt-4o': 4 },
  CacheRatio: { 'gpt-4o': 0.5 },
  CreateCacheRatio: { 'claude-3-5-sonnet-20241022': 1.25 },
  ImageRatio: { 'gpt-image-1': 2 },
  AudioRatio: { 'gpt-4o-audio-preview': 16 },
  AudioCompletionRatio: { 'gpt-4o-audio-preview': 2 },
  PriceSteps: { 'gemini-2.5-pro': [{ above: 200_000, input: 2, output: 1.5 }] },
  ServiceTierRatio: { priority: 2, 'claude-opus-4-6:fast': 6 },
}

type AreaFieldProps = Readonly<{
  label: string
  option: string
  value: string
  onValue: (value: string) => void
  error: string | undefined
  hint?: string
  /** Initially visible lines. */
  rows?: number
}>

function AreaField({ label, option, value, onValue, error, hint, rows = 6 }: AreaFieldProps) {
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

type FlagFieldProps = Readonly<{
  label: string
  option: string
  /** 'true' or 'false'. */
  value: string
  onValue: (value: string) => void
  error: string | undefined
  hint?: string
  isDisabled: boolean
}>

function FlagField({ label, option, value, onValue, error, hint, isDisabled }: FlagFieldProps) {
  const id = useId()
  const note = error ?? hint
  const description = useDescription(note && `${id}-note`)
  return (
    <div className={`setting-flag ${error === undefined ? '' : Classes.INTENT_DANGER} ${Classes.FORM_GROUP}`}>
      <Switch
        name={option}
        label={label}
        checked={value === 'true'}
        disabled={isDisabled}
        onChange={(event) => onValue(String(event.currentTarget.checked))}
        aria-invalid={error !== undefined}
        aria-describedby={description}
      />
      {note && (
        <div id={`${id}-note`} className={Classes.FORM_HELPER_TEXT}>
          {note}
        </div>
      )}
    </div>
  )
}
