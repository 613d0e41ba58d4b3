import './log-filters.css'
import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { logType, logTypeLabel } from '../../../shared/enums.ts'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { defaultFilter, type LogFilter } from './log-filter.ts'
import { TimeRange } from './time-range.tsx'

type LogFiltersProps = Readonly<{
  filter: LogFilter
  isAdmin: boolean
  onQuery: (filter: LogFilter) => void
}>

/** Kinds as the specification lists them; 0 is all. */
const kinds = [0, ...Object.values(logType)]

/** The filters of the usage log (specification 3 §2); nothing is asked until Query. */
export function LogFilters({ filter, isAdmin, onQuery }: LogFiltersProps) {
  const { t } = useTranslation()
  const [typed, type] = useState(filter)
  const set = (change: Partial<LogFilter>) => type({ ...typed, ...change })
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
      <Text label={t('label.token')} value={typed.token} onValue={(token) => set({ token })} />
      <Text label={t('label.model')} value={typed.model} onValue={(model) => set({ model })} />
      <Text label={t('label.group')} value={typed.group} onValue={(group) => set({ group })} />
      {isAdmin && (
        <>
          <InputGroup
            className="log-filters-text"
            inputMode="numeric"
            placeholder={t('log.channelId')}
            aria-label={t('log.channelId')}
            value={typed.channel === 0 ? '' : String(typed.channel)}
            onValueChange={(digits) => set({ channel: Number(digits.replace(/\D/g, '').slice(0, 15)) })}
          />
          <Text label={t('log.username')} value={typed.username} onValue={(username) => set({ username })} />
        </>
      )}
      <Button variant="minimal" text={t('label.reset')} onClick={reset} />
    </FilterBar>
  )
}

function Text({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  return (
    <InputGroup
      className="log-filters-text"
      placeholder={label}
      aria-label={label}
      value={value}
      onValueChange={onValue}
    />
  )
}

const trimmed = (filter: LogFilter): LogFilter => ({
  ...filter,
  token: filter.token.trim(),
  model: filter.model.trim(),
  group: filter.group.trim(),
  username: filter.username.trim(),
})
