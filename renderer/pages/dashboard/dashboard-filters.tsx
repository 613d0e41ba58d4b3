import { Button, InputGroup } from '@blueprintjs/core'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { useTyped } from '../../components/filter-bar/use-typed.ts'
import { Select } from '../../components/select.tsx'
import { TimeRange } from '../../components/time-range/time-range.tsx'
import { useTranslation } from '../../translation.ts'
import { granularities } from './buckets.ts'
import {
  type DashboardFilter,
  fitting,
  granularityIn,
  nameOf,
  nowSeconds,
  rangeOf,
  withGranularity,
} from './dashboard-filter.ts'

type DashboardFiltersProps = Readonly<{
  filter: DashboardFilter
  isAdmin: boolean
  onQuery: (filter: DashboardFilter) => void
}>

/** The dashboard's filters (docs/reference/dashboard.md#range). */
export function DashboardFilters({ filter, isAdmin, onQuery }: DashboardFiltersProps) {
  const { t } = useTranslation()
  const { typed, type } = useTyped(filter)
  const now = nowSeconds()
  const { from, to } = rangeOf(typed, now)
  return (
    <FilterBar onQuery={() => onQuery({ ...typed, username: typed.username.trim() })}>
      <TimeRange
        start={from}
        end={typed.end ?? (typed.range === 'yesterday' ? to : undefined)}
        name={nameOf(typed)}
        onChange={({ name, start, end }) =>
          type(fitting({ ...typed, range: name, start: name ? undefined : start, end: name ? undefined : end }, now))
        }
      />
      <Select
        aria-label={t('label.granularity')}
        value={typed.by}
        onChange={(event) => type(withGranularity(typed, granularityIn(event.currentTarget.value) ?? typed.by))}
        options={granularities.map((value) => ({ value, label: t(`label.${value}`) }))}
      />
      {isAdmin && (
        <InputGroup
          placeholder={t('dash.username')}
          aria-label={t('dash.username')}
          value={typed.username}
          onValueChange={(username) => type({ ...typed, username })}
        />
      )}
      <Button
        variant="minimal"
        text={t('label.reset')}
        data-applies
        onClick={() => type({ ...filter, range: undefined, start: undefined, end: undefined, username: '' })}
      />
    </FilterBar>
  )
}
