import { Button, InputGroup } from '@blueprintjs/core'
import { useState } from 'react'
import { formatTime, parseTime } from '../../components/date-time.ts'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { Select } from '../../components/select.tsx'
import { useTranslation } from '../../translation.ts'
import { granularities } from './buckets.ts'
import { type DashboardFilter, granularityIn, nowSeconds, rangeOf } from './dashboard-filter.ts'

type DashboardFiltersProps = Readonly<{
  filter: DashboardFilter
  isAdmin: boolean
  onQuery: (filter: DashboardFilter) => void
}>

/** The dashboard's filters (docs/reference/dashboard.md#range); applied on submit. */
export function DashboardFilters({ filter, isAdmin, onQuery }: DashboardFiltersProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState({ of: filter, typed: filter })
  const current = draft.of === filter ? draft : { of: filter, typed: filter }
  if (current !== draft) setDraft(current)
  const { typed } = current
  const set = (change: Partial<DashboardFilter>) => setDraft({ of: filter, typed: { ...typed, ...change } })
  const { from, to } = rangeOf(typed, nowSeconds())
  const reset = { start: undefined, end: undefined, username: '' }
  return (
    <FilterBar onQuery={() => onQuery({ ...typed, username: typed.username.trim() })}>
      <Moment label={t('label.start')} value={from} onValue={(start) => set({ start })} />
      <Moment label={t('label.end')} value={to} onValue={(end) => set({ end })} />
      <Select
        aria-label={t('label.granularity')}
        value={typed.by}
        onChange={(event) => set({ by: granularityIn(event.currentTarget.value) ?? typed.by })}
        options={granularities.map((value) => ({ value, label: t(`label.${value}`) }))}
      />
      {isAdmin && (
        <InputGroup
          placeholder={t('dash.username')}
          aria-label={t('dash.username')}
          value={typed.username}
          onValueChange={(username) => set({ username })}
        />
      )}
      <Button variant="minimal" text={t('label.reset')} onClick={() => onQuery({ ...typed, ...reset })} />
    </FilterBar>
  )
}

/** Length of a time to the minute. */
const MINUTES = 'YYYY-MM-DDTHH:mm'.length

type MomentProps = Readonly<{ label: string; value: number; onValue: (value: number | undefined) => void }>

/** The browser's own picker; clearing it restores the default end. */
function Moment({ label, value, onValue }: MomentProps) {
  return (
    <InputGroup
      type="datetime-local"
      aria-label={label}
      title={label}
      value={formatTime(value).replace(' ', 'T').slice(0, MINUTES)}
      onValueChange={(text) => onValue(parseTime(text))}
    />
  )
}
