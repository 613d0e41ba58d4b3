import { type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { LogSort, logSorts } from '../../../shared/api/log.ts'
import { logType } from '../../../shared/enums.ts'
import { secondOf } from '../../base/ids.ts'
import { containing, contains, isLike } from '../match.ts'
import { countUpTo, type PageRange, sortOf } from '../page.ts'
import type { LogRow, Schema } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

/** Filters log rows; empty strings and 0 match everything. Times are unix seconds, both ends inclusive. */
export type LogFilter = Readonly<{
  /** 0 matches the user with id 0; undefined matches everyone. */
  userId?: number | undefined
  type?: number
  username?: string
  token_name?: string
  /** Unlike the name, identifies one token of one user, even after it was renamed. */
  token_id?: number | undefined
  /** A name, or a pattern with the caller's `%` (see `modelPattern`). */
  model_name?: string
  start_timestamp?: number
  end_timestamp?: number
  channel?: number
  group?: string
  /** Substrings of the names, ignoring case (only of ASCII letters on SQLite). */
  username_contains?: string | undefined
  token_contains?: string | undefined
  model_contains?: string | undefined
  group_contains?: string | undefined
  stream?: boolean | undefined
  /** The id of a channel on which the request failed, in the end or before another channel was tried. */
  failed_on?: number
  /** Whether the request was retried, on another channel or on the same one. */
  retried?: boolean | undefined
  request_id?: string | undefined
}>
/** Sums over consumption; `token` adds prompt and completion tokens. */
type LogSums = Readonly<{ quota: number; token: number }>
type LogRates = Readonly<{ rpm: number; tpm: number }>

/** Number of matching rows; `isMore` if the count stopped at `total`. */
export type LogCount = Readonly<{ total: number; isMore: boolean }>
/**
 * Where a page starts: after `offset` rows, or, without `sort`, below the id `before`, so that no rows have to be
 * skipped.
 */
type LogRange = PageRange & Readonly<{ before?: number | undefined; sort?: LogSort | undefined }>

export const MAX_COUNTED = 10_000
const MAX_CLEARED = 1_000_000
/** The number of newest rows that a search scans, and that a sorted list covers. */
const MAX_SEARCHED = 50_000
/** A time range with at most this many rows is read through the time index; a longer one in id order. */
const MAX_BY_TIME = 50_000

/**
 * Reads the `logs` table. Lists are in descending id order unless they are sorted. On SQLite, counts, sums and most
 * filters use only indexes, so that full rows are read only for a page; searches read contents.
 */
export const logStore = (db: Db) => ({
  async page(filter: LogFilter, { offset, limit, before, sort }: LogRange): Promise<LogRow[]> {
    const byTime = await isShort(db, filter)
    const order = sortOf(sort)
    if (order) return sortedPage(db, narrowed(db, filter, byTime), byTime, { ...order, offset, limit })
    const ids = narrowed(db, filter, byTime)
      .select('id')
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
      .orderBy(byTime ? sql`+id` : 'id', 'desc')
      .limit(limit)
      .offset(before === undefined ? offset : 0)
    return db.selectFrom('logs').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  },
  async count(filter: LogFilter): Promise<LogCount> {
    const byTime = await isShort(db, filter)
    // The newest rows first, because the console's filters mostly match those.
    const rows = narrowed(db, filter, byTime)
      .select('id')
      .orderBy(byTime ? 'created_at' : 'id', 'desc')
    const n = await countUpTo(db, rows, MAX_COUNTED + 1)
    return { total: Math.min(n, MAX_COUNTED), isMore: n > MAX_COUNTED }
  },

  /** Sums consumption among the matching rows, ignoring the filter's type (docs/reference/logs.md#sums). */
  async sums(filter: LogFilter): Promise<LogSums> {
    const { quota, token } = await consumption(db, filter, await isSummedByTime(db, filter))
      .select(({ fn }) => [fn.sum<number | null>('quota').as('quota'), tokens().as('token')])
      .executeTakeFirstOrThrow()
    return { quota: Number(quota ?? 0), token: Number(token ?? 0) }
  },
  /** Requests and tokens from `since` on; ignores the filter's times. */
  async rates(filter: LogFilter, since: number): Promise<LogRates> {
    const recent = { ...filter, start_timestamp: since, end_timestamp: 0 }
    const { n, token } = await consumption(db, recent, await isSummedByTime(db, recent))
      .select(({ fn }) => [fn.countAll<number>().as('n'), tokens().as('token')])
      .executeTakeFirstOrThrow()
    return { rpm: Number(n), tpm: Number(token ?? 0) }
  },

  /**
   * Searches the newest 50,000 rows for those whose type is the number `keyword` or whose content contains it; an empty
   * keyword matches all. `isComplete` is false if older rows were left unsearched and fewer than `limit` rows were
   * found.
   */
  async search(keyword: string, userId: number | undefined, limit: number) {
    const newest = narrowed(db, { userId }).orderBy('id', 'desc')
    const beyond = await newest.select('id').offset(MAX_SEARCHED).limit(1).executeTakeFirst()
    const rows: LogRow[] = await newest
      .selectAll()
      .where('id', '>', beyond?.id ?? 0)
      .$if(keyword !== '', (query) =>
        query.where((eb) =>
          eb.or([
            contains(eb.ref('content'), keyword),
            ...(/^[1-5]$/.test(keyword) ? [eb('type', '=', Number(keyword))] : []),
          ]),
        ),
      )
      .limit(limit)
      .execute()
    return { rows, isComplete: beyond === undefined || rows.length === limit }
  },
  ofToken(userId: number, tokenId: number, limit: number): Promise<LogRow[]> {
    const ids = narrowed(db, { userId }).select('id').where('token_id', '=', tokenId).orderBy('id', 'desc').limit(limit)
    return db.selectFrom('logs').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  },

  /** Names of channels by id; deleted channels are missing from the map. */
  async channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
})

type SortedRange = PageRange & NonNullable<ReturnType<typeof sortOf<(typeof logSorts)[number]>>>

/** Returns a page of the newest 50,000 rows, sorted by a column of the index that they are read from. */
async function sortedPage(db: Db, rows: Narrowing, byTime: boolean, range: SortedRange): Promise<LogRow[]> {
  const { column, direction, offset, limit } = range
  const newest = rows
    .select(['id', column])
    .orderBy(byTime ? sql`+id` : 'id', 'desc')
    .limit(MAX_SEARCHED)
  const sorted = await db
    .selectFrom(newest.as('newest'))
    .select('id')
    .orderBy(column, direction)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  if (sorted.length === 0) return []
  const ids = sorted.map(({ id }) => id)
  const found = await db.selectFrom('logs').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(found.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Deletes at most `limit` of the oldest rows created before `before`, except recent audit rows; returns how many. */
export async function removeBefore(db: Db, before: number, { now, limit }: Removal): Promise<number> {
  const oldest = db
    .selectFrom('logs')
    .select('id')
    .where('created_at', '<', before)
    .where(isNoYoungAudit(now))
    .orderBy('created_at')
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('logs').where('id', 'in', oldest).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** `now` is in unix seconds. */
type Removal = Readonly<{ now: number; limit: number }>

/**
 * Rows of type `manage` record what administrators did; neither clearing nor retention deletes one younger than this.
 */
const AUDIT_DAYS = 180

/** SQL condition for rows that may be deleted at `now` (unix seconds). */
export const isNoYoungAudit =
  (now: number) =>
  ({ eb, or }: ExpressionBuilder<Schema, 'logs'>) =>
    or([eb('logs.type', '<>', logType.manage), eb('logs.created_at', '<', now - AUDIT_DAYS * 86_400)])

/** Counts the rows created before a time that may be deleted, up to a million, through the time index. */
export async function countBefore(db: Db, before: number, now: number): Promise<LogCount> {
  const rows = db.selectFrom('logs').select('id').where('created_at', '<', before).where(isNoYoungAudit(now))
  const n = await countUpTo(db, rows, MAX_CLEARED + 1)
  return { total: Math.min(n, MAX_CLEARED), isMore: n > MAX_CLEARED }
}

/**
 * Returns the newest charge that was logged in this second for the user's tokens, or only for the given token;
 * undefined without such a charge.
 */
export const chargeAt = (db: Db, userId: number, at: number, tokenId?: number): Promise<LogRow | undefined> =>
  db
    .selectFrom('logs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('created_at', '=', at)
    .where('type', '=', logType.consume)
    .where('token_id', '>', 0)
    .$if(tokenId !== undefined, (query) => query.where('token_id', '=', tokenId ?? 0))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * Returns the LIKE pattern of a model filter with the caller's `%`, or undefined for any other filter, which is
 * compared exactly. A pattern has one or two `%` and at least two other characters, which rules out expensive patterns
 * (docs/reference/logs.md#filters, docs/reference/security.md#input).
 */
export function modelPattern(filter: string): string | undefined {
  const wildcards = filter.split('%').length - 1
  if (wildcards < 1 || wildcards > 2 || filter.length - wildcards < 2) return undefined
  return filter.toLowerCase().replace(/[\\_]/g, '\\$&')
}

const tokens = () => sql<number | null>`sum(prompt_tokens + completion_tokens)`

const consumption = (db: Db, filter: LogFilter, byTime: boolean) =>
  narrowed(db, { ...filter, type: logType.consume }, byTime)

/** Returns whether the filter's time range contains so few rows that reading them is cheaper than scanning by id. */
async function isShort(db: Db, filter: LogFilter): Promise<boolean> {
  const { start_timestamp = 0, end_timestamp = 0, request_id, token_id } = filter
  if (request_id || token_id) return false
  if (start_timestamp === 0 && end_timestamp === 0) return false
  const enclosed = narrowed(db, { start_timestamp, end_timestamp }, true).select('id')
  return (await countUpTo(db, enclosed, MAX_BY_TIME + 1)) <= MAX_BY_TIME
}

/** Sums need no order, so for all users they read the time index sequentially. */
const isSummedByTime = async (db: Db, filter: LogFilter): Promise<boolean> =>
  (filter.userId === undefined && !filter.token_id) || isShort(db, filter)

type Narrowing = SelectQueryBuilder<Schema, 'logs', Record<never, never>>

/**
 * Returns the matching rows. Both databases would pick an index by guessing the contents of the log, so a `+` hides
 * columns from the planner. The planner then uses the time (`byTime`) or the id order, or, for a request id, the second
 * in which the request arrived.
 */
function narrowed(db: Db, filter: LogFilter, byTime = false): Narrowing {
  const { userId, type, channel, failed_on, token_id, start_timestamp, end_timestamp, stream, retried, request_id } =
    filter
  const user = byTime || request_id ? sql<number>`+user_id` : sql.ref<number>('user_id')
  const time = byTime ? sql.ref<number>('created_at') : sql<number>`+created_at`
  let query: Narrowing = db.selectFrom('logs')
  if (userId !== undefined) query = query.where(user, '=', userId)
  // The index that begins with the user id also contains the token id.
  else if (token_id)
    query = query.where(user, '=', db.selectFrom('tokens').select('user_id').where('id', '=', token_id))
  if (token_id) query = query.where('token_id', '=', token_id)
  if (type) query = query.where('type', '=', type)
  if (failed_on) query = failedOn(db, query, failed_on)
  if (channel) query = query.where('channel_id', '=', channel)
  if (stream !== undefined) query = query.where('is_stream', '=', stream ? 1 : 0)
  if (retried !== undefined) query = query.where('retries', retried ? '>' : '=', 0)
  if (request_id) query = ofRequest(query, request_id)
  if (start_timestamp || byTime) query = query.where(time, '>=', start_timestamp ?? 0)
  if (end_timestamp) query = query.where(time, '<=', end_timestamp)
  return named(db, query, filter)
}

/** Rows of requests that failed on a channel: in the end, or before another channel served or failed. */
const failedOn = (db: Db, query: Narrowing, channel: number): Narrowing =>
  query.where(({ and, eb, or, ref }) =>
    or([
      and([eb('type', '=', logType.error), eb('channel_id', '=', channel)]),
      and([eb('retries', '>', 0), isLike(db, ref('other'), containing(`"channel":${channel},`))]),
    ]),
  )

/**
 * Finds the row of one request by the local time in its id, allowing a second of difference and an hour for a daylight
 * saving change. Matches nothing if the id is not in our format.
 */
function ofRequest(query: Narrowing, requestId: string): Narrowing {
  const second = secondOf(requestId)
  if (second === undefined) return query.where(sql<SqlBool>`1 = 0`)
  const near = [-HOUR_S, 0, HOUR_S].flatMap((shift) => [-1, 0, 1].map((offset) => second + shift + offset))
  return query.where('created_at', 'in', near).where('request_id', '=', requestId)
}

const HOUR_S = 3600

function named(db: Db, rows: Narrowing, filter: LogFilter): Narrowing {
  const { username, token_name, group, model_name } = filter
  const { username_contains, token_contains, group_contains, model_contains } = filter
  let query = rows
  if (username) query = query.where('username', '=', username)
  if (token_name) query = query.where('token_name', '=', token_name)
  if (group) query = query.where('group', '=', group)
  if (model_name) query = ofModel(db, query, model_name)
  const parts = [
    ['username', username_contains],
    ['token_name', token_contains],
    ['group', group_contains],
    ['model_name', model_contains],
  ] as const
  for (const [column, part] of parts)
    if (part) query = query.where(({ ref }) => isLike(db, ref(column), containing(part)))
  return query
}

function ofModel(db: Db, query: Narrowing, filter: string): Narrowing {
  const pattern = modelPattern(filter)
  if (pattern === undefined) return query.where('model_name', '=', filter)
  return query.where(({ ref }) => isLike(db, ref('model_name'), pattern))
}
