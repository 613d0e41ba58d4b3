import { quotaOfPrice } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import type { AmountUnit } from './use-amount-unit.ts'

/** Common amounts, written in a unit; their quota depends on the operator's quota per unit. */
export function useUsualAmounts(unit: AmountUnit): readonly Readonly<{ text: string; quota: number }>[] {
  const { quota_per_unit: quotaPerUnit } = useStatus()
  return usualDollars.flatMap((dollars) => {
    const quota = quotaOfPrice(String(dollars), quotaPerUnit)
    return quota === undefined ? [] : [{ text: unit.isPrice ? `$${dollars}` : unit.name(quota), quota }]
  })
}

const usualDollars = [1, 10, 50, 100, 500, 1000] as const
