import { type RawBuilder, sql } from 'kysely'
import type { Cell } from './bulk-insert.ts'
import type { Db, Sqlite } from './database.ts'
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
  /** Milliseconds; negative if unknown, `firstByteMs` also if the response was not streamed. */
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
  rows(): Iterable<Readonly<{ table: HourTable; cells: readonly Cell[] }>>
}

export function createHourSums(): HourSums {
  const sums = new Map<string, { table: HourTable; keys: readonly Cell[]; values: number[] }>()
  const put = (table: HourTable, keys: readonly Cell[], values: number[]) => {
    const name = `${table}\n${keys.join('\n')}`
    const known = sums.get(name)
    if (!known) sums.set(name, { table, keys, values })
    else
      values.forEach((value, index) => {
        known.values[index] = (known.values[index] ?? 0) + value
      })
  }
  return {
    add({ at, userId, username, tokenId, model, errors, quota, tokens, tookMs, firstByteMs }) {
      const hour = hourOf(at)
      const served = errors === 0 ? 1 : 0
      const usage = () => [served, errors, quota, tokens]
      put('usage_hours', ['all', hour, ''], usage())
      put('usage_hours', ['user', hour, String(userId)], usage())
      if (tokenId > 0) put('usage_hours', ['token', hour, String(tokenId)], usage())
      if (errors > 0) return
      put('usage_hours', ['model', hour, model], usage())
      put('quota_data', [userId, username, model, hour], [1, quota, tokens])
      if (tookMs >= 0) put('latency_hours', ['whole', hour, bucketOf(tookMs)], [1])
      if (firstByteMs >= 0) put('latency_hours', ['first', hour, bucketOf(firstByteMs)], [1])
    },
    addOutcome: ({ at, channelId, served, failed }) => put('channel_hours', [hourOf(at), channelId], [served, failed]),
    *rows() {
      for (const { table, keys, values } of sums.values()) yield { table, cells: [...keys, ...values] }
    },
  }
}

/** Rows per statement; batching about halves the cost per row. */
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
