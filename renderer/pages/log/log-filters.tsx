import './log-filters.css'
import { Button, HTMLSelect } from '@blueprintjs/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { logType, logTypeLabel } from '../../../shared/enums.ts'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { defaultFilter, type LogFilter } from './log-filter.ts'
import { SuggestingField } from './suggesting-field.tsx'
import { TimeRange } from './time-range.tsx'
import { type KnownValues, useKnownValues } from './use-known-values.ts'

type LogFiltersProps = Readonly<{
  filter: LogFilter
  isAdmin: boolean
  onQuery: (filter: LogFilter) => void
}>

/** Kinds as docs/reference/logs.md#rows lists them; 0 is all. */
const kinds = [0, ...Object.values(logType)]

/** The filters of the usage log (docs/reference/screens.md#usage-log); nothing is asked until Query. */
export function LogFilters({ filter, isAdmin, onQuery }: LogFiltersProps) {
  const { t } = useTranslation()
  const [typed, type] = useState(filter)
  const [isWanted, want] = useState(false)
  const known = useKnownValues(isWanted, isAdmin)
  const set = (change: Partial<LogFilter>) => type({ ...typed, ...change })
  const texts = { typed, known, set, onFocus: () => want(true) }
  const reset = () => {
    const fresh = defaultFilter()
    type(fresh)
    onQuery(fresh)
  }
  return (
    <FilterBar onQuery={() => onQuery(trimmed(typed))}>
      <HTMLSelect
        aria-label={t('label.type')}
        value={typed.type}
        onChange={(event) => set({ type: Number(event.currentTarget.value) })}
        options={kinds.map((value) => ({ value, label: t(logTypeLabel(value)) }))}
      />
      <TimeRange start={typed.start} end={typed.end} onChange={set} />
      <Texts {...texts} />
      {isAdmin && <AdminTexts {...texts} />}
      <Button variant="minimal" text={t('label.reset')} onClick={reset} />
    </FilterBar>
  )
}

type TextsProps = Readonly<{
  typed: LogFilter
  known: KnownValues
  set: (change: Partial<LogFilter>) => void
  onFocus: () => void
}>

function Texts({ typed, known, set, onFocus }: TextsProps) {
  const { t } = useTranslation()
  return (['token', 'model', 'group'] as const).map((name) => (
    <SuggestingField
      key={name}
      label={t(`label.${name}`)}
      value={typed[name]}
      onValue={(value) => set({ [name]: value })}
      known={known[`${name}s`]}
      onFocus={onFocus}
    />
  ))
}

/** What only administrators may ask for; the id of a channel is suggested under its name. */
function AdminTexts({ typed, known, set, onFocus }: TextsProps) {
  const { t } = useTranslation()
  const { channel, username } = typed
  return (
    <>
      <SuggestingField
        label={t('log.channelId')}
        inputMode="numeric"
        value={channel === 0 ? '' : String(channel)}
        onValue={(digits) => set({ channel: Number(digits.replace(/\D/g, '').slice(0, 15)) })}
        known={known.channels}
        onFocus={onFocus}
      />
      <SuggestingField label={t('log.username')} value={username} onValue={(text) => set({ username: text })} />
    </>
  )
}

const trimmed = (filter: LogFilter): LogFilter => ({
  ...filter,
  token: filter.token.trim(),
  model: filter.model.trim(),
  group: filter.group.trim(),
  username: filter.username.trim(),
})
