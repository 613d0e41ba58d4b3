import type { CataloguePrice, CatalogueRow, PriceRates, RateName } from '../../../shared/api/catalogue.ts'
import { completionRules } from '../../../shared/completion-rules.ts'
import { priceOfRatio, ratioBetween } from '../../../shared/pricing.ts'
import { mapYielding } from '../../base/fair-yield.ts'
import { createPriceBook, type Price, type PriceBook, type PriceStep } from '../price.ts'
import { builtIn } from './bundled.ts'
import { priceOfRates } from './entered-price.ts'
import { type NamedEntry, namedHere } from './local-model-names.ts'
import { definedRates, entriesOf, mapOf, only, type PriceMaps, rateNames } from './rates.ts'
import type { Catalogue } from './reading.ts'
import { hasSteps } from './steps.ts'

type CompareRequest = Readonly<{
  catalogue: Catalogue
  maps: PriceMaps
  /** The steps in force, which an update does not change. */
  steps: Readonly<Record<string, readonly PriceStep[]>>
  quotaPerUnit: number
  /** Models of enabled channels. */
  offered: ReadonlySet<string>
  /** The rates last written by catalogue updates, by model. */
  written: ReadonlyMap<string, PriceRates>
}>

/**
 * A row with the map entries its model would have after the update, and the ones among them that the catalogue
 * provides.
 */
export type ComparedRow = CatalogueRow & Readonly<{ entries: PriceRates; catalogueRates: PriceRates }>

export type CatalogueChanges = Readonly<{
  rows: readonly ComparedRow[]
  same: readonly string[]
  only_here: readonly string[]
  unreadable: Catalogue['unreadable']
}>

/**
 * Computes what a catalogue would change. Compares prices as the price book resolves them, including rules, for the
 * rates the catalogue provides; a relative difference below one millionth is ignored.
 */
export async function compareCatalogue(context: CompareRequest): Promise<CatalogueChanges> {
  const { catalogue, maps } = context
  const priced = new Set([...Object.keys(maps.ModelPrice), ...Object.keys(maps.ModelRatio)])
  const localNames = namedHere(catalogue, (model) => priced.has(model) || context.offered.has(model))
  const now = bookOf(maps)
  const changes = await mapYielding(localNames.entries, (namedEntry) =>
    changeOf(namedEntry, priceIn(now, namedEntry[0]), context),
  )
  const differing = changes.filter(({ isSame }) => !isSame)
  const later = bookOf(withEntries(maps, new Map(differing.map(({ model, entries }) => [model, entries]))))
  const catalogueNames = new Set([...localNames.entries.keys(), ...localNames.unreadable.map(({ model }) => model)])
  const rows = await mapYielding(differing, (change) => rowOf(change, priceIn(later, change.model), context))
  return {
    rows: rows.sort(byModel),
    same: changes
      .filter(({ isSame }) => isSame)
      .map(({ model }) => model)
      .sort(),
    only_here: [...priced].filter((model) => !catalogueNames.has(model)).sort(),
    unreadable: localNames.unreadable,
  }
}

/** Returns the maps with the entries of some models replaced; a rate that is absent is deleted. */
export function withEntries(maps: PriceMaps, changes: ReadonlyMap<string, PriceRates>): PriceMaps {
  const changed = rateNames.map((name) => {
    const next = new Map(Object.entries(maps[mapOf[name]]))
    for (const [model, rates] of changes) {
      const value = rates[name]
      if (value === undefined) next.delete(model)
      else next.set(model, value)
    }
    return [mapOf[name], Object.fromEntries(next)]
  })
  return Object.fromEntries(changed) as PriceMaps // one entry per rate, which covers all maps
}

/** Whether an operator has set a price: it is neither the built-in one nor one written by a catalogue update. */
function isHandMade(entries: PriceRates, model: string, written: PriceRates | undefined): boolean {
  const shipped = entriesOf(builtIn, model)
  return rateNames.some((name) => {
    const value = entries[name]
    return value !== undefined && value !== shipped[name] && value !== written?.[name]
  })
}

type Change = Readonly<{ model: string; entry: NamedEntry; before: Price | null; entries: PriceRates; isSame: boolean }>

function changeOf(namedEntry: readonly [string, NamedEntry], before: Price | null, context: CompareRequest): Change {
  const [model, entry] = namedEntry
  const { rates } = entry
  if (rates.fixed !== undefined) {
    const isSame = before !== null && before.fixed !== null && isNear(before.fixed, rates.fixed)
    return { model, entry, before, entries: { fixed: rates.fixed }, isSame }
  }
  const { fixed: _, ...own } = entriesOf(context.maps, model)
  const known = before !== null && before.fixed === null ? ratesOf(before, context.quotaPerUnit) : {}
  const changedNames = rateNames.filter((name) => isOther(name, rates, known))
  const differences = Object.fromEntries(changedNames.map((name) => [name, rates[name]]))
  return { model, entry, before, entries: definedRates({ ...own, ...differences }), isSame: changedNames.length === 0 }
}

