import { Classes } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { useQuotaFormat } from '../../components/amount.ts'
import { Sparkline } from '../../components/sparkline/sparkline.tsx'
import { useTokenHours } from './use-token-hours.tsx'

/** How many requests a token made in each of the last 24 hours, and what they cost together. */
export function HoursCell({ id }: { id: number }) {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const hours = useTokenHours(id)
  if (!hours || hours.counts.every((count) => count === 0)) {
    return (
      <span className={`token-hours ${Classes.TEXT_MUTED}`} title={hours && t('token.noRequests')}>
        —
      </span>
    )
  }
  return (
    <span className="token-hours">
      <Sparkline values={hours.counts} label={t('token.requestsByHour', { amount: amount(hours.quota) })} />
    </span>
  )
}
