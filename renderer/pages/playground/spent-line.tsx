import { Classes } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { formatQuota } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import type { Spent } from './conversation.ts'

const DIGITS = 6

/** Tokens in, tokens out, and the cost where it is known; exactly as in the usage log. */
export function SpentLine({ spent: { prompt, completion, quota } }: { spent: Spent }) {
  const { t } = useTranslation()
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  const tokens = t('play.tokens', { prompt, completion })
  if (quota === undefined) return <span className={`tabular ${Classes.TEXT_MUTED}`}>{tokens}</span>
  return (
    <span className={`tabular ${Classes.TEXT_MUTED}`} title={t('quota.exact', { n: quota })}>
      {`${tokens} · ${formatQuota(quota, { inCurrency, quotaPerUnit }, DIGITS)}`}
    </span>
  )
}
