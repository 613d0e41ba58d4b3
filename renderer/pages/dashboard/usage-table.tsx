import { Classes, HTMLTable } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { useQuotaFormat } from '../../components/amount.ts'
import { groupDigits } from '../../components/count.tsx'
import { Sideways } from '../../components/sideways/sideways.tsx'
import { type Bucket, sum, type Usage } from './buckets.ts'

/** The charts as a table: each point with what it used and what its dearest model was, the newest first. */
export function UsageTable({ buckets, usage }: { buckets: readonly Bucket[]; usage: readonly Usage[] }) {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const points = buckets
    .map(({ at, label }, place) => ({
      at,
      label,
      count: sum(usage.map((one) => one.count[place] ?? 0)),
      tokens: sum(usage.map((one) => one.tokens[place] ?? 0)),
      quota: sum(usage.map((one) => one.quota[place] ?? 0)),
      models: usage.filter((one) => (one.count[place] ?? 0) > 0).map(({ name }) => name),
    }))
    .filter(({ count }) => count > 0)
    .reverse()
  if (points.length === 0) return <p className={Classes.TEXT_MUTED}>{t('dash.noData')}</p>
  return (
    <Sideways className="dash-table" label={t('dash.byModel')}>
      <HTMLTable compact aria-label={t('dash.byModel')}>
        <thead>
          <tr>
            <th scope="col">{t('label.time')}</th>
            <th scope="col">{t('label.cost')}</th>
            <th scope="col">{t('dash.requests')}</th>
            <th scope="col">{t('dash.tokens')}</th>
            <th scope="col">{t('dash.models')}</th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ at, label, count, tokens, quota, models }) => (
            <tr key={at}>
              <th scope="row" className="tabular">
                {label}
              </th>
              <td className="tabular" title={t('quota.exact', { n: quota })}>
                {amount(quota)}
              </td>
              <td className="tabular">{groupDigits(count)}</td>
              <td className="tabular">{groupDigits(tokens)}</td>
              <td>{models.join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </Sideways>
  )
}
