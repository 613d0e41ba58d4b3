import { Card, Classes, H2, H3 } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { DashboardSummary, Ranked } from '../../../shared/api/data.ts'
import { logType } from '../../../shared/enums.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { Rank, type RankedItem } from '../../components/chart/rank.tsx'
import { groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'

/**
 * The log entries behind the summary: unix seconds, and whose; an undefined user is oneself, an empty one is
 * everyone.
 */
export type ShownEntries = Readonly<{ from: number; to: number | undefined; username: string | undefined }>

type DearestProps = Readonly<{ summary: DashboardSummary | undefined; shown: ShownEntries; isAdmin: boolean }>
type Kind = 'models' | 'tokens' | 'users'

/** The five most expensive models, tokens and users of the range, linked to their log entries. */
export function Dearest({ summary, shown, isAdmin }: DearestProps) {
  const { t } = useTranslation()
  const { models, tokens, users } = summary?.dearest ?? {}
  return (
    <section className="dash-section" aria-label={t('dash.dearest')}>
      <H2 className="dash-heading">{t('dash.dearest')}</H2>
      <Card className="dash-ranks">
        <Ranking kind="models" rows={models} shown={shown} />
        <Ranking kind="tokens" rows={tokens} shown={shown} />
        {isAdmin && users !== null && <Ranking kind="users" rows={users} shown={shown} />}
      </Card>
    </section>
  )
}

type RankingProps = Readonly<{ kind: Kind; rows: readonly Ranked[] | undefined; shown: ShownEntries }>

/** Reserves the height of five entries. */
function Ranking({ kind, rows, shown }: RankingProps) {
  const { t } = useTranslation()
  const item = useItem(kind, shown)
  const title = t(titles[kind])
  return (
    <div className="dash-rank">
      <H3 className="dash-rank-title">{title}</H3>
      {!rows && <div className={`dash-rank-waiting ${Classes.SKELETON}`} />}
      {rows?.length === 0 && <p className={Classes.TEXT_MUTED}>{t('dash.noData')}</p>}
      {rows && rows.length > 0 && <Rank label={title} items={rows.map(item)} />}
    </div>
  )
}

function useItem(kind: Kind, shown: ShownEntries): (row: Ranked) => RankedItem {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const field = fields[kind]
  const user = (own: string | undefined) => (shown.username === undefined ? '' : exactName(own ?? shown.username))
  return ({ id, name, username, quota }) => ({
    id: `${id} ${name}`,
    name: name ? (
      <Link to={logAddress({ user: user(username), [field]: exactName(name) }, shown)} title={name}>
        {name}
      </Link>
    ) : (
      t('dash.gone', { id })
    ),
    value: quota,
    text: amount(quota),
    title: t('quota.exact', { n: groupDigits(quota) }),
  })
}

/** Exact match in the log's filter; an empty name does not filter. */
const exactName = (name: string): string => name && `=${name}`

function logAddress(names: Readonly<Record<string, string>>, { from, to }: ShownEntries): string {
  const search = new URLSearchParams({ type: String(logType.consume), from: String(from) })
  if (to !== undefined) search.set('to', String(to))
  for (const [field, name] of Object.entries(names)) if (name !== '') search.set(field, name)
  return `/log?${search}`
}

const titles = { models: 'dash.models', tokens: 'dash.keys', users: 'dash.users' } as const

const fields: Readonly<Record<Kind, string>> = { models: 'model', tokens: 'token', users: 'user' }
