import { useQuotaFormat } from '../../components/amount.ts'
import { Sparkline } from '../../components/sparkline/sparkline.tsx'
import { useTranslation } from '../../translation.ts'
import { useTokenHours } from './use-token-hours.tsx'

/** How many requests a token made in each of the last 24 hours, and what they cost together; nothing where it made none. */
export function HoursLine({ id }: { id: number }) {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const hours = useTokenHours(id)
  if (!hours || hours.counts.every((count) => count === 0)) return null
  return <Sparkline values={hours.counts} label={t('token.requestsByHour', { amount: amount(hours.quota) })} />
}
