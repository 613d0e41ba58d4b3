import pLimit from 'p-limit'
import type { CatalogueFormat, PriceRates } from '../../../shared/api/catalogue.ts'
import type { ChangedSchedule, EnteredSchedule, ScheduledPrice } from '../../../shared/api/scheduled-prices.ts'
import { pricedName } from '../../../shared/priced-name.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { type Jobs, nothingDue } from '../../base/jobs.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import { priceSyncStore } from '../../store/channels/price-syncs.ts'
import { scheduledPriceStore } from '../../store/channels/scheduled-prices.ts'
import type { PageRange } from '../../store/page.ts'
import type { ScheduledPriceRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { withEntries } from './compare.ts'
import { priceOfRates, ratesOfEntered } from './entered-price.ts'
import { notePrices, type PriceActor } from './price-log.ts'
import { priceMapsOf } from './price-maps.ts'
import { entriesOf, isSameRates, only, type PriceMaps } from './rates.ts'
import { ratesIn, writtenBy } from './written-rates.ts'

/** Prices that take effect at a scheduled time (docs/reference/billing.md#scheduled-prices). */
export interface PriceSchedule {
  /** Applies what is due, then returns a range of the list. */
  page(range: PageRange): Promise<{ rows: ScheduledPrice[]; total: number; pending: number }>
  add(entered: EnteredSchedule, actor: PriceActor): Promise<void>
  addChosen(chosen: ScheduledChoice, actor: PriceActor): Promise<number>
  /** Throws if the row no longer matches the `base` of the change. */
  change(id: number, entered: ChangedSchedule, actor: PriceActor): Promise<void>
  cancel(id: number, actor: PriceActor): Promise<void>
  /** Applies what is due, in order; the job does so every second. */
  applyDue(): Promise<void>
  /** Applies what is due on start. A failure does not block the start; the job retries. */
  atStart(): Promise<void>
  stop(): Promise<void>
}

type ScheduledChoice = Readonly<{
  format: CatalogueFormat
  /** The rates the catalogue provides; the others stay as they are at that time. */
  rates: ReadonlyMap<string, PriceRates>
  validFrom: number
  note: string
}>

type PriceScheduleDeps = Readonly<{
  db: Db
  settings: Pick<Settings, 'get' | 'change'>
  auditLog: AuditLog
  jobs: Jobs
  clock: Clock
  log: Logger
}>

const TICK_MS = 1000
const MAX_PENDING = 5000
const MAX_AT_ONCE = 500

/** Starts the job; `stop` ends it. Prices that became due while the gateway was stopped are applied on start. */
export function createPriceSchedule(deps: PriceScheduleDeps): PriceSchedule {
  const { db, settings, clock, jobs, log } = deps
  const store = scheduledPriceStore(db)
  const mutex = pLimit(1)
  const apply = () => mutex(() => applyAll(deps))
  const applyDue = async () => void (await apply())
  const job = jobs.begin({
    name: 'scheduled-prices',
    everyMs: TICK_MS,
    async work() {
      const n = await apply()
      return n === 0 ? nothingDue : { key: 'job.prices', params: { n } }
    },
  })
  const now = () => unixSeconds(clock)
  const view = (row: ScheduledPriceRow): ScheduledPrice => viewOf(row, settings.get('QuotaPerUnit'))

  const add = (choice: Addition, actor: PriceActor) => addRows(choice, actor, deps)

  return {
    async page(range) {
      await applyDue()
      const [{ rows, total }, pending] = await Promise.all([store.page(range), store.pending()])
      return { rows: rows.map(view), total, pending }
    },
    async add(entered, actor) {
      const rates = new Map([[entered.model.trim(), ratesOf(entered, settings.get('QuotaPerUnit'))]])
      await add({ rates, format: '', validFrom: entered.valid_from, note: entered.note }, actor)
    },
    async addChosen(choice, actor) {
      await add(choice, actor)
      return choice.rates.size
    },
    async change(id, entered, actor) {
      const rates = ratesOf(entered, settings.get('QuotaPerUnit'))
      checkTime(entered.valid_from, now())
      const model = entered.model.trim()
      const { valid_from, note } = entered
      const changed = await mutex(async () => {
        const row = await store.pendingById(id)
        if (row && isOutdated(row, entered.base)) throw refuse('invalid', 'catalogue.schedule_outdated')
        return store.change(id, { model, rates: JSON.stringify(rates), valid_from, note, format: '' })
      })
      if (!changed) throw refuse('invalid', 'catalogue.not_pending')
      notePrices(deps, actor, { key: 'log.price_schedule_changed', models: [model], params: { model } })
    },
    async cancel(id, actor) {
      const row = await mutex(() => store.cancel(id, now()))
      if (!row) throw refuse('invalid', 'catalogue.not_pending')
      const { model } = row
      notePrices(deps, actor, { key: 'log.price_schedule_cancelled', models: [model], params: { model } })
    },
    applyDue,
    atStart: () => applyDue().catch((error) => log.error('scheduled prices could not be put in force', { error })),
    async stop() {
      await job.stop()
      await mutex(() => undefined)
    },
  }
}

type Addition = Omit<ScheduledChoice, 'format'> & Readonly<{ format: CatalogueFormat | '' }>

async function addRows({ rates, format, validFrom, note }: Addition, actor: PriceActor, deps: PriceScheduleDeps) {
  const store = scheduledPriceStore(deps.db)
  const created_at = unixSeconds(deps.clock)
  checkTime(validFrom, created_at)
  if ((await store.pending()) + rates.size > MAX_PENDING)
    throw refuse('invalid', 'catalogue.too_many_scheduled', { max: MAX_PENDING })
  const common = { valid_from: validFrom, note, format, username: actor.username, created_at }
  await store.add([...rates].map(([model, own]) => ({ model, rates: JSON.stringify(own), ...common })))
  const time = new Date(validFrom * 1000).toISOString()
  notePrices(deps, actor, { key: 'log.price_scheduled', models: [...rates.keys()], params: { time } })
}

/** Applies all due rows in batches; of several prices of a model, the latest wins. Returns how many were applied. */
async function applyAll(deps: PriceScheduleDeps): Promise<number> {
  const { db, settings, clock } = deps
  const store = scheduledPriceStore(db)
  const prices = priceMapsOf(settings)
  const nowSeconds = unixSeconds(clock)
  for (let max = MAX_AT_ONCE, count = 0; ; ) {
    const due = await store.due(nowSeconds, max)
    if (due.length === 0) return count
    const maps = prices.read()
    const entries = entriesAfter(due, maps)
    const state = await writeEntries(prices, maps, entries)
    // A price was changed concurrently; the next run starts from the new values.
    if (state === 'changed meanwhile') return count
    // A price that cannot be stored must not fail the others, so the batch is halved.
    max = state === 'failed' && due.length > 1 ? Math.ceil(due.length / 2) : MAX_AT_ONCE
    if (max < due.length) continue
    if (state === 'applied') count += due.length
    await store.done(
      due.map(({ id }) => id),
      state,
      nowSeconds,
    )
    if (state === 'applied') await noteSynced(db, due, entries)
    const key = state === 'applied' ? 'log.price_applied' : 'log.price_failed'
    notePrices(deps, { id: 0, username: '', locale: 'en' }, { key, models: [...entries.keys()] })
  }
}

async function writeEntries(
  prices: ReturnType<typeof priceMapsOf>,
  maps: PriceMaps,
  entries: ReadonlyMap<string, PriceRates>,
): Promise<'applied' | 'failed' | 'changed meanwhile'> {
  try {
    const author = { id: 0, username: '' }
    const isWritten = await prices.write({
      before: maps,
      after: withEntries(maps, entries),
      author,
      origin: 'schedule',
    })
    return isWritten ? 'applied' : 'changed meanwhile'
  } catch (error) {
    if (error instanceof GatewayError && error.kind === 'invalid') return 'failed'
    throw error
  }
}

/** The new map entries of each model: the scheduled rates, merged over the current ones if both are ratios. */
function entriesAfter(due: readonly ScheduledPriceRow[], maps: PriceMaps): ReadonlyMap<string, PriceRates> {
  const entries = new Map<string, PriceRates>()
  for (const { model, rates: text } of due) {
    const rates = ratesIn(text)
    const { fixed: _, ...own } = entries.get(model) ?? entriesOf(maps, model)
    entries.set(model, rates.fixed === undefined ? { ...own, ...rates } : { fixed: rates.fixed })
  }
  return entries
}

/**
 * Records catalogue prices as synced, so that a scheduled one does not count as set by hand; a price entered by hand
 * later does.
 */
async function noteSynced(db: Db, due: readonly ScheduledPriceRow[], entries: ReadonlyMap<string, PriceRates>) {
  const syncedRates = new Map<string, PriceRates>()
  for (const { model, format, rates: text } of due) {
    const own = Object.keys(ratesIn(text))
    const before = Object.keys(syncedRates.get(model) ?? {})
    const names = format === '' ? before.filter((name) => !own.includes(name)) : [...before, ...own]
    syncedRates.set(model, only(entries.get(model) ?? {}, names))
  }
  const store = priceSyncStore(db)
  const earlier = await writtenBy(store)
  const synced = [...syncedRates].filter(([, rates]) => Object.keys(rates).length > 0)
  await store.note(
    synced.map(([model, rates]) => ({ model, rates: JSON.stringify({ ...earlier.get(model), ...rates }) })),
  )
}

function ratesOf({ model, price }: EnteredSchedule, quotaPerUnit: number): PriceRates {
  const name = pricedName(model.trim())
  if (name !== model.trim()) throw refuse('invalid', 'catalogue.folded', { model, name })
  return ratesOfEntered(price, quotaPerUnit)
}

const isOutdated = (row: ScheduledPriceRow, base: ChangedSchedule['base']): boolean =>
  base !== undefined &&
  (row.model !== base.model ||
    row.valid_from !== base.valid_from ||
    row.note !== base.note ||
    !isSameRates(ratesIn(row.rates), base.rates))

function checkTime(validFrom: number, nowSeconds: number): void {
  if (validFrom <= nowSeconds) throw refuse('invalid', 'catalogue.past')
}

function viewOf(row: ScheduledPriceRow, quotaPerUnit: number): ScheduledPrice {
  const { id, model, valid_from, note, state, username, created_at, done_at } = row
  const format = row.format as ScheduledPrice['format'] // the table contains what `add` wrote
  const price = priceOfRates(ratesIn(row.rates), quotaPerUnit)
  return { id: Number(id), model, price, valid_from, note, format, state, username, created_at, done_at }
}
