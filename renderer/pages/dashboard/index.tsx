import './dashboard.css'
import { Callout, Card } from '@blueprintjs/core'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { useTranslation } from '../../translation.ts'
import { ChannelStates } from './channel-states.tsx'
import { addressOf, type DashboardFilter, granularityIn, hoursOf, readFilter } from './dashboard-filter.ts'
import { DashboardFilters } from './dashboard-filters.tsx'
import { Dearest, type ShownEntries } from './dearest.tsx'
import { Distribution } from './distribution.tsx'
import { Latency } from './latency.tsx'
import { hasNothing, NothingYet } from './nothing-yet.tsx'
import { RangeFigures } from './range-figures.tsx'
import { Today } from './today.tsx'
import { everyOf, useLive, useRows, useSummary } from './use-dashboard.ts'

/** Status and cost: one's own, or everyone's for administrators (docs/reference/dashboard.md). */
export default function DashboardPage() {
  const { t } = useTranslation()
  const { enable_data_export: isStored, self_use_mode_enabled: isSelfUse } = useStatus()
  const isAdmin = (useUser()?.role ?? role.visitor) >= role.admin
  const [filter, show] = useFilter()
  const summary = useSummary(filter, isAdmin)
  const rows = useRows(filter, isAdmin, everyOf(summary.data))
  const live = useLive(filter.username, isAdmin)
  const isEmpty = hasNothing(summary.data, rows.data, live.data, filter)
  const failure = [summary, rows].find(isMissing)
  const refresh = () => void Promise.all([summary.refetch(), rows.refetch(), live.refetch()])
  const query = (next: DashboardFilter) => {
    show(next)
    // Querying again reloads the data.
    refresh()
  }
  return (
    <PageFrame
      isWide
      title={t('label.dashboard')}
      filters={!isEmpty && <DashboardFilters filter={filter} isAdmin={isAdmin} onQuery={query} />}
    >
      {!isStored && <Callout intent="primary">{t(isAdmin ? 'dash.offAdmin' : 'dash.off')}</Callout>}
      {isEmpty ? (
        <NothingYet isAdmin={isAdmin} channels={live.data?.channels ?? null} />
      ) : (
        <>
          {failure?.error && (
            <Card>
              <FailedState message={failure.error.message} onRetry={refresh} />
            </Card>
          )}
          {!isMissing(summary) && (
            <Today isOfOne={!isAdmin || isSelfUse || filter.username !== ''} summary={summary.data} live={live} />
          )}
          {isAdmin && (
            <div className="dash-halves">
              {!isMissing(live) && <ChannelStates live={live.data} at={live.dataUpdatedAt} />}
              {!isMissing(summary) && <Latency summary={summary.data} />}
            </div>
          )}
          {!isMissing(rows) && (
            <>
              <RangeFigures shown={rows.data} filter={filter} />
              <Distribution shown={rows.data} by={filter.by} username={filter.username} />
            </>
          )}
          {!isMissing(summary) && (
            <div className={isAdmin ? undefined : 'dash-halves'}>
              <Dearest
                summary={summary.data}
                shown={shownOf(filter, summary.dataUpdatedAt, isAdmin)}
                isAdmin={isAdmin}
              />
              {!isAdmin && <Latency summary={summary.data} />}
            </div>
          )}
        </>
      )}
    </PageFrame>
  )
}

/** The log entries that a summary was computed from. */
const shownOf = (filter: DashboardFilter, at: number, isAdmin: boolean): ShownEntries => ({
  ...hoursOf(filter, Math.floor(at / 1000)),
  username: isAdmin ? filter.username : undefined,
})

/** Whether loading failed and no earlier data can be shown. */
const isMissing = ({ data, error }: Readonly<{ data: unknown; error: Error | null }>): boolean =>
  data === undefined && error !== null

/** The filter is stored in the address, so that it works with history and links. */
function useFilter(): [DashboardFilter, (filter: DashboardFilter) => void] {
  const { data_export_default_time: option } = useStatus()
  const [search, setSearch] = useSearchParams()
  const usual = granularityIn(option) ?? 'hour'
  const filter = useMemo(() => readFilter(search, usual), [search, usual])
  const show = useCallback(
    (next: DashboardFilter) => {
      const address = addressOf(next, usual)
      // Not a history entry if nothing changes.
      if (address.toString() !== search.toString()) setSearch(address)
    },
    [search, setSearch, usual],
  )
  return [filter, show]
}
