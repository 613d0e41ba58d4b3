import { Classes, HTMLTable } from '@blueprintjs/core'
import { useQuotaFormat } from '../../../components/amount.ts'
import { groupDigits } from '../../../components/count.tsx'
import { Sideways } from '../../../components/sideways/sideways.tsx'
import { useTranslation } from '../../../translation.ts'
import { type Bucket, sum, type Usage } from './buckets.ts'

/** The chart data as a table: each point with its usage and most expensive models, newest first. */
export function UsageTable({ buckets, usage }: { buckets: readonly Bucket[]; usage: readonly Usage[] }) {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const points = buckets
    .map(({ at, label }, index) => ({
      at,
      label,
      count: sum(usage.map((one) => one.count[index] ?? 0)),
      tokens: sum(usage.map((one) => one.tokens[index] ?? 0)),
      quota: sum(usage.map((one) => one.quota[index] ?? 0)),
      models: usage
        .filter((one) => (one.count[index] ?? 0) > 0)
        .map(({ name, quota }) => ({ name, quota: quota[index] ?? 0 }))
        .sort((a, b) => b.quota - a.quota),
    }))
    .filter(({ count }) => count > 0)
    .reverse()
  const namesOf = (models: readonly Readonly<{ name: string; quota: number }>[]): string => {
    const first = models.slice(0, MAX).map(({ name, quota }) => `${name} ${amount(quota)}`)
    return [...first, ...(models.length > MAX ? [t('dash.more', { n: models.length - MAX })] : [])].join(', ')
  }
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
              <td className="tabular" title={t('quota.exact', { n: groupDigits(quota) })}>
                {amount(quota)}
              </td>
              <td className="tabular">{groupDigits(count)}</td>
              <td className="tabular">{groupDigits(tokens)}</td>
              <td>{namesOf(models)}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </Sideways>
  )
}

const MAX = 3
