import { type RawBuilder, sql } from 'kysely'
import type { Cell } from '../sqlite/bulk-insert.ts'
import type { Db, Sqlite } from '../sqlite/database.ts'
import { bucketOf } from './latency-buckets.ts'

/** One request as counted in the hourly tables; a folded row of errors represents several requests. */
export type CountedRequest = Readonly<{
  /** Unix seconds. */
  at: number
  userId: number
  username: string
  /** 0 for the playground. */
  tokenId: number
  model: string
  /** Number of failed requests; 0 if the request was charged. */
  errors: number
  quota: number
  /** Prompt and completion tokens. */
  tokens: number
  /** Milliseconds; negative if unknown. `firstByteMs` is also negative if the response was not streamed. */
  tookMs: number
  firstByteMs: number
}>

export type ChannelOutcome = Readonly<{ at: number; channelId: number; served: number; failed: number }>

/** The names that identify a charge in the hourly tables, in addition to its ids. */
export type CountedNames = Readonly<{ username: string; model: string }>

const HOUR_S = 3600

/** Returns the start of the hour of a time; unix seconds. */
export const hourOf = (at: number): number => at - (((at % HOUR_S) + HOUR_S) % HOUR_S)

type HourTable = 'quota_data' | 'usage_hours' | 'latency_hours' | 'channel_hours'

const shapes = {
  quota_data: { keys: ['user_id', 'username', 'model_name', 'created_at'], sums: ['count', 'quota', 'token_used'] },
  usage_hours: { keys: ['kind', 'created_at', 'subject'], sums: ['count', 'errors', 'quota', 'token_used'] },
  latency_hours: { keys: ['measure', 'created_at', 'bucket'], sums: ['count'] },
  channel_hours: { keys: ['created_at', 'channel_id'], sums: ['served', 'failed'] },
} as const satisfies Record<HourTable, { keys: readonly string[]; sums: readonly string[] }>
const tables = Object.keys(shapes) as HourTable[] // the keys of the object above

/** Request totals by hour. Write them in the same transaction as the rows they are counted from. */
interface HourSums {
  add(request: CountedRequest): void
  addOutcome(outcome: ChannelOutcome): void
  rows(): Iterable<HourRow>
}

type HourRow = Readonly<{ table: HourTable; cells: readonly Cell[] }>

/** The sums of the requests of one hour, account, token and model. */
type HourGroup = {
  readonly hour: number
  readonly request: CountedRequest
  readonly isServed: boolean
  requests: number
  errors: number
  quota: number
  tokens: number
  /** Number of responses by bucket of their total time, and by bucket of the time to their first byte. */
  readonly whole: Map<number, number>
  readonly first: Map<number, number>
}

/** Groups similar requests first, so that each request costs one lookup; only groups are spread over the tables. */
export function createHourSums(): HourSums {
  const groups = new Map<string, HourGroup>()
  const outcomes = new Map<string, ChannelOutcome>()
  return {
    add(request) {
      const hour = hourOf(request.at)
      const isServed = request.errors === 0
      const name = `${hour} ${request.userId} ${request.tokenId} ${isServed} ${request.username}\n${request.model}`
      let group = groups.get(name)
      if (!group) {
        group = {
          hour,
          request,
          isServed,
          requests: 0,
          errors: 0,
          quota: 0,
          tokens: 0,
          whole: new Map(),
          first: new Map(),
        }
        groups.set(name, group)
      }
      if (isServed) group.requests += 1
      group.errors += request.errors
      group.quota += request.quota
      group.tokens += request.tokens
      if (isServed && request.tookMs >= 0) increase(group.whole, bucketOf(request.tookMs))
      if (isServed && request.firstByteMs >= 0) increase(group.first, bucketOf(request.firstByteMs))
    },
    addOutcome({ at, channelId, served, failed }) {
      const hour = hourOf(at)
      const name = `${hour} ${channelId}`
      const known = outcomes.get(name)
      const sum = { served: served + (known?.served ?? 0), failed: failed + (known?.failed ?? 0) }
      outcomes.set(name, { at: hour, channelId, ...sum })
    },
    rows: () => rowsOf(groups.values(), outcomes.values()),
  }
}

const increase = (counts: Map<number, number>, bucket: number) => void counts.set(bucket, (counts.get(bucket) ?? 0) + 1)

/** One row for each hour and subject, with the sums of its groups. */
function rowsOf(groups: Iterable<HourGroup>, outcomes: Iterable<ChannelOutcome>): Iterable<HourRow> {
  const rows = new Map<string, { table: HourTable; cells: Cell[]; keys: number }>()
  const put = (table: HourTable, keys: readonly Cell[], values: readonly number[]) => {
    const name = `${table}\n${keys.join('\n')}`
    const row = rows.get(name)
    if (!row) rows.set(name, { table, cells: [...keys, ...values], keys: keys.length })
    else
      for (const [index, value] of values.entries())
        row.cells[row.keys + index] = Number(row.cells[row.keys + index]) + value
  }
  for (const { hour, request, isServed, requests, errors, quota, tokens, whole, first } of groups) {
    const { userId, username, tokenId, model } = request
    const usage = [requests, errors, quota, tokens]
    put('usage_hours', ['all', hour, ''], usage)
    put('usage_hours', ['user', hour, String(userId)], usage)
    if (tokenId > 0) put('usage_hours', ['token', hour, String(tokenId)], usage)
    if (!isServed) continue
    put('usage_hours', ['model', hour, model], usage)
    put('quota_data', [userId, username, model, hour], [requests, quota, tokens])
    for (const [bucket, count] of whole) put('latency_hours', ['whole', hour, bucket], [count])
    for (const [bucket, count] of first) put('latency_hours', ['first', hour, bucket], [count])
  }
  for (const { at, channelId, served, failed } of outcomes) put('channel_hours', [at, channelId], [served, failed])
  return rows.values()
}

