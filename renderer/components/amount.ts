import { formatQuota, groupMoney } from '../../shared/money.ts'
import { useStatus } from '../api/status.ts'

/**
 * Shows amounts of quota as the operator of this gateway wants them. What is shown is rounded; the exact number belongs
 * into a title beside it.
 */
export function useQuotaFormat(): (quota: number) => string {
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  return (quota) => groupMoney(formatQuota(quota, { inCurrency, quotaPerUnit }))
}
