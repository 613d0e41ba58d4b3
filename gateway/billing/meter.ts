import { MAX_CHARGE } from '../../shared/api/fields.ts'
import { type Decimal, decimal, plus, roundedUp, tenTo, times } from '../../shared/decimal.ts'
import { wholeCharge } from '../../shared/receipt.ts'
import { type BillableExtras, PLAIN, type PotentialExtras } from './billable-extras.ts'
import { dearTiers, type Price, priceAt } from './price.ts'
import { breakdownOf, isNothing, type TokenBreakdown } from './token-breakdown.ts'
import { CONTAINER_PRICE, chargedSearches, FILE_SEARCH_PRICE, webSearchPrice } from './tool-prices.ts'
import { hasPricedTools, stepPrompt, type Usage, usageOf } from './usage.ts'

/**
 * Returns the cost of a usage in quota: the exact decimal charge, rounded once, with halves rounded away from zero. A
 * charge by ratio is at least 1 unless the ratios or a cache hit make it free. No charge exceeds `MAX_CHARGE`. A usage
 * without tokens costs nothing, but a per-call price is due even then (docs/reference/billing.md#rounding,
 * docs/reference/billing.md#images).
 */
export function chargeFor(usage: Usage, listed: Price, quotaPerUnit: number, extras: BillableExtras = PLAIN): number {
  const price = usagePrice(usage, listed)
  if (price.fixed !== null)
    return wholeCharge(
      sharedBy(
        plus(perCall(price.fixed, price, quotaPerUnit, extras), tools(usage, price, quotaPerUnit, extras)),
        extras,
      ),
      false,
    )
  const breakdown = breakdownOf(usage, price)
  if (isNothing(breakdown)) return 0
  const weights = weightsOf(price)
  const tokens = times(weighted(breakdown, weights), weights.rate)
  const extraCost = plus(separateAudioCost(breakdown, price, quotaPerUnit), tools(usage, price, quotaPerUnit, extras))
  return wholeCharge(
    sharedBy(plus(tokens, extraCost), extras),
    weights.rate.digits > 0n && extras.cacheHit?.ratio !== 0,
  )
}

export const usagePrice = (usage: Usage, price: Price): Price =>
  priceAt(price, { prompt: stepPrompt(usage), tiers: usage.tiers })

/** The price used for reservations: only tiers that raise it apply, since a cheaper tier may not be granted. */
const reservationPrice = (price: Price, prompt: number, { possible }: BillableExtras): Price =>
  priceAt(price, { prompt, tiers: possible?.tiers ? dearTiers(price, possible.tiers) : NO_TIERS })

const NO_TIERS: readonly string[] = []

/** Applies the share of the price a cache hit costs (docs/reference/cache.md#price-of-a-hit). */
const sharedBy = (exact: Decimal, { cacheHit }: BillableExtras): Decimal =>
  cacheHit ? times(exact, decimal(cacheHit.ratio)) : exact

/**
 * Returns the quota to reserve before the response is known: at least `minTokens` of prompt, the maximum output, and
 * possible extras, each at its highest price, rounded up; a per-call price in full (docs/reference/billing.md#hold).
 */
export function holdFor(
  promptTokens: number,
  maxOutput: number,
  minTokens: number,
  listed: Price,
  quotaPerUnit: number,
  extras: BillableExtras = PLAIN,
): number {
  const price = reservationPrice(listed, promptTokens, extras)
  if (price.fixed !== null) {
    const toolCost = possibleTools(price, quotaPerUnit, extras)
    return atMost(roundedUp(plus(perCall(price.fixed, price, quotaPerUnit, extras), toolCost)))
  }
  return atMost(roundedUp(maxCost(Math.max(promptTokens, minTokens), maxOutput, price, quotaPerUnit, extras)))
}

const atMost = (quota: number): number => Math.min(quota, MAX_CHARGE)

/**
 * Returns how many output tokens an amount of quota pays for after the prompt, each at its highest price; Infinity if
 * they are free, or the price is per call.
 */
export function outputWithin(
  quota: number,
  promptTokens: number,
  listed: Price,
  quotaPerUnit: number,
  extras: BillableExtras = PLAIN,
): number {
  const price = reservationPrice(listed, promptTokens, extras)
  if (price.fixed !== null) return Number.POSITIVE_INFINITY
  const weights = weightsOf(price)
  const each = times(outputWeight(weights, extras), weights.rate)
  if (each.digits <= 0n) return Number.POSITIVE_INFINITY
  const { digits, scale } = maxCost(promptTokens, 0, price, quotaPerUnit, extras)
  const left = plus(decimal(Math.trunc(quota)), { digits: -digits, scale })
  if (left.digits <= 0n) return 0
  const [one, other] = [tenTo(each.scale), tenTo(left.scale)]
  return safeNumber((left.digits * one) / (each.digits * other))
}

function maxCost(prompt: number, output: number, price: Price, quotaPerUnit: number, extras: BillableExtras): Decimal {
  const { possible } = extras
  const weights = weightsOf(price)
  const input = possible ? times(decimal(prompt), dearestInput(possible, price, weights)) : decimal(prompt)
  const tokens = times(plus(input, times(decimal(output), outputWeight(weights, extras))), weights.rate)
  if (!possible) return tokens
  const audioCost = possible.hasAudioInput ? separateAudioCost({ audioInput: prompt }, price, quotaPerUnit) : NOTHING
  return plus(tokens, plus(audioCost, possibleTools(price, quotaPerUnit, extras)))
}

