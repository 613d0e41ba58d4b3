import { LRUCache } from 'lru-cache'
import type { ModelPrice } from '../../shared/api/channel.ts'
import { pricedName } from '../../shared/priced-name.ts'
import { priceOfRatio } from '../../shared/pricing.ts'
import { upTo } from '../base/lru.ts'
import { type AudioPrice, type AudioTables, audioPriceOf } from './audio-prices.ts'
import { matchRule, type RatioRule } from './ratio-rules.ts'

/** What the operator's pricing options say; all maps are model name to number. */
export type PriceTables = AudioTables &
  Readonly<{
    modelPrice: Readonly<Record<string, number>>
    modelRatio: Readonly<Record<string, number>>
    completionRatio: Readonly<Record<string, number>>
    cacheRatio: Readonly<Record<string, number>>
    createCacheRatio: Readonly<Record<string, number>>
    imageRatio: Readonly<Record<string, number>>
    priceSteps?: Readonly<Record<string, readonly PriceStep[]>>
    /** By tier, or by model and tier with a colon between them. */
    tierRatio?: Readonly<Record<string, number>>
    groupRatio: Readonly<Record<string, number>>
    groupGroupRatio: Readonly<Record<string, Readonly<Record<string, number>>>>
  }>

/** Prompts above so many tokens cost `input` times as much, and their output `output` times. */
export type PriceStep = Readonly<{ above: number; input: number; output: number }>

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
    /** What long prompts cost, shortest first, and a vendor's tiers: what `priceAt` puts into the ratios. */
    steps?: readonly PriceStep[]
    tiers?: Readonly<Record<string, number>>
    /** The step that is in the ratios. */
    step?: PriceStep
    /** The tiers that are, and their factor. */
    tier?: Readonly<{ name: string; ratio: number }>
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
      steps: own(tables.priceSteps ?? {}, name) ?? NO_STEPS,
      tiers: tables.tierRatio ?? NO_TIERS,
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
const NO_STEPS: readonly PriceStep[] = []

/** What a price is looked at for: tokens of prompt with all that a cache holds of it, and tiers as their vendor calls them. */
type PricedPart = Readonly<{ prompt: number; tiers: readonly string[] }>

/**
 * The price at which a prompt of some length is charged in some tiers: its ratios with the factors of the highest step that
 * the prompt is above, and of the tiers (docs/reference/billing.md#long-prompts, #service-tiers). The same object for most.
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
  const made: Price = Object.freeze({
    ...price,
    modelRatio: decimalProduct(decimalProduct(price.modelRatio, input), tier?.ratio ?? 1),
    completionRatio: input > 0 ? decimalProduct(price.completionRatio, output / input) : price.completionRatio,
    steps: NO_STEPS,
    tiers: NO_TIERS,
    ...(step ? { step } : {}),
    ...(tier ? { tier } : {}),
  })
  const others = derived.get(price) ?? new Map<string, Price>()
  derived.set(price, others.set(key, made))
  return made
}

/** What has been derived of the prices in use: few of each, since tiers without a factor are none. */
const derived = new WeakMap<Price, Map<string, Price>>()
const NO_TIERS: Readonly<Record<string, number>> = {}

/** Those tiers that are dearer than usual, each once, in the order of their names: what is set aside for, and charged where no vendor says more. */
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
