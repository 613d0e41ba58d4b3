import { Button, Card, Classes, H2, SegmentedControl } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { formatQuota, groupMoney } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import { Legend } from '../../components/chart/legend.tsx'
import { coloursOf, REST } from '../../components/chart/model-colours.ts'
import { Ring } from '../../components/chart/ring.tsx'
import type { Series } from '../../components/chart/series.ts'
import { StackedBars } from '../../components/chart/stacked-bars.tsx'
import { formatAverage, formatCount } from '../../components/count.tsx'
import { formatTime } from '../../components/date-time.ts'
import { saveFile } from '../../components/save-file.ts'
import { useTranslation } from '../../translation.ts'
import { type Bucket, bucketsBetween, type Granularity, sum, type Usage, usageByModel } from './buckets.ts'
import { type DashboardFilter, nameOf, zoomed } from './dashboard-filter.ts'
import { bucketAddress, type ShownEntries } from './entries-address.ts'
import { HealthChart } from './health-chart.tsx'
import { csvOf } from './usage-csv.ts'
import { UsageTable } from './usage-table.tsx'
import type { ShownRows } from './use-dashboard.ts'

type DistributionProps = Readonly<{
  shown: ShownRows | undefined
  filter: DashboardFilter
  isAdmin: boolean
  everyMs: number
  entries: ShownEntries
  onFilter: (filter: DashboardFilter) => void
}>

const views = ['cost', 'requests', 'failures', 'latency', 'table'] as const
type View = (typeof views)[number]

const MAX_SERIES = 20

/**
 * Usage in the range: cost over time and share of requests by model, both as a table, failures, and for all users
 * together the durations.
 */
export function Distribution({ shown, filter, isAdmin, everyMs, entries, onFilter }: DistributionProps) {
  const { t } = useTranslation()
  const { by, username } = filter
  const name = nameOf(filter)
  const between = shown ? t('dash.between', { from: shortTime(shown.from), to: shortTime(shown.to) }) : t('dash.range')
  const offered = views.filter((one) => one !== 'latency' || (isAdmin && username === '' && by !== 'minute'))
  const [search, setSearch] = useSearchParams()
  const view = offered.find((one) => one === search.get('view')) ?? 'cost'
  const setView = (next: string) => setSearch(withView(search, next), { replace: true })
  const { buckets, usage } = useMemo(() => usageOf(shown, by), [shown, by])
  const zoom = (first: number, last: number) => {
    const [from, to] = [buckets[first], buckets[last]]
    if (from && to) onFilter(zoomed(filter, from.at, to.at))
  }
  return (
    <section className="dash-section" aria-label={t('dash.byModel')}>
      <div className="dash-head">
        <H2 className="dash-heading tabular" title={between}>
          {name ? t(`range.${name}`) : between} <Totals shown={shown} />
        </H2>
        <SegmentedControl
          size="small"
          aria-label={t('dash.view')}
          value={view}
          onValueChange={setView}
          options={offered.map((value) => ({ value, label: t(`dash.view.${value}`) }))}
        />
        <Button
          size="small"
          icon={<Download />}
          text={t('dash.export')}
          disabled={usage.length === 0}
          onClick={() => shown && saveCsv(shown, username)}
        />
      </div>
      <Card className="dash-chart">
        {shown ? (
          <Shown
            view={view}
            buckets={buckets}
            usage={usage}
            entries={entries}
            {...{ filter, isAdmin, everyMs, zoom }}
          />
        ) : (
          <div className={`dash-chart-waiting ${Classes.SKELETON}`} />
        )}
      </Card>
    </section>
  )
}

/** The view is in the address, but not in the filter: changing it loads nothing again. */
function withView(search: URLSearchParams, view: string): URLSearchParams {
  const next = new URLSearchParams(search)
  if (view === 'cost') next.delete('view')
  else next.set('view', view)
  return next
}

type ShownProps = Omit<DistributionProps, 'shown' | 'onFilter'> &
  Readonly<{
    view: View
    buckets: readonly Bucket[]
    usage: readonly Usage[]
    zoom: (first: number, last: number) => void
  }>

