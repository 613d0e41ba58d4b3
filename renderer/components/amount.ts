import type { Status } from '../../shared/api/status.ts'
import { useStatus } from '../api/status.ts'

/** How the operator wants amounts shown: a part of the public status. */
export type MoneyView = Pick<Status, 'quota_per_unit' | 'display_in_currency'>

/**
 * An amount of quota for people: dollars with two decimals, or a count with k, M, B (specification 1 §9). What is shown
 * is rounded; the exact number belongs into a title beside it.
 */
export function formatQuota(quota: number, { quota_per_unit, display_in_currency }: MoneyView): string {
  if (!display_in_currency) return abbreviate(quota)
  const dollars = quota / quota_per_unit
  return `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(2)}`
}

/** `formatQuota` as the operator of this gateway wants it. */
export function useQuotaFormat(): (quota: number) => string {
  const status = useStatus()
  return (quota) => formatQuota(quota, status)
}

function abbreviate(count: number): string {
  const size = Math.abs(count)
  if (size >= 1_000_000_000) return `${(count / 1_000_000_000).toFixed(1)}B`
  if (size >= 1_000_000) return `${(count / 1_000_000).toFixed(1)}M`
  if (size >= 10_000) return `${(count / 1000).toFixed(1)}k`
  return String(count)
}
