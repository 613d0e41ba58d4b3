import './dashboard.css'
import { Callout, Card, Classes } from '@blueprintjs/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type Overview, overview } from '../../../shared/api/overview.ts'
import { role } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { useAddress } from '../../api/use-address.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { OperatorNotice } from '../../components/operator-notice/operator-notice.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { useTranslation } from '../../translation.ts'
import { ChannelStates } from './channel-states.tsx'
import { addressOf, type DashboardFilter, granularityIn, hoursOf, readFilter } from './dashboard-filter.ts'
import { DashboardFilters } from './dashboard-filters.tsx'
import { Dearest } from './dearest.tsx'
import { Distribution } from './distribution.tsx'
import type { ShownEntries } from './entries-address.ts'
import { Latency } from './latency.tsx'
import { NextSteps } from './next-steps.tsx'
import { Today } from './today.tsx'
import { everyOf, useLive, useRows, useSummary } from './use-dashboard.ts'

/**
 * Milliseconds between two reads of the overview. Without recorded usage, today's figures come from the overview, so it
 * is read as often as the summary would be.
 */
const overviewMs = { stored: 120_000, alone: 30_000 } as const

/**
 * The start page of signed-in users: next steps, today's usage, problems, then usage over time
 * (docs/reference/dashboard.md).
 */
export default function DashboardPage() {
  const { t } = useTranslation()
  const { enable_data_export: isStored, self_use_mode_enabled: isSelfUse } = useStatus()
  const isAdmin = (useUser()?.role ?? role.visitor) >= role.admin
  const [filter, show] = useFilter()
  const overview = useOverview(isStored ? overviewMs.stored : overviewMs.alone)
  const summary = useSummary(filter, isAdmin)
  const rows = useRows(filter, isAdmin, isStored && everyOf(summary.data, filter))
  const live = useLive(filter.username, isAdmin)
  const failure = [overview, summary, rows].find(isMissing)
  const refresh = () => void Promise.all([overview, summary, rows, live].map(({ refetch }) => refetch()))
  const query = (next: DashboardFilter) => {
    show(next)
    // Querying again reloads the data.
    refresh()
  }
  const shown = shownOf(filter, summary.dataUpdatedAt, isAdmin)
  // The height of the next steps and of today's figures is unknown until their data has loaded.
  const isReady = [overview, live].every(({ isPending }) => !isPending)
  return (
    <PageFrame isWide title={t('label.dashboard')} action={<Address />}>
      {failure?.error && (
        <Card>
          <FailedState message={failure.error.message} onRetry={refresh} />
        </Card>
      )}
      {!isReady && <div className={`dash-waiting ${Classes.SKELETON}`} role="status" aria-label={t('state.loading')} />}
      {isReady && (
        <>
          {overview.data && <NextSteps overview={overview.data} />}
          {!isMissing(summary) && (
            <Today
              isOfOne={!isAdmin || isSelfUse || filter.username !== ''}
              username={filter.username}
              summary={summary.data}
              live={live.data}
              unstored={isStored ? undefined : overview.data?.usage}
            />
          )}
          {live.data?.channels && <ChannelStates channels={live.data.channels} at={live.dataUpdatedAt} />}
          {!isStored && <Callout intent="primary">{t(isAdmin ? 'dash.offAdmin' : 'dash.off')}</Callout>}
          {isStored && (
            <>
              <DashboardFilters filter={filter} isAdmin={isAdmin} onQuery={query} />
              {!isMissing(rows) && (
                <Distribution
                  shown={rows.data}
                  everyMs={everyOf(summary.data, filter)}
                  onFilter={query}
                  {...{ filter, isAdmin, entries: shown }}
                />
              )}
              {/* Rankings and durations exist only for whole hours. */}
              {!isMissing(summary) && filter.by !== 'minute' && (
                <div className="dash-halves">
                  <Dearest summary={summary.data} shown={shown} isAdmin={isAdmin} />
                  <Latency summary={summary.data} />
                </div>
              )}
            </>
          )}
        </>
      )}
      <OperatorNotice />
    </PageFrame>
  )
}

function Address() {
  const { t } = useTranslation()
  return (
    <span className={Classes.TEXT_MUTED}>
      <span className="dash-address">{t('home.address')} </span>
      <CopyValue value={useAddress()} label={t('home.copyAddress')} />
    </span>
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
      const view = search.get('view')
      if (view !== null) address.set('view', view)
      // Adds no history entry if nothing changes.
      if (address.toString() !== search.toString()) setSearch(address)
    },
    [search, setSearch, usual],
  )
  return [filter, show]
}

/** The overview since local midnight. */
const useOverview = (everyMs: number): UseQueryResult<Overview> =>
  usePolled({
    queryKey: [areaOf(overview.read), overview.read.path],
    read: (manner) => send(overview.read, { query: { since: midnight() } }, manner),
    everyMs,
  })

/** The start of the local day, in unix seconds. */
const midnight = (): number => Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
