import { H2 } from '@blueprintjs/core'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatAverage, formatCount, groupDigits } from '../../components/count.tsx'
import { formatTime } from '../../components/date-time.ts'
import { useTranslation } from '../../translation.ts'
import { sum } from './buckets.ts'
import { type DashboardFilter, nameOf } from './dashboard-filter.ts'
import { Figures } from './figures.tsx'
import type { ShownRows } from './use-dashboard.ts'

const MINUTE_S = 60

export function RangeFigures({ shown, filter }: { shown: ShownRows | undefined; filter: DashboardFilter }) {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const quota = sum(shown?.rows.map((row) => row.quota) ?? [])
  const tokens = sum(shown?.rows.map((row) => row.token_used) ?? [])
  const count = sum(shown?.rows.map((row) => row.count) ?? [])
  const minutes = shown ? Math.max((shown.to - shown.from) / MINUTE_S, 1) : 1
  const average = (n: number) => formatAverage(n / minutes)
  const known = shown !== undefined
  const name = nameOf(filter)
  const between = shown ? t('dash.between', { from: shortTime(shown.from), to: shortTime(shown.to) }) : t('dash.range')
  const title = name ? t(`range.${name}`) : between
  return (
    <section className="dash-section" aria-label={t('dash.range')}>
      <H2 className="dash-heading tabular" title={between}>
        {filter.username ? `${title} · ${filter.username}` : title}
      </H2>
      <Figures
        figures={[
          {
            id: 'quota',
            title: t('label.cost'),
            value: known ? amount(quota) : undefined,
            hint: t('quota.exact', { n: groupDigits(quota) }),
          },
          {
            id: 'count',
            title: t('dash.requests'),
            value: known ? formatCount(count) : undefined,
            hint: groupDigits(count),
          },
          {
            id: 'tokens',
            title: t('dash.tokens'),
            value: known ? formatCount(tokens) : undefined,
            hint: groupDigits(tokens),
          },
          {
            id: 'rpm',
            title: t('dash.averageRpm'),
            value: known ? average(count) : undefined,
            hint: t('dash.rpmHint'),
          },
          {
            id: 'tpm',
            title: t('dash.averageTpm'),
            value: known ? average(tokens) : undefined,
            hint: t('dash.tpmHint'),
          },
        ]}
      />
    </section>
  )
}

const shortTime = (seconds: number): string => formatTime(seconds).slice(0, 'YYYY-MM-DD HH:mm'.length)