function isOther(name: RateName, rates: PriceRates, known: PriceRates): boolean {
  const [value, before] = [rates[name], known[name]]
  if (value === undefined) return false
  // Audio that is not priced separately has no output price to compare.
  if (name === 'audio_completion' && before === undefined && known.audio !== undefined)
    return isOther('audio', rates, known)
  return before === undefined || !isNear(before, value)
}

/** The tolerance is below the rounding of any source. */
const isNear = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-6 * Math.max(Math.abs(one), Math.abs(other))

function rowOf({ model, entry, before, entries }: Change, after: Price | null, context: CompareRequest): ComparedRow {
  const { maps, steps, quotaPerUnit, offered, written } = context
  const own = entriesOf(maps, model)
  const names = new Set<RateName>([
    ...rateNames.filter((name) => name in own || name in entry.rates),
    'model',
    'completion',
  ])
  const view = (price: Price) => viewOf(price, names, quotaPerUnit)
  const [earlier, later] = [before && view(before), after ? view(after) : NO_PRICE]
  const is_hand_made = isHandMade(own, model, written.get(model))
  const is_offered = offered.has(model)
  const isFree = after?.fixed === 0 || (after?.fixed === null && after.modelRatio === 0)
  return {
    model,
    source_name: entry.source_name,
    state: before === null ? 'new' : 'changed',
    before: earlier,
    after: later,
    percent: earlier && percentOf(earlier, later),
    is_hand_made,
    is_offered,
    is_partial: entry.isPartial || !hasSteps(entry.steps, Object.hasOwn(steps, model) ? steps[model] : []),
    is_suggested: !is_hand_made && !isFree && (before !== null || is_offered),
    entries,
    catalogueRates: only(entries, Object.keys(entry.rates)),
  }
}

/** A placeholder that is never shown: a model with entries always has a price. */
const NO_PRICE: CataloguePrice = { rates: {}, dollars: {} }

/** Converts a price to rates; an audio output rate only if audio is priced by ratio. */
function ratesOf(price: Price, quotaPerUnit: number): PriceRates {
  const { audioRatio, audioInputPrice, modelRatio } = price
  const separateRatio =
    audioInputPrice === null ? 1 : ratioBetween(audioInputPrice, priceOfRatio(modelRatio, quotaPerUnit))
  return definedRates({
    model: modelRatio,
    completion: price.completionRatio,
    cache: price.cacheRatio,
    create_cache: price.cacheWriteRatio,
    image: price.imageRatio,
    audio: audioRatio ?? separateRatio,
    audio_completion: audioRatio === null ? undefined : price.audioCompletionRatio,
  })
}

function viewOf(price: Price, names: ReadonlySet<RateName>, quotaPerUnit: number): CataloguePrice {
  if (price.fixed !== null) return { rates: { fixed: price.fixed }, dollars: {} }
  const all = ratesOf(price, quotaPerUnit)
  const rates = definedRates(Object.fromEntries([...names].map((name) => [name, all[name]])))
  return priceOfRates(rates, quotaPerUnit)
}

/** Returns the largest change of a price both sides have, in percent with two decimals; null if none was above 0. */
function percentOf(before: CataloguePrice, after: CataloguePrice): number | null {
  const pairs: [number, number][] = []
  if (before.rates.fixed !== undefined && after.rates.fixed !== undefined)
    pairs.push([before.rates.fixed, after.rates.fixed])
  for (const [name, value] of Object.entries(before.dollars)) {
    const other = after.dollars[name as keyof CataloguePrice['dollars']] // a name of this object
    if (value !== undefined && other !== undefined) pairs.push([value, other])
  }
  const changes = pairs.filter(([value]) => value > 0).map(([value, other]) => (other / value - 1) * 100)
  const [maxSize] = changes.sort((one, other) => Math.abs(other) - Math.abs(one))
  return maxSize === undefined ? null : Number(Math.min(maxSize, 1e9).toFixed(2))
}

const bookOf = (maps: PriceMaps): PriceBook =>
  createPriceBook(
    {
      modelPrice: maps.ModelPrice,
      modelRatio: maps.ModelRatio,
      completionRatio: maps.CompletionRatio,
      cacheRatio: maps.CacheRatio,
      createCacheRatio: maps.CreateCacheRatio,
      imageRatio: maps.ImageRatio,
      audioRatio: maps.AudioRatio,
      audioCompletionRatio: maps.AudioCompletionRatio,
      groupRatio: {},
      groupGroupRatio: {},
    },
    completionRules,
  )

const priceIn = (book: PriceBook, model: string): Price | null =>
  book.find({ model, userGroup: '', usingGroup: '', acceptUnset: false })

const byModel = (one: ComparedRow, other: ComparedRow) => (one.model < other.model ? -1 : 1)
