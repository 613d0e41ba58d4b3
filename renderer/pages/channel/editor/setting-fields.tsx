import { Classes, FormGroup, Switch, TextArea } from '@blueprintjs/core'
import { useId } from 'react'
import { useBodyStorageNote } from '../../../api/use-bodies-note.ts'
import { Select } from '../../../components/select.tsx'
import { sentences } from '../../../components/sentences.ts'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { editableObject, withMember } from './json-members.ts'
import { otherSettings, type SettingField, settingsOf } from './setting-table.ts'

type SettingFieldsProps = Readonly<{
  type: number
  /** JSON of the column; members without a field are preserved. */
  value: string
  onChange: (text: string) => void
}>

/** A field for each channel setting; a setting at its default is removed from the JSON. */
export function SettingFields({ type, value, onChange }: SettingFieldsProps) {
  const { t } = useTranslation()
  const set = editableObject(value)
  if (!set) return null
  const others = otherSettings(set)
  return (
    <>
      {settingsOf(type, set).map((field) => (
        <Field
          key={field.name}
          field={field}
          value={set[field.name]}
          onValue={(one) => onChange(withMember(value, field.name, one))}
        />
      ))}
      {others.length > 0 && (
        <p className={`json-column-note ${Classes.TEXT_MUTED}`}>
          {t('channel.settingOthers', { names: others.join(', ') })}
        </p>
      )}
    </>
  )
}

type FieldProps = Readonly<{ field: SettingField; value: unknown; onValue: (value: unknown) => void }>

function Field({ field, value, onValue }: FieldProps) {
  const { t } = useTranslation()
  const { name } = field
  const label = t(`setting.${name}`)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (name === 'keep_bodies') return <BodyStorageField label={label} isOn={value === true} onValue={onValue} />
  if (field.as === 'switch') {
    return (
      <Switch
        className="channel-switch"
        label={label}
        checked={value === true}
        onChange={(event) => onValue(event.currentTarget.checked || undefined)}
      />
    )
  }
  if (field.as === 'choice') return <Choice field={field} label={label} value={text} onValue={onValue} />
  if (field.as === 'text')
    return <LongText label={label} hint={t('setting.system_promptHint')} value={text} onValue={onValue} />
  const isNumber = field.as === 'number'
  return (
    <TextField
      label={label}
      name={name}
      autoComplete="off"
      {...(isNumber ? { inputMode: 'numeric' as const } : {})}
      value={text}
      placeholder={isNumber ? t('setting.noLimit') : ''}
      onValue={(typed) => onValue(isNumber ? numberIn(typed, value) : typed || undefined)}
      hint={isNumber ? t('setting.max_concurrencyHint') : ''}
    />
  )
}

/** The effect on other users is explained below the field, in the words shown to them. */
function BodyStorageField({
  label,
  isOn,
  onValue,
}: {
  label: string
  isOn: boolean
  onValue: (value: unknown) => void
}) {
  const { t } = useTranslation()
  const note = useBodyStorageNote()
  const id = useId()
  return (
    <FormGroup helperText={<span id={id}>{sentences(t('setting.keep_bodiesHint'), note)}</span>}>
      <Switch
        className="channel-switch"
        label={label}
        checked={isOn}
        onChange={(event) => onValue(event.currentTarget.checked || undefined)}
        aria-describedby={id}
      />
    </FormGroup>
  )
}

/** Parses a positive whole number; empty and 0 mean no limit, anything else changes nothing. */
function numberIn(typed: string, before: unknown): unknown {
  if (typed.trim() === '') return undefined
  const number = Number(typed)
  return Number.isInteger(number) && number >= 0 && number <= 1_000_000_000 ? number || undefined : before
}

type ChoiceProps = Readonly<{
  field: Extract<SettingField, { as: 'choice' }>
  label: string
  value: string
  onValue: (value: unknown) => void
}>

/** The first choice is the default. */
function Choice({ field, label, value, onValue }: ChoiceProps) {
  const { t } = useTranslation()
  const id = useId()
  const choices: readonly (typeof field.choices)[number][] = field.choices
  const [fallback] = choices
  return (
    <FormGroup label={label} labelFor={id}>
      <Select
        id={id}
        fill
        name={field.name}
        value={choices.find((choice) => choice === value) ?? fallback ?? ''}
        options={choices.map((choice) => ({ value: choice, label: t(`setting.choice.${choice}`) }))}
        onChange={({ currentTarget }) => onValue(currentTarget.value === fallback ? undefined : currentTarget.value)}
      />
    </FormGroup>
  )
}

type LongTextProps = Readonly<{ label: string; hint: string; value: string; onValue: (value: unknown) => void }>

function LongText({ label, hint, value, onValue }: LongTextProps) {
  const id = useId()
  return (
    <FormGroup label={label} labelFor={id} helperText={<span id={`${id}-note`}>{hint}</span>}>
      <TextArea
        id={id}
        fill
        rows={3}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value || undefined)}
        aria-describedby={`${id}-note`}
      />
    </FormGroup>
  )
}
