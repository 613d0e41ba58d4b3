import { formatQuota, groupMoney } from '../../shared/money.ts'
import { useStatus } from '../api/status.ts'

const DIGITS = 6

/**
 * Formats the cost of one request: six decimals if the operator displays currency
 * (docs/reference/screens.md#formats-and-colors).
 */
export function useCostFormat(): (quota: number) => string {
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  return (quota) => groupMoney(formatQuota(quota, { inCurrency, quotaPerUnit }, DIGITS))
}
