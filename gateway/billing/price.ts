import { LRUCache } from 'lru-cache'
import type { ModelPrice } from '../../shared/api/unsaved-channel.ts'
import { pricedName } from '../../shared/priced-name.ts'
import { priceOfRatio } from '../../shared/pricing.ts'
import { matchRule, type RatioRule } from '../../shared/ratio-rules.ts'
import { upTo } from '../base/lru.ts'
import { type AudioPrice, type AudioTables, audioPriceOf } from './audio-prices.ts'

/** The operator's pricing options. Prices and ratios are by model name, except those of tiers and groups. */
export type PriceTables = AudioTables &
  Readonly<{
    modelPrice: Readonly<Record<string, number>>
    modelRatio: Readonly<Record<string, number>>
    completionRatio: Readonly<Record<string, number>>
    cacheRatio: Readonly<Record<string, number>>
    createCacheRatio: Readonly<Record<string, number>>
    imageRatio: Readonly<Record<string, number>>
    priceSteps?: Readonly<Record<string, readonly PriceStep[]>>
    /** By tier, or by `model:tier`. */
    tierRatio?: Readonly<Record<string, number>>
    groupRatio: Readonly<Record<string, number>>
    groupGroupRatio: Readonly<Record<string, Readonly<Record<string, number>>>>
  }>

/** Prompts longer than `above` tokens cost `input` times as much, and their output `output` times. */
export type PriceStep = Readonly<{ above: number; input: number; output: number }>

/** The price of one model for one caller; frozen at admission, so that changes do not affect a running request. */
export type Price = AudioPrice &
  Readonly<{
    model: string
    /** US dollars per call, or null for pricing by ratio. */
    fixed: number | null
    modelRatio: number
    completionRatio: number
    cacheRatio: number
    cacheWriteRatio: number
    /** For entries cached for an hour. */
    cacheWriteHourRatio: number
    /** For images in a prompt. */
    imageRatio: number
    groupRatio: number
    /** The user group's own ratio, which replaced the group's, or null. */
    exclusiveRatio: number | null
    /** Whether no price is set and the unset ratio was used. */
    unset: boolean
    /**
     * Long-prompt steps, shortest first, and the ratios by tier or by `model:tier`; `priceAt` applies them to the
     * ratios.
     */
    steps?: readonly PriceStep[]
    tiers?: Readonly<Record<string, number>>
    /** The step applied to the ratios. */
    step?: PriceStep
    /** The tiers applied to the ratios, and their combined factor. */
    tier?: Readonly<{ name: string; ratio: number }>
  }>

/** The ratio of a model without a price, if unset models are accepted (docs/reference/billing.md#price-lookup). */
export const UNSET_RATIO = 37.5
const CACHE_WRITE_RATIO = 1.25
/** The price of caching for an hour over caching for five minutes. */
const HOUR_OVER_FIVE_MINUTES = 1.6
/** Max cached prices, and max length of a cache key: model names come from callers. */
const MAX_PRICES = 5000
const MAX_NAME_LENGTH = 512

export type PriceQuery = Readonly<{
  model: string
  userGroup: string
  usingGroup: string
  acceptUnset: boolean
  /** Whether a channel that is not free may be used, if known. */
  isPaid?: boolean
}>

/**
 * Looks up prices in one set of tables; `find` returns null if the model has none and unset models are not accepted.
 */
export function createPriceBook(tables: PriceTables, completionRules: readonly RatioRule[]) {
  const cache = new LRUCache<string, Price>({ ...upTo(MAX_PRICES) })
  const lookUp = ({ model, userGroup, usingGroup, acceptUnset }: PriceQuery): Price | null => {
    const name = pricedName(model)
    const fixed = own(tables.modelPrice, name) ?? null
    const ratio = own(tables.modelRatio, name)
    if (fixed === null && ratio === undefined && !acceptUnset) return null
    const cacheWriteRatio = own(tables.createCacheRatio, name) ?? CACHE_WRITE_RATIO
    const exclusive = own(own(tables.groupGroupRatio, userGroup) ?? {}, usingGroup) ?? null
    return Object.freeze({
      model: name,
      fixed,
      modelRatio: ratio ?? UNSET_RATIO,
      completionRatio: own(tables.completionRatio, name) ?? matchRule(completionRules, name),
      cacheRatio: own(tables.cacheRatio, name) ?? 1,
      cacheWriteRatio,
      cacheWriteHourRatio: decimalProduct(cacheWriteRatio, HOUR_OVER_FIVE_MINUTES),
      imageRatio: own(tables.imageRatio, name) ?? 1,
      ...audioPriceOf(name, tables),
      groupRatio: exclusive ?? own(tables.groupRatio, usingGroup) ?? 1,
      exclusiveRatio: exclusive,
      unset: fixed === null && ratio === undefined,
      steps: own(tables.priceSteps ?? {}, name) ?? NO_STEPS,
      tiers: tables.tierRatio ?? NO_TIERS,
    })
  }
  return {
    /** Whether the model is free because of its channels. */
    isFree: (_model: string): boolean => false,
    find(query: PriceQuery): Price | null {
      const key = `${query.acceptUnset ? 1 : 0}\n${query.userGroup}\n${query.usingGroup}\n${query.model}`
      const known = cache.get(key)
      if (known !== undefined) return known
      const price = lookUp(query)
      if (price && key.length <= MAX_NAME_LENGTH) cache.set(key, price)
      return price
    },
    /** Whether the model may be called if unset models are not accepted. */
    has: (model: string) => {
      const name = pricedName(model)
      return own(tables.modelPrice, name) !== undefined || own(tables.modelRatio, name) !== undefined
    },
  }
}
const NO_STEPS: readonly PriceStep[] = []

