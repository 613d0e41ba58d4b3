import { type Decimal, decimal, plus, rounded, roundedUp, times } from '../../shared/decimal.ts'
import type { Price } from './price.ts'
import { isNothing, type Shares, sharesOf } from './shares.ts'
import { FILE_SEARCH_PRICE, webSearchPrice } from './tool-prices.ts'
import type { Usage } from './usage.ts'
import { PLAIN, type Work } from './work.ts'

/**
 * What a usage costs, in quota: the only place that rounds. The exact decimal charge is rounded once, halves away from
 * zero. It is at least 1 unless the ratios make it free; no tokens at all cost nothing, but a price by the call is always
 * due (spec/relay.md §6.3 to §6.5).
 */
export function chargeFor(usage: Usage, price: Price, quotaPerUnit: number, work: Work = PLAIN): number {
  if (price.fixed !== null)
    return whole(plus(perCall(price.fixed, price, quotaPerUnit, work), tools(usage, price, quotaPerUnit, work)), false)
  const shares = sharesOf(usage, price)
  if (isNothing(shares)) return 0
  const weights = weightsOf(price)
  const tokens = times(weighted(shares, weights), weights.rate)
  const apart = plus(audioApart(shares, price, quotaPerUnit), tools(usage, price, quotaPerUnit, work))
  return whole(plus(tokens, apart), weights.rate.digits > 0n)
}

/**
 * What is set aside before the answer is known: at least `leastTokens` of prompt, and as much output as the caller
 * allowed, rounded up; a price by the call in full (spec/relay.md §6.2).
 */
export function holdFor(
  promptTokens: number,
  mostOutput: number,
  leastTokens: number,
  price: Price,
  quotaPerUnit: number,
  work: Work = PLAIN,
): number {
  if (price.fixed !== null) return roundedUp(perCall(price.fixed, price, quotaPerUnit, work))
  const prompt = decimal(Math.max(promptTokens, leastTokens))
  const { completion, rate } = weightsOf(price)
  return roundedUp(times(plus(prompt, times(decimal(mostOutput), completion)), rate))
}

/** What one token of each share weighs, and what one unit of weight costs. */
type Weights = Readonly<Record<Exclude<keyof Shares, 'text'> | 'rate', Decimal>>

/** Price objects are shared by requests, so their exact decimals are worked out once. */
const known = new WeakMap<Price, Weights>()

function weightsOf(price: Price): Weights {
  const found = known.get(price)
  if (found) return found
  const audioInput = decimal(price.audioRatio ?? 0)
  const weights: Weights = {
    rate: times(decimal(price.modelRatio), decimal(price.groupRatio)),
    cacheRead: decimal(price.cacheRatio),
    cacheWrite: decimal(price.cacheWriteRatio),
    cacheWriteHour: decimal(price.cacheWriteHourRatio),
    image: decimal(price.imageRatio),
    audioInput,
    completion: decimal(price.completionRatio),
    audioOutput: times(audioInput, decimal(price.audioCompletionRatio)),
  }
  known.set(price, weights)
  return weights
}

/** Tokens weighted by their ratios; shares of nothing, which most are, cost no arithmetic. */
function weighted(shares: Shares, weights: Weights): Decimal {
  let sum = decimal(shares.text)
  if (shares.completion > 0) sum = plus(sum, times(decimal(shares.completion), weights.completion))
  if (shares.cacheRead > 0) sum = plus(sum, times(decimal(shares.cacheRead), weights.cacheRead))
  if (shares.cacheWrite > 0) sum = plus(sum, times(decimal(shares.cacheWrite), weights.cacheWrite))
  if (shares.cacheWriteHour > 0) sum = plus(sum, times(decimal(shares.cacheWriteHour), weights.cacheWriteHour))
  if (shares.image > 0) sum = plus(sum, times(decimal(shares.image), weights.image))
  if (shares.audioInput > 0) sum = plus(sum, times(decimal(shares.audioInput), weights.audioInput))
  if (shares.audioOutput > 0) sum = plus(sum, times(decimal(shares.audioOutput), weights.audioOutput))
  return sum
}

/** Sound heard, where it has a price in dollars of its own; its weight is 0 then. */
function audioApart({ audioInput }: Shares, price: Price, quotaPerUnit: number): Decimal {
  if (price.audioInputPrice === null || audioInput === 0) return NOTHING
  const dollars = times(times(decimal(audioInput), decimal(price.audioInputPrice)), A_MILLIONTH)
  return inQuota(dollars, price, quotaPerUnit)
}

function tools(usage: Usage, price: Price, quotaPerUnit: number, work: Work): Decimal {
  if (usage.webSearches + usage.fileSearches === 0) return NOTHING
  const webSearch = webSearchPrice(price.model, usage.semantics, work.webSearch?.size)
  const dollars = plus(
    times(decimal(usage.webSearches), decimal(webSearch)),
    times(decimal(usage.fileSearches), decimal(FILE_SEARCH_PRICE)),
  )
  return inQuota(times(dollars, A_THOUSANDTH), price, quotaPerUnit)
}

const NOTHING: Decimal = decimal(0)
const A_THOUSANDTH: Decimal = decimal(0.001)
const A_MILLIONTH: Decimal = decimal(0.000001)

const perCall = (dollars: number, price: Price, quotaPerUnit: number, work: Work): Decimal =>
  inQuota(times(decimal(dollars), decimal(work.times ?? 1)), price, quotaPerUnit)

const inQuota = (dollars: Decimal, price: Price, quotaPerUnit: number): Decimal =>
  times(times(dollars, decimal(quotaPerUnit)), decimal(price.groupRatio))

/** Rounded; at least 1 for anything, and where `atLeastOne` also for nothing. */
const whole = (exact: Decimal, atLeastOne: boolean): number =>
  exact.digits > 0n || atLeastOne ? Math.max(rounded(exact), 1) : 0
