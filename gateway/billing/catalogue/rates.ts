import type { PriceRates, RateName, UnreadableReason } from '../../../shared/api/catalogue.ts'
import type { OptionKey } from '../../../shared/options/index.ts'
import { productOf, ratioBetween, ratioOfPrice } from '../../../shared/pricing.ts'

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

export const rateNames = Object.keys(mapOf) as RateName[] // the object is a literal of this module, so it has no other keys

export type PriceMap = (typeof mapOf)[RateName]

export type PriceMaps = Readonly<Record<PriceMap, Readonly<Record<string, number>>>>

/** Returns the map entries of a model, without rules. */
export function entriesOf(maps: PriceMaps, model: string): PriceRates {
  const found: Record<string, number> = {}
  for (const name of rateNames) {
    const map = maps[mapOf[name]]
    const value = Object.hasOwn(map, model) ? map[model] : undefined
    if (value !== undefined) found[name] = value
  }
  return found
}

/** A vendor's published price: US dollars per token of each kind. */
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
 * Converts token prices to ratios. A free output next to a paid input belongs to a model without output tokens and is
 * ignored. A paid output with free input cannot be expressed as a ratio.
 */
export function ratesOfTokens(price: TokenPrice, quotaPerUnit: number): PriceRates | UnreadableReason {
  const { input, output = 0 } = price
  if (input === 0) return output > 0 ? 'output_only' : { model: 0 }
  const ratioTo = (value: number | undefined, base = input) => (isCost(value) ? ratioBetween(value, base) : undefined)
  const hasAudioInput = isCost(price.audioInput) && price.audioInput > 0
  return definedRates({
    model: ratioOfPrice(productOf(input, MILLION), quotaPerUnit),
    completion: output > 0 ? ratioTo(output) : undefined,
    cache: ratioTo(price.cacheRead),
    create_cache: ratioTo(price.cacheWrite),
    image: ratioTo(price.image),
    audio: hasAudioInput ? ratioTo(price.audioInput) : undefined,
    audio_completion: hasAudioInput ? ratioTo(price.audioOutput, price.audioInput) : undefined,
  })
}

const isCost = (value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && value >= 0

export function definedRates(rates: Readonly<Partial<Record<RateName, number | undefined>>>): PriceRates {
  return Object.fromEntries(Object.entries(rates).filter(([, value]) => value !== undefined)) as PriceRates // its own keys, without undefined values
}

export const only = (rates: PriceRates, names: Iterable<string>): PriceRates => {
  const included = new Set(names)
  return definedRates(Object.fromEntries(Object.entries(rates).filter(([name]) => included.has(name))))
}

export const isSameRates = (one: PriceRates, other: PriceRates): boolean =>
  rateNames.every((name) => one[name] === other[name])

/** Max ratio, or dollars per call; more is considered a publisher's mistake. */
const MAX_DOLLARS = 1_000_000

/** Whether rates can be stored: finite, not negative and at most MAX_DOLLARS. */
export const isKeepable = (rates: PriceRates): boolean =>
  Object.values(rates).every(
    (value) => value === undefined || (Number.isFinite(value) && value >= 0 && value <= MAX_DOLLARS),
  )

const MILLION = 1_000_000
