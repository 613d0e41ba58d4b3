import { Card, Classes, H2, H3 } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { DashboardSummary, Ranked } from '../../../shared/api/data.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { Rank, type RankedItem } from '../../components/chart/rank.tsx'
import { groupDigits } from '../../components/count.tsx'

type DearestProps = Readonly<{ summary: DashboardSummary | undefined; isAdmin: boolean }>
type Kind = 'models' | 'tokens' | 'users'

/** The five models, tokens and users that cost most in the range, each a way to its entries of the log. */
export function Dearest({ summary, isAdmin }: DearestProps) {
  const { t } = useTranslation()
  const { models, tokens, users } = summary?.dearest ?? {}
  return (
    <section className="dash-section" aria-label={t('dash.dearest')}>
      <H2 className="dash-heading">{t('dash.dearest')}</H2>
      <Card className="dash-ranks">
        <Ranking kind="models" rows={models} />
        <Ranking kind="tokens" rows={tokens} />
        {isAdmin && users !== null && <Ranking kind="users" rows={users} />}
      </Card>
    </section>
  )
}

/** As tall as five places, however many there are. */
function Ranking({ kind, rows }: { kind: Kind; rows: readonly Ranked[] | undefined }) {
  const { t } = useTranslation()
  const item = useItem(kind)
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

function useItem(kind: Kind): (row: Ranked) => RankedItem {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const field = fields[kind]
  return ({ id, name, quota }) => ({
    id: `${id} ${name}`,
    name: name ? (
      <Link to={`/log?${new URLSearchParams({ [field]: `=${name}`, type: '2' })}`} title={name}>
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

const titles = { models: 'dash.models', tokens: 'dash.keys', users: 'dash.users' } as const

/** How the address of the log calls them. */
const fields: Readonly<Record<Kind, string>> = { models: 'model', tokens: 'token', users: 'user' }
