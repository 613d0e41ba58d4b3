import { Classes } from '@blueprintjs/core'
import { useNavigate } from 'react-router-dom'
import type { HourHealth } from '../../../shared/api/data.ts'
import { logType } from '../../../shared/enums.ts'
import { StackedBars } from '../../components/chart/stacked-bars.tsx'
import { formatCount } from '../../components/count.tsx'
import { useDuration } from '../../components/use-duration.ts'
import { useTranslation } from '../../translation.ts'
import { type Bucket, type Granularity, startOf, sum } from './buckets.ts'
import type { DashboardFilter } from './dashboard-filter.ts'
import { bucketAddress, type ShownEntries } from './entries-address.ts'
import { useHealth } from './use-dashboard.ts'

type HealthView = 'failures' | 'latency'

type HealthChartProps = Readonly<{
  view: HealthView
  filter: DashboardFilter
  isAdmin: boolean
  everyMs: number
  buckets: readonly Bucket[]
  entries: ShownEntries
  zoom: (first: number, last: number) => void
}>

/** Colours of the palette: red for failures, grey for charged requests, blue for durations. */
const FAILED = 13
const CHARGED = 20
const SLOWEST = 0

/** Failures and charged requests, or the 95th percentile of the time the requests took; a bar opens its log entries. */
export function HealthChart({ view, filter, isAdmin, everyMs, buckets, entries, zoom }: HealthChartProps) {
  const { t } = useTranslation()
  const duration = useDuration()
  const navigate = useNavigate()
  const { data } = useHealth(filter, isAdmin, everyMs)
  const { by } = filter
  const { charged, failed, slowest } = healthByBucket(data ?? [], buckets, by)
  const open = (index: number, part: string | undefined) => {
    const bucket = buckets[index]
    if (!bucket) return
    const type = part === t('dash.failed') ? logType.error : logType.consume
    void navigate(bucketAddress(bucket, { by, model: '', type }, entries))
  }
  const isLatency = view === 'latency'
  const all = sum(charged) + sum(failed)
  const share = all === 0 ? '0' : ((100 * sum(failed)) / all).toFixed(1)
  const label = isLatency
    ? t(by === 'hour' ? 'dash.slowest' : 'dash.slowestHour')
    : t('dash.failuresOf', { n: formatCount(sum(failed)), total: formatCount(all), share })
  const series = isLatency
    ? [{ name: t('dash.slowest'), colour: SLOWEST, values: slowest }]
    : [
        { name: t('dash.failed'), colour: FAILED, values: failed },
        { name: t('dash.charged'), colour: CHARGED, values: charged },
      ]
  const format = isLatency ? duration : formatCount
  return (
    <>
      <p className={`dash-chart-title tabular ${Classes.TEXT_MUTED}`}>{label}</p>
      <StackedBars
        label={label}
        titles={buckets.map((one) => one.label)}
        series={series}
        format={format}
        formatTick={format}
        nothing={t('dash.noData')}
        hint={t('dash.openEntries')}
        onOpen={open}
        onZoom={zoom}
      />
    </>
  )
}

/** Sums of the hours of each bucket; of the 95th percentiles, the highest. */
function healthByBucket(hours: readonly HourHealth[], buckets: readonly Bucket[], by: Granularity) {
  const indices = new Map(buckets.map(({ at }, index) => [at, index]))
  const zeros = () => new Array<number>(buckets.length).fill(0)
  const [charged, failed, slowest] = [zeros(), zeros(), zeros()]
  for (const { created_at, count, errors, p95 } of hours) {
    const index = indices.get(startOf(created_at, by))
    if (index === undefined) continue
    charged[index] = (charged[index] ?? 0) + count
    failed[index] = (failed[index] ?? 0) + errors
    slowest[index] = Math.max(slowest[index] ?? 0, p95 ?? 0)
  }
  return { charged, failed, slowest }
}
