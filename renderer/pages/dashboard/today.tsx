import { H2 } from '@blueprintjs/core'
import type { DashboardLive, DashboardSummary } from '../../../shared/api/data.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatCount, groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'
import { type Figure, Figures } from './figures.tsx'

type TodayProps = Readonly<{
  /** Whether the figures are those of one account, whose balance is shown. */
  isOfOne: boolean
  summary: DashboardSummary | undefined
  /** Missing figures are omitted. */
  live: Readonly<{ data: DashboardLive | undefined; isError: boolean }>
}>

const MINUTE_S = 60

/** Today compared with yesterday at this hour, the current rate, and how long the balance of one account lasts. */
export function Today({ isOfOne, summary, live }: TodayProps) {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const against = useComparison()
  const balance = useBalance(summary)
  const { today, yesterday } = summary ?? {}
  const counted = (id: string, title: string, key: 'count' | 'errors' | 'token_used'): Figure => ({
    id,
    title,
    value: today && formatCount(today[key]),
    hint: today && groupDigits(today[key]),
    comparison: today && yesterday ? against(today[key], yesterday[key], formatCount) : '',
    isBad: key === 'errors' && (today?.errors ?? 0) > 0,
  })
  const cost: Figure = {
    id: 'cost',
    title: t('label.cost'),
    value: today && amount(today.quota),
    hint: today && t('quota.exact', { n: groupDigits(today.quota) }),
    comparison: today && yesterday ? against(today.quota, yesterday.quota, amount) : '',
  }
  const figures = [
    counted('count', t('dash.requests'), 'count'),
    cost,
    counted('errors', t('dash.errors'), 'errors'),
    counted('tokens', t('dash.tokens'), 'token_used'),
    useCurrentLoad(live),
    ...(isOfOne ? [balance] : []),
  ]
  return (
    <section className="dash-section" aria-label={t('range.today')}>
      <H2 className="dash-heading">{t('range.today')}</H2>
      <Figures figures={figures} />
    </section>
  )
}

/** Yesterday's value at this hour, and the difference in percent. */
function useComparison(): (now: number, before: number, format: (value: number) => string) => string {
  const { t } = useTranslation()
  return (now, before, format) => {
    if (before === 0) return t('dash.yesterday', { value: format(before) })
    const change = Math.round(((now - before) / before) * 100)
    const percent = `${change > 0 ? '+' : ''}${change}%`
    return t('dash.against', { value: format(before), percent })
  }
}

/** The last minute's rate, updated every five seconds. */
function useCurrentLoad({ data: live, isError }: TodayProps['live']): Figure {
  const { t } = useTranslation()
  const running = live?.running ?? null
  const missing = isError ? '—' : undefined
  return {
    id: 'busy',
    title: t('dash.perSecond'),
    value: live ? (live.requests / MINUTE_S).toFixed(2) : missing,
    hint: t('dash.perSecondHint'),
    comparison: running === null ? t('dash.lastMinute', { n: live?.requests ?? 0 }) : t('dash.running', { n: running }),
  }
}

function useBalance(summary: DashboardSummary | undefined): Figure {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const account = summary?.account
  const days = account?.days_left
  const left = () => {
    if (!account || days === null || days === undefined) return t('dash.daysUnknown')
    return days >= MANY_DAYS ? t('dash.daysMany') : t('dash.daysLeft', { n: days })
  }
  return {
    id: 'balance',
    title: t('label.currentBalance'),
    value: summary && (account ? amount(account.quota) : '—'),
    hint: account ? t('quota.exact', { n: groupDigits(account.quota) }) : undefined,
    comparison: left(),
    isBad: days !== null && days !== undefined && days < FEW_DAYS,
  }
}

const MANY_DAYS = 1000
const FEW_DAYS = 3