function Shown({ view, buckets, usage, filter, isAdmin, everyMs, entries, zoom }: ShownProps) {
  const { t } = useTranslation()
  if (view === 'table') return <UsageTable buckets={buckets} usage={usage} />
  if (view === 'cost') return <Cost by={filter.by} {...{ buckets, usage, entries, zoom }} />
  if (view !== 'requests') return <HealthChart {...{ view, filter, isAdmin, everyMs, buckets, entries, zoom }} />
  const colours = coloursOf(usage.map(({ name }) => name))
  const counted = usage.map(({ name, count }) => ({ name, colour: colours.get(name) ?? REST, value: sum(count) }))
  const own = counted.slice(0, MAX_SERIES).sort((a, b) => b.value - a.value)
  const rest = counted.slice(MAX_SERIES)
  const others = {
    name: t('dash.others', { n: rest.length }),
    colour: REST,
    value: sum(rest.map(({ value }) => value)),
  }
  const shares = rest.length === 0 ? own : [...own, others]
  const label = t('dash.requestsByModel')
  return <Ring label={label} shares={shares} format={formatCount} unit={t('dash.requests')} />
}

/** The cost over time as stacked bars, which open their log entries; the legend selects a model. */
function Cost({
  buckets,
  usage,
  by,
  entries,
  zoom,
}: Pick<ShownProps, 'buckets' | 'usage' | 'entries' | 'zoom'> & Readonly<{ by: Granularity }>) {
  const { t } = useTranslation()
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  const [chosen, setChosen] = useState<string>()
  const others = t('dash.others', { n: Math.max(usage.length - MAX_SERIES, 0) })
  const series = useMemo(() => seriesOf(usage, others), [usage, others])
  const only = series.filter(({ name }) => name === chosen)
  const shown = only.length > 0 ? only : series
  const money = (digits: number) => (quota: number) =>
    groupMoney(formatQuota(quota, { inCurrency, quotaPerUnit }, digits))
  const quota = sum(shown.flatMap(({ values }) => values))
  const total = money(4)(quota)
  const isSmall = quota < quotaPerUnit
  const navigate = useNavigate()
  const open = (index: number, part: string | undefined) => {
    const bucket = buckets[index]
    const model = usage.find(({ name }) => name === (part ?? only[0]?.name))?.name ?? ''
    if (bucket) void navigate(bucketAddress(bucket, { by, model }, entries))
  }
  const label = t(`dash.costBy.${by}`)
  return (
    <>
      <p className={`dash-chart-title tabular ${Classes.TEXT_MUTED}`}>{`${label} · ${t('label.total')} ${total}`}</p>
      <StackedBars
        label={label}
        titles={buckets.map((one) => one.label)}
        series={shown}
        format={money(4)}
        formatTick={money(isSmall ? 4 : 2)}
        nothing={t('dash.noData')}
        hint={t('dash.openEntries')}
        onOpen={open}
        onZoom={zoom}
      />
      {series.length > 0 ? (
        <Legend label={t('dash.models')} series={series} chosen={only[0]?.name} onChoose={setChosen} />
      ) : (
        <p className={Classes.TEXT_MUTED}>{t('dash.noData')}</p>
      )}
    </>
  )
}

/** Requests and tokens of the range, and their average rates. */
function Totals({ shown }: { shown: ShownRows | undefined }) {
  const { t } = useTranslation()
  if (!shown) return <small className="dash-totals">&nbsp;</small>
  const count = sum(shown.rows.map((row) => row.count))
  const tokens = sum(shown.rows.map((row) => row.token_used))
  const minutes = Math.max((shown.to - shown.from) / MINUTE_S, 1)
  const [rpm, tpm] = [count, tokens].map((n) => formatAverage(n / minutes))
  return (
    <small className={`dash-totals ${Classes.TEXT_MUTED}`}>
      {t('dash.totals', { count: formatCount(count), tokens: formatCount(tokens), rpm, tpm })}
    </small>
  )
}

const MINUTE_S = 60
const shortTime = (seconds: number): string => formatTime(seconds).slice(0, 'YYYY-MM-DD HH:mm'.length)

function usageOf(shown: ShownRows | undefined, by: Granularity) {
  if (!shown) return { buckets: [], usage: [] }
  const buckets = bucketsBetween(shown.from, shown.to, by)
  return { buckets, usage: usageByModel(shown.rows, buckets, by) }
}

function seriesOf(usage: readonly Usage[], others: string): readonly Series[] {
  const colours = coloursOf(usage.map(({ name }) => name))
  const own = usage
    .slice(0, MAX_SERIES)
    .map(({ name, quota }) => ({ name, colour: colours.get(name) ?? REST, values: quota }))
  const rest = usage.slice(MAX_SERIES)
  const first = rest[0]
  if (!first) return own
  const values = first.quota.map((_, index) => sum(rest.map(({ quota }) => quota[index] ?? 0)))
  return [...own, { name: others, colour: REST, values }]
}

function saveCsv({ rows, from }: ShownRows, username: string): void {
  const day = new Date(from * 1000).toISOString().slice(0, 10)
  saveFile(csvOf(rows), `usage-${username ? `${username}-` : ''}${day}.csv`, 'text/csv')
}
