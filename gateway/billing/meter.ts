import { type Decimal, decimal, plus, rounded, roundedUp, times } from '../../shared/decimal.ts'
import type { Price } from './price.ts'
import type { Usage } from './usage.ts'

/**
 * What a usage costs, in quota: the only place that rounds. The exact decimal charge is rounded once, halves away from
 * zero; a charge that is not zero is at least 1; no tokens at all cost nothing (spec/relay.md §6.3).
 */
export function chargeFor(usage: Usage, price: Price, quotaPerUnit: number): number {
  if (price.fixed !== null) return atLeastOne(perCall(price.fixed, price, quotaPerUnit))
  if (usage.prompt + usage.completion + usage.cacheRead + usage.cacheWrite === 0) return 0
  return atLeastOne(times(weighted(usage, price), rate(price)))
}

/**
 * What is set aside before the answer is known: at least `leastTokens` of prompt, and as much output as the caller
 * allowed, rounded up (spec/relay.md §6.2).
 */
export function holdFor(
  promptTokens: number,
  mostOutput: number,
  leastTokens: number,
  price: Price,
  quotaPerUnit: number,
): number {
  if (price.fixed !== null) return roundedUp(perCall(price.fixed, price, quotaPerUnit))
  const prompt = decimal(Math.max(promptTokens, leastTokens))
  return roundedUp(times(plus(prompt, times(decimal(mostOutput), decimal(price.completionRatio))), rate(price)))
}

/** Tokens weighted by their ratios: base + cache read + cache write + completion. */
function weighted(usage: Usage, price: Price): Decimal {
  const cached = usage.semantics === 'openai' ? usage.cacheRead + usage.cacheWrite : 0
  let sum = decimal(Math.max(usage.prompt - cached, 0))
  if (usage.cacheRead > 0) sum = plus(sum, times(decimal(usage.cacheRead), decimal(price.cacheRatio)))
  if (usage.cacheWrite > 0) sum = plus(sum, times(decimal(usage.cacheWrite), decimal(price.cacheWriteRatio)))
  return plus(sum, times(decimal(usage.completion), decimal(price.completionRatio)))
}

/** Price objects are shared by requests, so their exact product is worked out once. */
const rates = new WeakMap<Price, Decimal>()

function rate(price: Price): Decimal {
  const known = rates.get(price)
  if (known) return known
  const exact = times(decimal(price.modelRatio), decimal(price.groupRatio))
  rates.set(price, exact)
  return exact
}

const perCall = (dollars: number, price: Price, quotaPerUnit: number): Decimal =>
  times(times(decimal(dollars), decimal(quotaPerUnit)), decimal(price.groupRatio))

const atLeastOne = (exact: Decimal): number => (exact.digits > 0n ? Math.max(rounded(exact), 1) : 0)
