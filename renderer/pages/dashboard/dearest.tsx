import { Card, Classes, H2, H3 } from '@blueprintjs/core'
import { Link } from 'react-router-dom'
import type { DashboardSummary, Ranked } from '../../../shared/api/data.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { Rank, type RankedItem } from '../../components/chart/rank.tsx'
import { groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'
import { entriesAddress, exactName, type ShownEntries } from './entries-address.ts'

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
  const one = (id: number, name: string) => (kind === 'tokens' ? `#${id}` : exactName(name))
  const user = (own: string | undefined) => (shown.username === undefined ? '' : exactName(own ?? shown.username))
  /** Tokens of several users may have the same name. */
  const owned = (name: string, owner: string | undefined) =>
    owner && shown.username === '' ? `${name} · ${owner}` : name
  return ({ id, name, username, quota }) => ({
    id: `${id} ${name}`,
    name: name ? (
      <Link
        to={entriesAddress({ user: user(username), [fields[kind]]: one(id, name) }, shown)}
        title={owned(name, username)}
      >
        {owned(name, username)}
      </Link>
    ) : (
      t('dash.gone', { id })
    ),
    value: quota,
    text: amount(quota),
    title: t('quota.exact', { n: groupDigits(quota) }),
  })
}

const titles = { models: 'dash.models', tokens: 'dash.keys', users: 'dash.users' } as const

const fields: Readonly<Record<Kind, string>> = { models: 'model', tokens: 'token', users: 'user' }
