import { Button, InputGroup } from '@blueprintjs/core'
import { useState } from 'react'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { Select } from '../../components/select.tsx'
import { rangeNames } from '../../components/time-range/named-ranges.ts'
import { TimeRange } from '../../components/time-range/time-range.tsx'
import { useTranslation } from '../../translation.ts'
import { granularities } from './buckets.ts'
import { type DashboardFilter, granularityIn, nameOf, nowSeconds, rangeOf } from './dashboard-filter.ts'

type DashboardFiltersProps = Readonly<{
  filter: DashboardFilter
  isAdmin: boolean
  onQuery: (filter: DashboardFilter) => void
}>

/** Usage is counted by the hour. */
const ranges = rangeNames.filter((name) => name !== 'hour')

/** The dashboard's filters (docs/reference/dashboard.md#range); they apply at once, the user name on Enter or blur. */
export function DashboardFilters({ filter, isAdmin, onQuery }: DashboardFiltersProps) {
  const { t } = useTranslation()
  const { from, to } = rangeOf(filter, nowSeconds())
  const [draft, setDraft] = useState({ of: filter, username: filter.username })
  const username = draft.of === filter ? draft.username : filter.username
  const query = (change: Partial<DashboardFilter>) => onQuery({ ...filter, username: username.trim(), ...change })
  return (
    <FilterBar onQuery={() => query({})} isInstant>
      <TimeRange
        start={from}
        end={filter.end ?? (filter.range === 'yesterday' ? to : undefined)}
        name={nameOf(filter)}
        names={ranges}
        onChange={({ name, start, end }) =>
          query(name ? { range: name, start: undefined, end: undefined } : { range: undefined, start, end })
        }
      />
      <Select
        aria-label={t('label.granularity')}
        value={filter.by}
        onChange={(event) => query({ by: granularityIn(event.currentTarget.value) ?? filter.by })}
        options={granularities.map((value) => ({ value, label: t(`label.${value}`) }))}
      />
      {isAdmin && (
        <InputGroup
          placeholder={t('dash.username')}
          aria-label={t('dash.username')}
          value={username}
          onValueChange={(text) => setDraft({ of: filter, username: text })}
          onBlur={() => username.trim() !== filter.username && query({})}
        />
      )}
      <Button
        variant="minimal"
        text={t('label.reset')}
        onClick={() => onQuery({ ...filter, range: undefined, start: undefined, end: undefined, username: '' })}
      />
    </FilterBar>
  )
}
