import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { CatalogueComparison, CatalogueFormat, PriceRates, PriceSync } from '../../../shared/api/catalogue.ts'
import { parsed } from '../../../shared/json.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { FetchTrusted } from '../../base/http-client.ts'
import { sha256 } from '../../base/ids.ts'
import { lruLife, upTo } from '../../base/lru.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Db } from '../../store/database.ts'
import { priceSyncStore, type SyncedRates } from '../../store/price-syncs.ts'
import type { NewLog, PriceSyncRow } from '../../store/schema.ts'
import { bundledCatalogue } from './bundled.ts'
import { fetchCatalogue } from './catalogue-source.ts'
import { type CatalogueChanges, type ComparedRow, compareCatalogue, withEntries } from './compare.ts'
import { notePrices, type PriceActor } from './price-log.ts'
import { type PriceMapsInForce, priceMapsOf } from './price-maps.ts'
import { entriesOf, isSameRates, mapOf, type PriceMaps } from './rates.ts'
import { type Catalogue, readCatalogue } from './reading.ts'
import { writtenBy } from './written-rates.ts'

/** Where a catalogue comes from; `file` is its JSON. */
type CatalogueSource =
  | Readonly<{ source: 'bundled' }>
  | Readonly<{ source: 'url'; url: string }>
  | Readonly<{ source: 'file'; file?: unknown }>

/** What was chosen of a comparison: the catalogue, where it was, and the models. */
type ChosenPrices = Readonly<{
  format: CatalogueFormat
  origin: string
  maps: PriceMaps
  /** What the maps are to say of each model. */
  rates: ReadonlyMap<string, PriceRates>
  /** What of that the catalogue says; the rest is what stands here. */
  told: ReadonlyMap<string, PriceRates>
}>

/** Updates of prices from catalogues (docs/reference/billing.md#price-catalogues). */
export interface PriceSyncs {
  compare(source: CatalogueSource): Promise<CatalogueComparison>
  /** The rates of models chosen of a comparison; refuses where it is not kept, or prices have been changed since. */
  chosen(digest: string, models: readonly string[]): ChosenPrices
  apply(digest: string, models: readonly string[], actor: PriceActor): Promise<PriceSync>
  last(): Promise<PriceSync | null>
  /** Sets models back whose price is still what the update made of it. */
  undo(id: number, actor: PriceActor): Promise<{ undone: number; kept: string[] }>
}

type PriceSyncsDeps = Readonly<{
  db: Db
  settings: Pick<Settings, 'get' | 'change'>
  fetchTrusted: FetchTrusted
  /** Models of channels that are enabled. */
  offered: () => readonly string[]
  note: (row: NewLog) => void
  clock: Clock
}>

/** Comparisons that are kept for whoever looks at them, and how long. */
const MAX_KEPT = 8
const KEPT_MS = 30 * 60_000
const MAX_UNREADABLE = 2000
/** Catalogues that are fetched at a time: each may have tens of megabytes. */
const AT_ONCE = 3

type Kept = Readonly<{
  format: CatalogueFormat
  origin: string
  maps: PriceMaps
  quotaPerUnit: number
  rows: ReadonlyMap<string, ComparedRow>
}>

/** Builds the updates; comparisons are kept in memory for half an hour. */
export function createPriceSyncs(deps: PriceSyncsDeps): PriceSyncs {
  const { settings, clock } = deps
  const store = priceSyncStore(deps.db)
  const parts = { ...deps, store, prices: priceMapsOf(settings) }
  // What one has written down of an update is not undone by another one that comes too late.
  const inTurn = pLimit(1)
  const fewAtOnce = pLimit(AT_ONCE)
  const kept = new LRUCache<string, Kept>({ ...upTo(MAX_KEPT), ...lruLife(KEPT_MS, () => clock.monotonic()) })
  const chosen = (digest: string, models: readonly string[]): ChosenPrices => {
    const found = kept.get(digest)
    if (!found) throw refuse('invalid', 'catalogue.compare_again')
    const { format, origin, maps, rows } = found
    // A value in force keeps its identity until it is another one.
    const isSame = Object.values(mapOf).every((name) => settings.get(name) === maps[name])
    if (!isSame || settings.get('QuotaPerUnit') !== found.quotaPerUnit)
      throw refuse('invalid', 'catalogue.changed_meanwhile')
    const picked = models.map((model) => rowOf(rows, model))
    const rates = new Map(picked.map(({ model, entries }) => [model, entries]))
    return { format, origin, maps, rates, told: new Map(picked.map(({ model, told }) => [model, told])) }
  }
  const compare = async (source: CatalogueSource) => {
    const quotaPerUnit = settings.get('QuotaPerUnit')
    const catalogue = await catalogueAt(source, quotaPerUnit, deps.fetchTrusted)
    const written = await writtenBy(store)
    const maps = parts.prices.read()
    const offered = new Set(deps.offered())
    const steps = settings.get('PriceSteps')
    const compared = await compareCatalogue({ catalogue, maps, steps, quotaPerUnit, offered, written })
    const { format } = catalogue
    const digest = sha256(JSON.stringify([format, [...catalogue.entries], maps, quotaPerUnit]))
    const origin = source.source === 'url' ? source.url : ''
    const rows = new Map(compared.rows.map((row) => [row.model, row]))
    kept.set(digest, { format, origin, maps, quotaPerUnit, rows })
    return viewOf(digest, catalogue, compared)
  }
  return {
    compare: (source) => (source.source === 'url' ? fewAtOnce(() => compare(source)) : compare(source)),
    chosen,
    apply: (digest, models, actor) => inTurn(() => applyChosen(chosen(digest, models), actor, parts)),
    async last() {
      const row = await store.last()
      return row ? syncView(row) : null
    },
    undo: (id, actor) => inTurn(() => undoSync(id, actor, parts)),
  }
}

