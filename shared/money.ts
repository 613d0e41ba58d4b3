/**
 * How amounts of quota are shown (docs/reference/screens.md#formats-and-colours): the options DisplayInCurrencyEnabled
 * and QuotaPerUnit.
 */
export type MoneyDisplay = Readonly<{ inCurrency: boolean; quotaPerUnit: number }>

/**
 * An amount of quota as people read it: dollars with `digits` decimals, or the plain count, shortened from ten
 * thousand on to k, M and B with one decimal (docs/reference/screens.md#formats-and-colours).
 */
export function formatQuota(quota: number, { inCurrency, quotaPerUnit }: MoneyDisplay, digits = 2): string {
  if (inCurrency) return `${quota < 0 ? '-' : ''}$${Math.abs(quota / quotaPerUnit).toFixed(digits)}`
  const size = Math.abs(quota)
  const step = steps.find(({ from }) => size >= from)
  return step ? `${(quota / step.unit).toFixed(1)}${step.suffix}` : String(quota)
}

const steps = [
  { from: 1_000_000_000, unit: 1_000_000_000, suffix: 'B' },
  { from: 1_000_000, unit: 1_000_000, suffix: 'M' },
  { from: 10_000, unit: 1000, suffix: 'k' },
] as const
