import { type ExpressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { logType } from '../../shared/enums.ts'
import { secondOf } from '../base/ids.ts'
import type { Db } from './database.ts'
import { containing, contains, isLike } from './match.ts'
import { countUpTo, type PageRange } from './page.ts'
import type { LogRow, Schema } from './schema.ts'

/** Narrows a list of log rows; empty text and 0 do not narrow. Times are unix seconds, both ends included. */
export type LogFilter = Readonly<{
  /** Whose rows; 0 is a user as well, absent is everybody. */
  userId?: number | undefined
  type?: number
  username?: string
  token_name?: string
  /** A name, or a pattern with the caller's `%` (see `modelPattern`). */
  model_name?: string
  start_timestamp?: number
  end_timestamp?: number
  channel?: number
  group?: string
  /** Texts that a name contains, in any case (that of ASCII letters on SQLite). */
  username_contains?: string | undefined
  token_contains?: string | undefined
  model_contains?: string | undefined
  group_contains?: string | undefined
  /** Whether the answer was streamed. */
  stream?: boolean | undefined
  /** Whether more than one channel was asked, or one of them more than once. */
  retried?: boolean | undefined
  request_id?: string | undefined
}>
/** Sums over consumption: quota, and prompt and completion tokens together. */
export type LogSums = Readonly<{ quota: number; token: number }>
/** Requests and tokens of one minute. */
type LogRates = Readonly<{ rpm: number; tpm: number }>

/** How many rows fit, as far as anybody counts: `isMore` when there are more than `total`. */
export type LogCount = Readonly<{ total: number; isMore: boolean }>
/** Rows after which a page begins: as many as `offset`, or those down to the id `before`, which costs nothing to pass. */
type LogRange = PageRange & Readonly<{ before?: number | undefined }>

/** Rows are counted up to here. */
export const MAX_COUNTED = 10_000
/** Rows that a clearing would remove are counted up to here. */
const MAX_CLEARED = 1_000_000
/** A search looks through as many of the newest rows. */
const MAX_SEARCHED = 50_000
/** A stretch of time with no more rows is read by the index of times; a longer one in the order of ids. */
const MAX_BY_TIME = 50_000

/**
 * The `logs` table, written by the ledger and read here. Lists stand by falling id. Filters, counts and sums are answered
 * from indexes; only the rows of a page are read themselves.
 */
export const logStore = (db: Db) => ({
  async page(filter: LogFilter, { offset, limit, before }: LogRange): Promise<LogRow[]> {
    const byTime = await isShort(db, filter)
    const ids = narrowed(db, filter, byTime)
      .select('id')
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
      .orderBy(byTime ? sql`+id` : 'id', 'desc')
      .limit(limit)
      .offset(before === undefined ? offset : 0)
    return db.selectFrom('logs').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  },
  /** How many rows fit, counted up to 10,000. */
  async count(filter: LogFilter): Promise<LogCount> {
    const byTime = await isShort(db, filter)
    // The newest rows first: the filters of the console mostly ask for those.
    const rows = narrowed(db, filter, byTime)
      .select('id')
      .orderBy(byTime ? 'created_at' : 'id', 'desc')
    const n = await countUpTo(db, rows, MAX_COUNTED + 1)
    return { total: Math.min(n, MAX_COUNTED), isMore: n > MAX_COUNTED }
  },

  /** Sums the consumption among the rows that fit, whatever type the filter asks for (docs/reference/logs.md#sums). */
  async sums(filter: LogFilter): Promise<LogSums> {
    const { quota, token } = await consumption(db, filter, await isSummedByTime(db, filter))
      .select(({ fn }) => [fn.sum<number | null>('quota').as('quota'), tokens().as('token')])
      .executeTakeFirstOrThrow()
    return { quota: Number(quota ?? 0), token: Number(token ?? 0) }
  },
  /** Requests and tokens from `since` on, under all filters but the times. */
  async rates(filter: LogFilter, since: number): Promise<LogRates> {
    const lately = { ...filter, start_timestamp: since, end_timestamp: 0 }
    const { n, token } = await consumption(db, lately, await isSummedByTime(db, lately))
      .select(({ fn }) => [fn.countAll<number>().as('n'), tokens().as('token')])
      .executeTakeFirstOrThrow()
    return { rpm: Number(n), tpm: Number(token ?? 0) }
  },

  /**
   * The newest rows whose type is the number `keyword` or whose content contains it, all rows for an empty one; among
   * the newest 50,000. `isComplete` unless there were older rows to look through.
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

  /** The names of these channels by id; those that are gone are missing. */
  async channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
})

/** Deletes at most `limit` of the oldest rows made before `before`, but for young audit rows; returns how many. */
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

/** `now` in unix seconds, and how many rows at most. */
type Removal = Readonly<{ now: number; limit: number }>

/** Rows of type manage say what administrators did: no clearing and no retention removes one that is younger than this. */
const AUDIT_DAYS = 180

/** Whether a row may be removed at a time, in unix seconds. */
export const isNoYoungAudit =
  (now: number) =>
  ({ eb, or }: ExpressionBuilder<Schema, 'logs'>) =>
    or([eb('logs.type', '<>', logType.manage), eb('logs.created_at', '<', now - AUDIT_DAYS * 86_400)])

/** How many rows made before a time may be removed, counted up to a million by the index of times. */
export async function countBefore(db: Db, before: number, now: number): Promise<LogCount> {
  const rows = db.selectFrom('logs').select('id').where('created_at', '<', before).where(isNoYoungAudit(now))
  const n = await countUpTo(db, rows, MAX_CLEARED + 1)
  return { total: Math.min(n, MAX_CLEARED), isMore: n > MAX_CLEARED }
}

/** The newest charge of a token of the user that was logged at this second, if there is one. */
export const chargeAt = (db: Db, userId: number, at: number): Promise<LogRow | undefined> =>
  db
    .selectFrom('logs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('created_at', '=', at)
    .where('type', '=', logType.consume)
    .where('token_id', '>', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * The LIKE pattern a model filter stands for, `%` being the caller's; undefined for a plain name, which is compared as
 * it is. At most two `%` beside at least two other characters make a pattern, so that nobody can ask for a costly one
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

/** Whether the filter's times enclose so few rows that reading those is cheaper than walking down the ids. */
async function isShort(db: Db, filter: LogFilter): Promise<boolean> {
  const { start_timestamp = 0, end_timestamp = 0, request_id } = filter
  if (request_id) return false
  if (start_timestamp === 0 && end_timestamp === 0) return false
  const enclosed = narrowed(db, { start_timestamp, end_timestamp }, true).select('id')
  return (await countUpTo(db, enclosed, MAX_BY_TIME + 1)) <= MAX_BY_TIME
}

/** A sum has no order to keep: everybody's rows are added up as they lie one behind the other in the index of times. */
const isSummedByTime = async (db: Db, filter: LogFilter): Promise<boolean> =>
  filter.userId === undefined || isShort(db, filter)

type Narrowing = SelectQueryBuilder<Schema, 'logs', Record<never, never>>

/**
 * The rows that fit. Both databases would choose an index by guesses about what the log holds; a `+` hides a column from
 * them, so that the times lead (`byTime`) or the order of ids does; where a request is named, the second it came in does.
 */
function narrowed(db: Db, filter: LogFilter, byTime = false): Narrowing {
  const { userId, type, channel, start_timestamp, end_timestamp, stream, retried, request_id } = filter
  const user = byTime || request_id ? sql<number>`+user_id` : sql.ref<number>('user_id')
  const time = byTime ? sql.ref<number>('created_at') : sql<number>`+created_at`
  let query: Narrowing = db.selectFrom('logs')
  if (userId !== undefined) query = query.where(user, '=', userId)
  if (type) query = query.where('type', '=', type)
  if (channel) query = query.where('channel_id', '=', channel)
  if (stream !== undefined) query = query.where('is_stream', '=', stream ? 1 : 0)
  if (retried !== undefined) query = query.where('retries', retried ? '>' : '=', 0)
  if (request_id) query = ofRequest(query, request_id)
  if (start_timestamp || byTime) query = query.where(time, '>=', start_timestamp ?? 0)
  if (end_timestamp) query = query.where(time, '<=', end_timestamp)
  return named(db, query, filter)
}

/**
 * The row of one request, looked for in the seconds around the one that its id tells in local time, also where a clock was put
 * forward or back for the summer meanwhile. None where it is no id of ours.
 */
function ofRequest(query: Narrowing, requestId: string): Narrowing {
  const second = secondOf(requestId)
  if (second === undefined) return query.where(sql<SqlBool>`1 = 0`)
  const near = [-HOUR_S, 0, HOUR_S].flatMap((shift) => [-1, 0, 1].map((beside) => second + shift + beside))
  return query.where('created_at', 'in', near).where('request_id', '=', requestId)
}

const HOUR_S = 3600

/** The rows whose names are those of the filter, or contain its texts. */
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