const safeNumber = (value: bigint): number => Number(value > MAX ? MAX : value)
const MAX = BigInt(Number.MAX_SAFE_INTEGER)
const ONE: Decimal = decimal(1)

function possibleTools(price: Price, quotaPerUnit: number, extras: BillableExtras): Decimal {
  if (!extras.possible) return NOTHING
  const { webSearches = 0, fileSearches = 0, containerGigabytes = 0, secondModel = null, isClaude } = extras.possible
  const semantics = isClaude ? 'anthropic' : 'openai'
  const usage = usageOf({ webSearches, fileSearches, containerGigabytes, secondModel, semantics })
  return tools(usage, price, quotaPerUnit, extras)
}

const outputWeight = ({ completion, audioOutput }: Weights, { possible }: BillableExtras): Decimal =>
  possible?.hasAudioOutput ? larger(completion, audioOutput) : completion

function dearestInput(
  { cacheLife, hasImages, hasAudioInput }: PotentialExtras,
  price: Price,
  weights: Weights,
): Decimal {
  let dearest = ONE
  if (cacheLife) dearest = larger(dearest, cacheLife === 'hour' ? weights.cacheWriteHour : weights.cacheWrite)
  if (hasImages && price.imageRatio !== 1) dearest = larger(dearest, weights.image)
  if (hasAudioInput && price.audioRatio !== null) dearest = larger(dearest, weights.audioInput)
  return dearest
}

function larger(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale)
  const at = ({ digits, scale: own }: Decimal) => digits * tenTo(scale - own)
  return at(one) >= at(other) ? one : other
}

/** The weight of one token of each part, and the price of one unit of weight. */
type Weights = Readonly<Record<Exclude<keyof TokenBreakdown, 'text'> | 'rate', Decimal>>

/** Cached per price: price objects are shared by requests. */
const weightsCache = new WeakMap<Price, Weights>()

function weightsOf(price: Price): Weights {
  const found = weightsCache.get(price)
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
  weightsCache.set(price, weights)
  return weights
}

/** Sums tokens weighted by their ratios; skips empty parts, which most are. */
function weighted(breakdown: TokenBreakdown, weights: Weights): Decimal {
  let sum = decimal(breakdown.text)
  if (breakdown.completion > 0) sum = plus(sum, times(decimal(breakdown.completion), weights.completion))
  if (breakdown.cacheRead > 0) sum = plus(sum, times(decimal(breakdown.cacheRead), weights.cacheRead))
  if (breakdown.cacheWrite > 0) sum = plus(sum, times(decimal(breakdown.cacheWrite), weights.cacheWrite))
  if (breakdown.cacheWriteHour > 0) sum = plus(sum, times(decimal(breakdown.cacheWriteHour), weights.cacheWriteHour))
  if (breakdown.image > 0) sum = plus(sum, times(decimal(breakdown.image), weights.image))
  if (breakdown.audioInput > 0) sum = plus(sum, times(decimal(breakdown.audioInput), weights.audioInput))
  if (breakdown.audioOutput > 0) sum = plus(sum, times(decimal(breakdown.audioOutput), weights.audioOutput))
  return sum
}

/** The cost of audio input that has its own price in dollars, and therefore weight 0. */
function separateAudioCost(
  { audioInput }: Pick<TokenBreakdown, 'audioInput'>,
  price: Price,
  quotaPerUnit: number,
): Decimal {
  if (price.audioInputPrice === null || audioInput === 0) return NOTHING
  const dollars = times(times(decimal(audioInput), decimal(price.audioInputPrice)), A_MILLIONTH)
  return inQuota(dollars, price, quotaPerUnit)
}

function tools(usage: Usage, price: Price, quotaPerUnit: number, extras: BillableExtras): Decimal {
  if (!hasPricedTools(usage)) return NOTHING
  const webSearch = webSearchPrice(price.model, usage.semantics, extras.webSearch?.size)
  const dollars = plus(
    times(decimal(chargedSearches(price, usage, extras)), decimal(webSearch)),
    plus(
      times(decimal(usage.fileSearches), decimal(FILE_SEARCH_PRICE)),
      times(decimal(usage.containerGigabytes), decimal(CONTAINER_PRICE)),
    ),
  )
  return plus(inQuota(times(dollars, A_THOUSANDTH), price, quotaPerUnit), secondModel(usage, quotaPerUnit, extras))
}

function secondModel(
  { secondModel: used }: Usage,
  quotaPerUnit: number,
  { secondModel: listed }: BillableExtras,
): Decimal {
  if (!used || !listed) return NOTHING
  const price = usagePrice(used.tokens, listed)
  if (price.fixed !== null) return perCall(price.fixed, price, quotaPerUnit, { times: used.calls })
  const weights = weightsOf(price)
  return times(weighted(breakdownOf(used.tokens, price), weights), weights.rate)
}

const NOTHING: Decimal = decimal(0)
const A_THOUSANDTH: Decimal = decimal(0.001)
const A_MILLIONTH: Decimal = decimal(0.000001)

const perCall = (dollars: number, price: Price, quotaPerUnit: number, extras: BillableExtras): Decimal =>
  inQuota(times(decimal(dollars), decimal(extras.times ?? 1)), price, quotaPerUnit)

const inQuota = (dollars: Decimal, price: Price, quotaPerUnit: number): Decimal =>
  times(times(dollars, decimal(quotaPerUnit)), decimal(price.groupRatio))