type Parts = Pick<PriceSyncsDeps, 'note' | 'clock'> &
  Readonly<{ store: ReturnType<typeof priceSyncStore>; prices: PriceMapsInForce }>

async function applyChosen(chosen: ChosenPrices, actor: PriceActor, parts: Parts): Promise<PriceSync> {
  const { store, prices } = parts
  const { format, origin, maps, rates, told } = chosen
  const earlier = await writtenBy(store)
  const changes = new Map(
    [...rates].map(([model, after]) => [
      model,
      { before: entriesOf(maps, model), after, synced: earlier.get(model) ?? null },
    ]),
  )
  const created_at = unixSeconds(parts.clock)
  const row = { format, origin, models: rates.size, username: actor.username, created_at }
  // First what undoes it: an update without a record could not be undone.
  const record = { ...row, changes: JSON.stringify([...changes]) }
  const id = await store.add(
    record,
    [...told].map(([model, own]) => ({ model, rates: JSON.stringify({ ...earlier.get(model), ...own }) })),
  )
  try {
    const after = withEntries(maps, rates)
    const isWritten = await prices.write({ before: maps, after, author: actor, origin: 'sync' })
    if (!isWritten) throw refuse('invalid', 'catalogue.changed_meanwhile')
  } catch (error) {
    await store.remove(
      id,
      syncedOf(changes, ({ synced }) => synced),
    )
    throw error
  }
  notePrices(parts, actor, { key: 'log.price_sync', models: [...rates.keys()] })
  return { id, ...row }
}

async function undoSync(id: number, actor: PriceActor, parts: Parts): Promise<{ undone: number; kept: string[] }> {
  const { store, prices } = parts
  const row = await store.last()
  if (row?.id !== id) throw refuse('invalid', 'catalogue.nothing_to_undo')
  const maps = prices.read()
  const changes = [...changesIn(row.changes)]
  const [mine, others] = parted(changes, ([model, { after }]) => isSameRates(entriesOf(maps, model), after))
  const back = new Map(mine.map(([model, { before }]) => [model, before]))
  const isWritten = await prices.write({
    before: maps,
    after: withEntries(maps, back),
    author: actor,
    origin: 'undo',
  })
  if (!isWritten) throw refuse('invalid', 'catalogue.changed_meanwhile')
  await store.remove(
    id,
    syncedOf(new Map(mine), ({ synced }) => synced),
  )
  notePrices(parts, actor, { key: 'log.price_undo', models: [...back.keys()] })
  return { undone: back.size, kept: others.map(([model]) => model).sort() }
}

function rowOf(rows: ReadonlyMap<string, ComparedRow>, model: string): ComparedRow {
  const row = rows.get(model)
  if (!row) throw refuse('invalid', 'catalogue.not_compared', { model })
  return row
}

async function catalogueAt(source: CatalogueSource, quotaPerUnit: number, fetch: FetchTrusted): Promise<Catalogue> {
  if (source.source === 'bundled') return bundledCatalogue()
  return readCatalogue(source.source === 'url' ? await fetchCatalogue(fetch, source.url) : source.file, quotaPerUnit)
}

function viewOf(digest: string, catalogue: Catalogue, compared: CatalogueChanges): CatalogueComparison {
  const { rows, same, only_here, unreadable } = compared
  return {
    digest,
    format: catalogue.format,
    total: catalogue.entries.size,
    rows: rows.map(({ entries: _, told: __, ...row }) => row),
    same: [...same],
    only_here: [...only_here],
    unreadable: unreadable.slice(0, MAX_UNREADABLE),
    unreadable_total: unreadable.length,
  }
}

/** What an update did to one model: what the maps said of it before and after, and what an earlier update had written. */
type SyncChange = Readonly<{ before: PriceRates; after: PriceRates; synced: PriceRates | null }>

/** What stands in a row of ours. */
const changesIn = (text: string): ReadonlyMap<string, SyncChange> => {
  const list = parsed(text)
  return new Map(Array.isArray(list) ? (list as [string, SyncChange][]) : []) // written by `apply` alone
}

const syncedOf = (
  changes: ReadonlyMap<string, SyncChange>,
  pick: (change: SyncChange) => PriceRates | null,
): readonly SyncedRates[] =>
  [...changes].map(([model, change]) => {
    const rates = pick(change)
    return { model, rates: rates && JSON.stringify(rates) }
  })

const syncView = ({ id, format, origin, models, username, created_at }: PriceSyncRow): PriceSync => ({
  id,
  format: format as CatalogueFormat, // the table has what `apply` has written
  origin,
  models,
  username,
  created_at,
})

function parted<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const groups = Map.groupBy(items, isFirst)
  return [groups.get(true) ?? [], groups.get(false) ?? []]
}