/** The inputs of `priceAt`: prompt tokens including cached ones, and the vendor's names of the tiers. */
type PricedPart = Readonly<{ prompt: number; tiers: readonly string[] }>

/**
 * Returns the price for a prompt length and tiers: the ratios multiplied by the factors of the highest step below the
 * prompt length, and of the tiers (docs/reference/billing.md#long-prompts, #service-tiers). Usually the same object.
 */
export function priceAt(price: Price, { prompt, tiers }: PricedPart): Price {
  const { steps = NO_STEPS } = price
  if (price.fixed !== null || (steps.length === 0 && tiers.length === 0)) return price
  const step = steps.findLast(({ above }) => prompt > above)
  const tier = tiers.length === 0 ? undefined : tierOf(price, tiers)
  if (!step && !tier) return price
  const key = `${step?.above} ${tier?.name}`
  const known = derived.get(price)?.get(key)
  if (known) return known
  const { input = 1, output = 1 } = step ?? {}
  const priced: Price = Object.freeze({
    ...price,
    modelRatio: decimalProduct(decimalProduct(price.modelRatio, input), tier?.ratio ?? 1),
    completionRatio: input > 0 ? decimalProduct(price.completionRatio, output / input) : price.completionRatio,
    steps: NO_STEPS,
    tiers: NO_TIERS,
    ...(step ? { step } : {}),
    ...(tier ? { tier } : {}),
  })
  const siblings = derived.get(price) ?? new Map<string, Price>()
  derived.set(price, siblings.set(key, priced))
  return priced
}

/** Prices derived from those in use: few per price, since tiers without a factor are ignored. */
const derived = new WeakMap<Price, Map<string, Price>>()
const NO_TIERS: Readonly<Record<string, number>> = {}

/**
 * The tiers that cost more than usual, unique and sorted; used for reservations, and for charges if the vendor does not
 * report the tier.
 */
export const dearTiers = ({ model, tiers: ratios = NO_TIERS }: Price, tiers: readonly string[]): readonly string[] =>
  [...new Set(tiers)].filter((name) => (own(ratios, `${model}:${name}`) ?? own(ratios, name) ?? 1) > 1).sort()

function tierOf({ model, tiers: ratios = NO_TIERS }: Price, tiers: readonly string[]): Price['tier'] {
  let ratio = 1
  const names: string[] = []
  for (const name of tiers) {
    const factor = own(ratios, `${model}:${name}`) ?? own(ratios, name)
    if (factor === undefined || factor === 1) continue
    names.push(name)
    ratio = decimalProduct(ratio, factor)
  }
  return names.length > 0 ? { name: names.join(' '), ratio } : undefined
}

export type PriceBook = ReturnType<typeof createPriceBook>

/** The product rounded to 15 digits, so that 1.1 × 1.6 is 1.76, and finite. */
export const decimalProduct = (a: number, b: number): number =>
  Math.min(Number((a * b).toPrecision(15)), Number.MAX_VALUE)

/** Reads own keys only: model names come from callers, and `constructor` is not a price. */
const own = <T>(map: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined

/**
 * The price of a model before any group ratio: US dollars per million tokens, or per call. All null if the model has no
 * price; in self-use mode it can still be called.
 */
export function priceInDollars(prices: PriceBook, quotaPerUnit: number, model: string): ModelPrice {
  const price = prices.find({ model, userGroup: '', usingGroup: '', acceptUnset: false })
  if (!price) return { model, input: null, output: null, fixed: null }
  if (price.fixed !== null) return { model, input: null, output: null, fixed: price.fixed }
  const input = priceOfRatio(price.modelRatio, quotaPerUnit)
  return { model, input, output: priceOfRatio(price.modelRatio, quotaPerUnit, price.completionRatio), fixed: null }
}
