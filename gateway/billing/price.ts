import { LRUCache } from 'lru-cache'
import type { ModelPrice } from '../../shared/api/channel.ts'
import { pricedName } from '../../shared/priced-name.ts'
import { priceOfRatio } from '../../shared/pricing.ts'
import { upTo } from '../base/lru.ts'
import { type AudioPrice, type AudioTables, audioPriceOf } from './audio-prices.ts'
import type { RatioRule } from './ratio-rules.ts'
import { matchRule } from './ratio-rules.ts'

/** What the operator's pricing options say; all maps are model name to number. */
export type PriceTables = AudioTables &
  Readonly<{
    modelPrice: Readonly<Record<string, number>>
    modelRatio: Readonly<Record<string, number>>
    completionRatio: Readonly<Record<string, number>>
    cacheRatio: Readonly<Record<string, number>>
    createCacheRatio: Readonly<Record<string, number>>
    imageRatio: Readonly<Record<string, number>>
    groupRatio: Readonly<Record<string, number>>
    groupGroupRatio: Readonly<Record<string, Readonly<Record<string, number>>>>
  }>

/** The price of one model for one caller; frozen at admission, so a change meanwhile does not touch a running request. */
export type Price = AudioPrice &
  Readonly<{
    model: string
    /** US dollars a call, or null for pricing by ratio. */
    fixed: number | null
    modelRatio: number
    completionRatio: number
    cacheRatio: number
    cacheWriteRatio: number
    /** Of what is kept for an hour. */
    cacheWriteHourRatio: number
    /** Of the images in a prompt. */
    imageRatio: number
    groupRatio: number
    /** The exclusive ratio that replaced the group's, or null. */
    exclusiveRatio: number | null
    /** True where no price is set and the unset ratio was used. */
    unset: boolean
  }>

/** The ratio of a model nobody priced, where unset models are accepted (docs/reference/billing.md#price-lookup). */
export const UNSET_RATIO = 37.5
const CACHE_WRITE_RATIO = 1.25
/** Keeping something for an hour over keeping it for five minutes. */
const HOUR_OVER_FIVE_MINUTES = 1.6
/** Prices remembered, of names of a usual length: they come from callers. */
const MAX_PRICES = 5000
const MAX_NAME_LENGTH = 512

export type PriceAsk = Readonly<{
  model: string
  userGroup: string
  usingGroup: string
  acceptUnset: boolean
  /** Whether a channel that is not free may answer, where it is known. */
  isPaid?: boolean
}>

/** Looks prices up in one set of tables; null where the model has none and unset models are not accepted. */
export function createPriceBook(tables: PriceTables, completionRules: readonly RatioRule[]) {
  const found = new LRUCache<string, Price>({ ...upTo(MAX_PRICES) })
  const look = ({ model, userGroup, usingGroup, acceptUnset }: PriceAsk): Price | null => {
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
    })
  }
  return {
    /** Whether a model costs nothing because of who has it. */
    isFree: (_model: string): boolean => false,
    find(ask: PriceAsk): Price | null {
      const key = `${ask.acceptUnset ? 1 : 0}\n${ask.userGroup}\n${ask.usingGroup}\n${ask.model}`
      const known = found.get(key)
      if (known !== undefined) return known
      const price = look(ask)
      if (price && key.length <= MAX_NAME_LENGTH) found.set(key, price)
      return price
    },
    /** True where the model may be called without unset models being accepted. */
    has: (model: string) => {
      const name = pricedName(model)
      return own(tables.modelPrice, name) !== undefined || own(tables.modelRatio, name) !== undefined
    },
  }
}
export type PriceBook = ReturnType<typeof createPriceBook>

/** The product as it is written in decimals: 1.1 × 1.6 is 1.76; exact to 15 digits, and finite. */
export const decimalProduct = (a: number, b: number): number =>
  Math.min(Number((a * b).toPrecision(15)), Number.MAX_VALUE)

/** A map's own entry: model names come from callers, and `constructor` is not a price. */
const own = <T>(map: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined

/**
 * What a model costs before any group's ratio, as people compare it: US dollars a million tokens, or a call. All null
 * where the model has no price of its own; in self-use mode it may be called all the same.
 */
export function priceInDollars(prices: PriceBook, quotaPerUnit: number, model: string): ModelPrice {
  const price = prices.find({ model, userGroup: '', usingGroup: '', acceptUnset: false })
  if (!price) return { model, input: null, output: null, fixed: null }
  if (price.fixed !== null) return { model, input: null, output: null, fixed: price.fixed }
  const input = priceOfRatio(price.modelRatio, quotaPerUnit)
  return { model, input, output: priceOfRatio(price.modelRatio, quotaPerUnit, price.completionRatio), fixed: null }
}
