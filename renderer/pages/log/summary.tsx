import './summary.css'
import { receiptOf } from '../../../shared/receipt.ts'
import { useTranslation } from '../../translation.ts'
import type { LogEntry } from './log-facts.ts'
import { useAuditText } from './use-entry-text.ts'

/**
 * A one-line description: the price by factors (docs/reference/billing.md#receipts); without a receipt, the
 * administrator's action or the stored text.
 */
export function Summary({ row }: { row: LogEntry }) {
  const { t } = useTranslation()
  const audit = useAuditText()
  const receipt = receiptOf(row)
  if (!receipt) {
    const text = audit(row) ?? row.content
    return (
      <span className="log-summary" title={text}>
        {text}
      </span>
    )
  }
  const { fixed, modelRatio, groupRatio, lines } = receipt
  const cached = lines.find(({ kind }) => kind === 'cacheRead')
  const first = fixed === null ? t('log.sumModel', { n: modelRatio }) : t('log.sumPrice', { n: `$${fixed}` })
  const parts = [
    first,
    t('log.sumGroup', { n: groupRatio }),
    ...(cached ? [t('log.sumCache', { n: cached.ratio })] : []),
  ]
  const factors = parts.join(' × ')
  return (
    <span className="log-summary tabular" title={factors}>
      {factors}
    </span>
  )
}
