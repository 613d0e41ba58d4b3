import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { CatalogueComparison, CatalogueFormat, PriceRates, PriceSync } from '../../../shared/api/catalogue.ts'
import { parsed } from '../../../shared/json.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { sha256 } from '../../base/ids.ts'
import { lruLife, upTo } from '../../base/lru.ts'
import type { FetchTrusted } from '../../base/network/http-client.ts'
import type { Settings } from '../../settings/settings.ts'
import { priceSyncStore, type SyncedRates } from '../../store/channels/price-syncs.ts'
import type { PriceSyncRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { bundledCatalogue } from './bundled.ts'
import { fetchCatalogue } from './catalogue-source.ts'
import { type CatalogueChanges, type ComparedRow, compareCatalogue, withEntries } from './compare.ts'
import { notePrices, type PriceActor } from './price-log.ts'
import { type PriceMapsInForce, priceMapsOf } from './price-maps.ts'
import { entriesOf, isSameRates, mapOf, type PriceMaps } from './rates.ts'
import { type Catalogue, readCatalogue } from './reading.ts'
import { writtenBy } from './written-rates.ts'

type CatalogueSource =
  | Readonly<{ source: 'bundled' }>
  | Readonly<{ source: 'url'; url: string }>
  | Readonly<{ source: 'file'; file?: unknown }>

type ChosenPrices = Readonly<{
  format: CatalogueFormat
  origin: string
  maps: PriceMaps
  /** The new map entries of each model. */
  rates: ReadonlyMap<string, PriceRates>
  /** The part the catalogue provides; the rest are current values. */
  catalogueRates: ReadonlyMap<string, PriceRates>
}>

/** Price updates from catalogues (docs/reference/billing.md#price-catalogues). */
export interface PriceSyncs {
  compare(source: CatalogueSource): Promise<CatalogueComparison>
  /**
   * Returns the rates of models chosen from a comparison. Throws if the comparison has expired or prices changed since.
   */
  chosen(digest: string, models: readonly string[]): ChosenPrices
  apply(digest: string, models: readonly string[], actor: PriceActor): Promise<PriceSync>
  last(): Promise<PriceSync | null>
  /** Undoes the last update, for the models whose price is still as it left it. Throws for an earlier update. */
  undo(id: number, actor: PriceActor): Promise<{ undone: number; kept: string[] }>
}

type PriceSyncsDeps = Readonly<{
  db: Db
  settings: Pick<Settings, 'get' | 'change'>
  fetchTrusted: FetchTrusted
  /** Models of enabled channels. */
  offered: () => readonly string[]
  auditLog: AuditLog
  clock: Clock
}>

/** Max cached comparisons, and their lifetime. */
const MAX_COMPARISONS = 8
const COMPARISON_TTL_MS = 30 * 60_000
const MAX_UNREADABLE = 2000
/** Max catalogues fetched concurrently: each may be tens of megabytes. */
const MAX_FETCHES = 3

type CachedComparison = Readonly<{
  format: CatalogueFormat
  origin: string
  maps: PriceMaps
  quotaPerUnit: number
  rows: ReadonlyMap<string, ComparedRow>
}>

export function createPriceSyncs(deps: PriceSyncsDeps): PriceSyncs {
  const { settings, clock } = deps
  const store = priceSyncStore(deps.db)
  const parts = { ...deps, store, prices: priceMapsOf(settings) }
  // Serialized, so that an update's record is not overwritten by a concurrent one.
  const mutex = pLimit(1)
  const fetchLimit = pLimit(MAX_FETCHES)
  const comparisons = new LRUCache<string, CachedComparison>({
    ...upTo(MAX_COMPARISONS),
    ...lruLife(COMPARISON_TTL_MS, () => clock.monotonic()),
  })
  const chosen = (digest: string, models: readonly string[]): ChosenPrices => {
    const found = comparisons.get(digest)
    if (!found) throw refuse('invalid', 'catalogue.compare_again')
    const { format, origin, maps, rows } = found
    // A value in force keeps its identity until it changes.
    const isSame = Object.values(mapOf).every((name) => settings.get(name) === maps[name])
    if (!isSame || settings.get('QuotaPerUnit') !== found.quotaPerUnit)
      throw refuse('invalid', 'catalogue.changed_meanwhile')
    const picked = models.map((model) => rowOf(rows, model))
    const rates = new Map(picked.map(({ model, entries }) => [model, entries]))
    return {
      format,
      origin,
      maps,
      rates,
      catalogueRates: new Map(picked.map(({ model, catalogueRates }) => [model, catalogueRates])),
    }
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
    comparisons.set(digest, { format, origin, maps, quotaPerUnit, rows })
    return viewOf(digest, catalogue, compared)
  }
  return {
    compare: (source) => (source.source === 'url' ? fetchLimit(() => compare(source)) : compare(source)),
    chosen,
    apply: (digest, models, actor) => mutex(() => applyChosen(chosen(digest, models), actor, parts)),
    async last() {
      const row = await store.last()
      return row ? syncView(row) : null
    },
    undo: (id, actor) => mutex(() => undoSync(id, actor, parts)),
  }
}

type Parts = Pick<PriceSyncsDeps, 'auditLog' | 'clock'> &
  Readonly<{ store: ReturnType<typeof priceSyncStore>; prices: PriceMapsInForce }>

async function applyChosen(chosen: ChosenPrices, actor: PriceActor, parts: Parts): Promise<PriceSync> {
  const { store, prices } = parts
  const { format, origin, maps, rates, catalogueRates } = chosen
  const earlier = await writtenBy(store)
  const changes = new Map(
    [...rates].map(([model, after]) => [
      model,
      { before: entriesOf(maps, model), after, synced: earlier.get(model) ?? null },
    ]),
  )
  const created_at = unixSeconds(parts.clock)
  const row = { format, origin, models: rates.size, username: actor.username, created_at }
  // Stores the undo record first: without it an update could not be undone.
  const record = { ...row, changes: JSON.stringify([...changes]) }
  const id = await store.add(
    record,
    [...catalogueRates].map(([model, own]) => ({ model, rates: JSON.stringify({ ...earlier.get(model), ...own }) })),
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
  const [revertible, changedSince] = partition(changes, ([model, { after }]) =>
    isSameRates(entriesOf(maps, model), after),
  )
  const back = new Map(revertible.map(([model, { before }]) => [model, before]))
  const isWritten = await prices.write({
    before: maps,
    after: withEntries(maps, back),
    author: actor,
    origin: 'undo',
  })
  if (!isWritten) throw refuse('invalid', 'catalogue.changed_meanwhile')
  await store.remove(
    id,
    syncedOf(new Map(revertible), ({ synced }) => synced),
  )
  notePrices(parts, actor, { key: 'log.price_undo', models: [...back.keys()] })
  return { undone: back.size, kept: changedSince.map(([model]) => model).sort() }
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
    rows: rows.map(({ entries: _, catalogueRates: __, ...row }) => row),
    same: [...same],
    only_here: [...only_here],
    unreadable: unreadable.slice(0, MAX_UNREADABLE),
    unreadable_total: unreadable.length,
  }
}

/**
 * The effect of an update on one model: its map entries before and after, and the rates an earlier update had written.
 */
type SyncChange = Readonly<{ before: PriceRates; after: PriceRates; synced: PriceRates | null }>

const changesIn = (text: string): ReadonlyMap<string, SyncChange> => {
  const list = parsed(text)
  return new Map(Array.isArray(list) ? (list as [string, SyncChange][]) : []) // only written by `apply`
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
  format: format as CatalogueFormat, // the table contains what `apply` wrote
  origin,
  models,
  username,
  created_at,
})

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  const groups = Map.groupBy(items, isFirst)
  return [groups.get(true) ?? [], groups.get(false) ?? []]
}
