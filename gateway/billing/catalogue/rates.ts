import type { PriceRates, RateName, UnreadableReason } from '../../../shared/api/catalogue.ts'
import type { OptionKey } from '../../../shared/options/index.ts'
import { productOf, ratioBetween, ratioOfPrice } from '../../../shared/pricing.ts'

/** The option that keeps each rate of a model. */
export const mapOf = {
  fixed: 'ModelPrice',
  model: 'ModelRatio',
  completion: 'CompletionRatio',
  cache: 'CacheRatio',
  create_cache: 'CreateCacheRatio',
  image: 'ImageRatio',
  audio: 'AudioRatio',
  audio_completion: 'AudioCompletionRatio',
} as const satisfies Record<RateName, OptionKey>

export const rateNames = Object.keys(mapOf) as RateName[] // the object is a literal of this module: it has no other keys

/** The options that keep prices of models. */
export type PriceMap = (typeof mapOf)[RateName]

/** What all maps say, each model name to number. */
export type PriceMaps = Readonly<Record<PriceMap, Readonly<Record<string, number>>>>

/** What the maps themselves say of a model, without any rule that fills in. */
export function entriesOf(maps: PriceMaps, model: string): PriceRates {
  const found: Record<string, number> = {}
  for (const name of rateNames) {
    const map = maps[mapOf[name]]
    const value = Object.hasOwn(map, model) ? map[model] : undefined
    if (value !== undefined) found[name] = value
  }
  return found
}

/** What a vendor publishes of a model: US dollars for one token of each kind. */
type TokenPrice = Readonly<{
  input: number
  output?: number | undefined
  cacheRead?: number | undefined
  cacheWrite?: number | undefined
  image?: number | undefined
  audioInput?: number | undefined
  audioOutput?: number | undefined
}>

/**
 * The ratios that stand for prices of single tokens. An output that costs nothing beside an input that costs something is
 * that of a model that puts no tokens out, and says nothing. Output alone cannot be said as a ratio.
 */
export function ratesOfTokens(price: TokenPrice, quotaPerUnit: number): PriceRates | UnreadableReason {
  const { input, output = 0 } = price
  if (input === 0) return output > 0 ? 'output_only' : { model: 0 }
  const over = (value: number | undefined, base = input) => (isCost(value) ? ratioBetween(value, base) : undefined)
  const isHeard = isCost(price.audioInput) && price.audioInput > 0
  return said({
    model: ratioOfPrice(productOf(input, MILLION), quotaPerUnit),
    completion: output > 0 ? over(output) : undefined,
    cache: over(price.cacheRead),
    create_cache: over(price.cacheWrite),
    image: over(price.image),
    audio: isHeard ? over(price.audioInput) : undefined,
    audio_completion: isHeard ? over(price.audioOutput, price.audioInput) : undefined,
  })
}

const isCost = (value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && value >= 0

/** The rates that have a value. */
export function said(rates: Readonly<Partial<Record<RateName, number | undefined>>>): PriceRates {
  return Object.fromEntries(Object.entries(rates).filter(([, value]) => value !== undefined)) as PriceRates // its own keys, without those of undefined
}

/** Those of the rates that have one of these names. */
export const only = (rates: PriceRates, names: Iterable<string>): PriceRates => {
  const kept = new Set(names)
  return said(Object.fromEntries(Object.entries(rates).filter(([name]) => kept.has(name))))
}

/** Whether two say the same of a model. */
export const isSameRates = (one: PriceRates, other: PriceRates): boolean =>
  rateNames.every((name) => one[name] === other[name])

/** Dollars for a million tokens, or a call, above this are a typing error of whoever published them. */
const MAX_DOLLARS = 1_000_000

/** Whether rates can be kept: finite, not below nothing, and no price beyond what anybody asks. */
export const isKeepable = (rates: PriceRates): boolean =>
  Object.values(rates).every(
    (value) => value === undefined || (Number.isFinite(value) && value >= 0 && value <= MAX_DOLLARS),
  )

const MILLION = 1_000_000
