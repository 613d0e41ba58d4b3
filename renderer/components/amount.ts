import { formatQuota, groupMoney } from '../../shared/money.ts'
import { useStatus } from '../api/status.ts'

/** Formats quota in the unit the operator displays. The text is rounded; put the exact number into a title. */
export function useQuotaFormat(): (quota: number) => string {
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  return (quota) => groupMoney(formatQuota(quota, { inCurrency, quotaPerUnit }))
}