/** Rows per statement: inserting several at once costs about half as much as one by one. */
const ROWS = 10

/** Prepares the statements; the returned function adds sums within a transaction of this connection. */
export function hourWriter(writer: Sqlite): (sums: HourSums) => void {
  const statements = tables.map((table) => {
    const { before, after, columns } = insertParts(table)
    const row = `(${columns.map(() => '?').join(', ')})`
    const prepared = (rows: number) => writer.prepare(`${before} ${new Array(rows).fill(row).join(', ')} ${after}`)
    return { table, width: columns.length, one: prepared(1), many: prepared(ROWS) }
  })
  return (sums) => {
    const cells: Record<HourTable, Cell[]> = { quota_data: [], usage_hours: [], latency_hours: [], channel_hours: [] }
    for (const row of sums.rows()) cells[row.table].push(...row.cells)
    for (const { table, width, one, many } of statements) {
      const all = cells[table]
      let from = 0
      for (; from + ROWS * width <= all.length; from += ROWS * width) many.run(all.slice(from, from + ROWS * width))
      for (; from < all.length; from += width) one.run(all.slice(from, from + width))
    }
  }
}

/** The rows of each table as objects, for a database that takes them as JSON. */
export function hourRecords(sums: HourSums): Readonly<Record<HourTable, readonly object[]>> {
  const records: Record<HourTable, object[]> = { quota_data: [], usage_hours: [], latency_hours: [], channel_hours: [] }
  for (const { table, cells } of sums.rows()) {
    const { keys, sums: names } = shapes[table]
    records[table].push(Object.fromEntries([...keys, ...names].map((name, index) => [name, cells[index]])))
  }
  return records
}

export async function writeHours(transaction: Db, sums: HourSums): Promise<void> {
  for (const { table, cells } of sums.rows()) {
    const { before, after } = insertParts(table)
    await sql`${sql.raw(before)} (${sql.join(cells)}) ${sql.raw(after)}`.execute(transaction)
  }
}

/** A refunded charge: where it was counted, and its quota. */
type TakenFromHours = CountedNames & Pick<CountedRequest, 'at' | 'userId' | 'tokenId' | 'quota'>

/**
 * Subtracts the quota of a refunded charge from its hour within a transaction; the request and token counts stay. Does
 * not recreate an hour that was already deleted.
 */
export async function takeFromHours(transaction: Db, taken: TakenFromHours): Promise<void> {
  const { at, userId, username, tokenId, model, quota } = taken
  const hour = hourOf(at)
  await transaction
    .updateTable('quota_data')
    .set((eb) => ({ quota: eb('quota', '-', quota) }))
    .where('user_id', '=', userId)
    .where('username', '=', username)
    .where('model_name', '=', model)
    .where('created_at', '=', hour)
    .execute()
  const subjects = { all: '', user: String(userId), token: String(tokenId), model }
  for (const [kind, subject] of Object.entries(subjects))
    await transaction
      .updateTable('usage_hours')
      .set((eb) => ({ quota: eb('quota', '-', quota) }))
      .where('kind', '=', kind)
      .where('created_at', '=', hour)
      .where('subject', '=', subject)
      .execute()
}

/** Retention partitions: the oldest hour is found separately for each value of the column. */
const partitions = [
  ['usage_hours', 'kind', ['all', 'user', 'token', 'model']],
  ['latency_hours', 'measure', ['whole', 'first']],
] as const

/**
 * Deletes the oldest hour of each kind if it began before `before`; returns how many rows were deleted, 0 if none are
 * left.
 */
export async function removeOldestHours(db: Db, before: number): Promise<number> {
  let removed = 0
  for (const table of ['quota_data', 'channel_hours'] as const)
    removed += await removeOldest(db, table, sql`true`, before)
  for (const [table, column, values] of partitions)
    for (const value of values) removed += await removeOldest(db, table, sql`${sql.ref(column)} = ${value}`, before)
  return removed
}

async function removeOldest(db: Db, table: HourTable, isOf: RawBuilder<unknown>, before: number): Promise<number> {
  const oldest = sql`select min(created_at) from ${sql.table(table)} where ${isOf} and created_at < ${before}`
  const { numAffectedRows = 0n } =
    await sql`delete from ${sql.table(table)} where ${isOf} and created_at = (${oldest})`.execute(db)
  return Number(numAffectedRows)
}

function insertParts(table: HourTable) {
  const { keys, sums } = shapes[table]
  const columns: readonly string[] = [...keys, ...sums]
  const added = sums.map((name) => `"${name}" = ${table}."${name}" + excluded."${name}"`)
  return {
    columns,
    before: `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) values`,
    after: `on conflict (${keys.map((name) => `"${name}"`).join(', ')}) do update set ${added.join(', ')}`,
  }
}
