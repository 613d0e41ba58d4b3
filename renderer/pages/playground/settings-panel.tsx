import './settings-panel.css'
import { FormGroup, NumericInput, Slider, TextArea } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { useGroupLabel } from '../../components/group-name.ts'
import { NumberField } from '../../components/number-field/number-field.tsx'
import { Select } from '../../components/select.tsx'
import { useTranslation } from '../../translation.ts'
import type { Chosen } from './conversations/stored-conversation.ts'
import { ModelField } from './model-field.tsx'
import {
  boundFine,
  boundTemperature,
  type FineSetting,
  fineRanges,
  maxTokens,
  type PlaySettings,
  temperatureRange,
} from './settings.ts'
import type { Choices } from './use-choices.ts'

type SettingsPanelProps = Readonly<{
  settings: PlaySettings
  choices: Choices
  /** The second model of a comparison; undefined without one. */
  secondModel: string | undefined
  onChange: (change: Chosen) => void
}>

/** The settings of the next message (docs/reference/screens.md#playground). */
export function SettingsPanel({ settings, choices, secondModel, onChange }: SettingsPanelProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="play-settings">
      <FormGroup label={t('label.group')} labelFor={`${id}-group`}>
        <GroupSelect
          id={`${id}-group`}
          value={settings.group}
          choices={choices}
          onChange={(group) => onChange({ group })}
        />
      </FormGroup>
      <ModelField
        label={t(secondModel === undefined ? 'label.model' : 'play.firstModel')}
        value={settings.model}
        models={choices.models}
        onChange={(model) => onChange({ model })}
      />
      {secondModel !== undefined && (
        <ModelField
          label={t('play.secondModel')}
          value={secondModel}
          models={choices.models}
          onChange={(model) => onChange({ secondModel: model })}
        />
      )}
      <TemperatureField value={settings.temperature} onChange={(temperature) => onChange({ temperature })} />
      <NumberField
        label={t('play.maxTokens')}
        max={maxTokens}
        stepSize={256}
        majorStepSize={1024}
        zeroText={t('play.maxTokensDefault')}
        value={settings.maxTokens}
        onValue={(value) => value !== undefined && onChange({ maxTokens: value })}
      />
      <FineSettings settings={settings} onChange={onChange} />
      <FormGroup label={t('play.system')} labelFor={`${id}-system`}>
        <TextArea
          id={`${id}-system`}
          fill
          rows={5}
          value={settings.system}
          onChange={(event) => onChange({ system: event.currentTarget.value })}
        />
      </FormGroup>
    </div>
  )
}

type GroupSelectProps = Readonly<{ id: string; value: string; choices: Choices; onChange: (group: string) => void }>

/** Until the groups are known, offers only the account's group. */
function GroupSelect({ id, value, choices, onChange }: GroupSelectProps) {
  const { t } = useTranslation()
  const labelOf = useGroupLabel()
  const options = choices.groups.map((group) => ({
    value: group.value,
    label: [labelOf(group.value, group.desc), ratioText(group.ratio)].filter(Boolean).join(' · '),
  }))
  return (
    <Select
      id={id}
      fill
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      options={options.length > 0 ? options : [{ value: '', label: t('label.userGroup') }]}
    />
  )
}

/** The automatic group has a text instead of a ratio. */
const ratioText = (ratio: number | string): string => (typeof ratio === 'number' ? `× ${ratio}` : '')

function TemperatureField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const { t } = useTranslation()
  const id = useId()
  const { min, max, step } = temperatureRange
  return (
    <FormGroup label={t('play.temperature')} labelFor={id}>
      <div className="play-temperature">
        <Slider
          min={min}
          max={max}
          stepSize={step}
          labelRenderer={false}
          value={value}
          onChange={(next) => onChange(boundTemperature(next))}
          handleHtmlProps={{ 'aria-label': t('play.temperature') }}
        />
        <NumericInput
          id={id}
          min={min}
          max={max}
          stepSize={step}
          minorStepSize={null}
          clampValueOnBlur
          buttonPosition="none"
          value={value}
          onValueChange={(next) => Number.isFinite(next) && onChange(boundTemperature(next))}
        />
      </div>
    </FormGroup>
  )
}

const fine = Object.keys(fineRanges) as FineSetting[] // `fineRanges` has exactly these keys

/** Advanced settings in a collapsed section, which is open if any of them is set. */
function FineSettings({ settings, onChange }: Pick<SettingsPanelProps, 'settings' | 'onChange'>) {
  const { t } = useTranslation()
  const isSet = fine.some((setting) => settings[setting] !== fineRanges[setting].usual)
  const [isOpen, setOpen] = useState(isSet)
  return (
    <details className="play-fine" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('play.fine')}</summary>
      {fine.map((setting) => (
        <FineField
          key={setting}
          setting={setting}
          value={settings[setting]}
          onChange={(value) => onChange({ [setting]: value })}
        />
      ))}
    </details>
  )
}

type FineFieldProps = Readonly<{ setting: FineSetting; value: number; onChange: (value: number) => void }>

function FineField({ setting, value, onChange }: FineFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const { min, max, step } = fineRanges[setting]
  return (
    <FormGroup label={t(`play.${setting}`)} labelFor={id} helperText={t(`play.${setting}Hint`)}>
      <NumericInput
        id={id}
        fill
        min={min}
        max={max}
        stepSize={step}
        minorStepSize={null}
        clampValueOnBlur
        buttonPosition="none"
        value={value}
        onValueChange={(next) => Number.isFinite(next) && onChange(boundFine(setting, next))}
      />
    </FormGroup>
  )
}
