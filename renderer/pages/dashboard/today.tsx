import { Card, Classes, H2 } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import type { DashboardLive, DashboardSummary } from '../../../shared/api/data.ts'
import type { Overview } from '../../../shared/api/overview.ts'
import { logType } from '../../../shared/enums.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatCount, groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'

type TodayProps = Readonly<{
  /** Whether the figures are those of one account, whose balance is shown. */
  isOfOne: boolean
  /** The selected user; empty for everyone. */
  username: string
  summary: DashboardSummary | undefined
  live: DashboardLive | undefined
  /** Replaces the figures of the summary while usage is not recorded by the hour. */
  unstored: Overview['usage'] | undefined
}>

/** Today compared with yesterday at this hour, the last minute, and how long the balance of one account lasts. */
export function Today({ isOfOne, username, summary, live, unstored }: TodayProps) {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const against = useComparison()
  const balance = useBalance(summary, unstored !== undefined)
  const today = unstored
    ? { count: unstored.requests, errors: unstored.errors, quota: unstored.quota, token_used: unstored.tokens }
    : summary?.today
  const yesterday = unstored ? undefined : summary?.yesterday
  const toYesterday = `/detail?${new URLSearchParams({ range: 'yesterday', ...(username && { user: username }) })}`
  const counted = (id: string, title: string, key: 'count' | 'errors' | 'token_used'): Figure => ({
    id,
    title,
    value: today && formatCount(today[key]),
    hint: today && groupDigits(today[key]),
    comparison: today && yesterday ? against(today[key], yesterday[key], formatCount) : '',
    isBad: key === 'errors' && (today?.errors ?? 0) > 0,
  })
  const errors = counted('errors', t('dash.errors'), 'errors')
  const toErrors = `/log?${new URLSearchParams({ type: String(logType.error), user: username && `=${username}` })}`
  const cost: Figure = {
    id: 'cost',
    title: t('label.cost'),
    value: today && amount(today.quota),
    hint: today && t('quota.exact', { n: groupDigits(today.quota) }),
    comparison:
      today && yesterday ? (
        <Link className="dash-yesterday" to={toYesterday} title={t('dash.openYesterday')}>
          {against(today.quota, yesterday.quota, amount)}
        </Link>
      ) : (
        ''
      ),
  }
  const figures = [
    counted('count', t('dash.requests'), 'count'),
    cost,
    errors.isBad ? { ...errors, value: <ErrorsLink to={toErrors} value={errors.value} /> } : errors,
    counted('tokens', t('dash.tokens'), 'token_used'),
    ...(isOfOne ? [balance] : []),
  ]
  const running = live?.running ?? null
  const minute = [
    t('dash.lastMinute', { n: live?.requests ?? 0 }),
    ...(running === null ? [] : [t('dash.running', { n: running })]),
  ]
  return (
    <section className="dash-section" aria-label={t('range.today')}>
      <div className="dash-head">
        <H2 className="dash-heading">{username ? `${t('range.today')} · ${username}` : t('range.today')}</H2>
        {live && <span className={`tabular ${Classes.TEXT_MUTED}`}>{minute.join(' · ')}</span>}
      </div>
      <Figures figures={figures} />
      {unstored?.is_partial && <p className={Classes.TEXT_MUTED}>{t('home.partial')}</p>}
    </section>
  )
}

/** Formats yesterday's value at this hour, and the difference in percent unless that value is 0. */
function useComparison(): (now: number, before: number, format: (value: number) => string) => string {
  const { t } = useTranslation()
  return (now, before, format) => {
    if (before === 0) return t('dash.yesterday', { value: format(before) })
    const change = Math.round(((now - before) / before) * 100)
    const percent = `${change > 0 ? '+' : ''}${change}%`
    return t('dash.against', { value: format(before), percent })
  }
}

function useBalance(summary: DashboardSummary | undefined, isUnknown: boolean): Figure {
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
    comparison: isUnknown ? '' : left(),
    isBad: days !== null && days !== undefined && days < FEW_DAYS,
  }
}

const MANY_DAYS = 1000
const FEW_DAYS = 3

/** The number of failures, which opens them in the log. */
function ErrorsLink({ to, value }: { to: string; value: ReactNode }) {
  const { t } = useTranslation()
  return (
    <Link to={to} title={t('dash.openErrors')} aria-label={`${t('dash.errors')}: ${value}`}>
      {value}
    </Link>
  )
}

/** A named figure; an undefined `value` is loading and takes the same space. */
type Figure = Readonly<{
  id: string
  title: string
  value: ReactNode | undefined
  hint?: string | undefined
  comparison?: ReactNode
  isBad?: boolean
}>

function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="dash-figures">
      {figures.map(({ id, title, value, hint, comparison, isBad }) => (
        <Card key={id} compact className="dash-figure">
          <dt className={Classes.TEXT_MUTED}>{title}</dt>
          <dd
            className={`tabular ${isBad ? 'dash-bad' : ''} ${value === undefined ? Classes.SKELETON : ''}`}
            title={hint}
          >
            {value ?? '0'}
          </dd>
          {comparison !== undefined && (
            <dd className={`dash-comparison tabular ${value === undefined ? Classes.SKELETON : Classes.TEXT_MUTED}`}>
              {value === undefined ? '0' : comparison}
            </dd>
          )}
        </Card>
      ))}
    </dl>
  )
}
