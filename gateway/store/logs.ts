import { type SelectQueryBuilder, sql } from 'kysely'
import { logType } from '../../shared/enums.ts'
import type { Db } from './database.ts'
import { contains } from './match.ts'
import { countUpTo, type Stretch } from './page.ts'
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
}>
/** Sums over consumption: quota, and prompt and completion tokens together. */
export type LogSums = Readonly<{ quota: number; token: number }>
/** Requests and tokens of one minute. */
export type LogRates = Readonly<{ rpm: number; tpm: number }>

const MOST_COUNTED = 100_000

/** The `logs` table, written by the ledger and read here. Lists stand by falling id. */
export const logStore = (db: Db) => ({
  page: (filter: LogFilter, { offset, limit }: Stretch): Promise<LogRow[]> =>
    narrowed(db, filter).selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute(),
  /** How many rows fit, counted up to 100,000. */
  count: (filter: LogFilter): Promise<number> => countUpTo(db, narrowed(db, filter).select('id'), MOST_COUNTED),

  /** Sums the consumption among the rows that fit, whatever type the filter asks for (spec/console.md §4.5). */
  async sums(filter: LogFilter): Promise<LogSums> {
    const { quota, token } = await consumption(db, filter)
      .select(({ fn }) => [fn.sum<number | null>('quota').as('quota'), tokens().as('token')])
      .executeTakeFirstOrThrow()
    return { quota: Number(quota ?? 0), token: Number(token ?? 0) }
  },
  /** Requests and tokens from `since` on, under all filters but the times. */
  async rates(filter: LogFilter, since: number): Promise<LogRates> {
    const { n, token } = await consumption(db, { ...filter, start_timestamp: since, end_timestamp: 0 })
      .select(({ fn }) => [fn.countAll<number>().as('n'), tokens().as('token')])
      .executeTakeFirstOrThrow()
    return { rpm: Number(n), tpm: Number(token ?? 0) }
  },

  /** The newest rows whose type is the number `keyword` or whose content contains it; all rows for an empty one. */
  search: (keyword: string, userId: number | undefined, limit: number): Promise<LogRow[]> =>
    narrowed(db, { userId })
      .selectAll()
      .$if(keyword !== '', (query) =>
        query.where((eb) =>
          eb.or([
            contains(eb.ref('content'), keyword),
            ...(/^[1-5]$/.test(keyword) ? [eb('type', '=', Number(keyword))] : []),
          ]),
        ),
      )
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  ofToken: (userId: number, tokenId: number, limit: number): Promise<LogRow[]> =>
    narrowed(db, { userId }).selectAll().where('token_id', '=', tokenId).orderBy('id', 'desc').limit(limit).execute(),

  /** The names of these channels by id; those that are gone are missing. */
  async channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  },

  /** Deletes at most `limit` of the oldest rows made before `before`; answers how many. */
  async removeBefore(before: number, limit: number): Promise<number> {
    const oldest = db
      .selectFrom('logs')
      .select('id')
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(limit)
    const { numDeletedRows } = await db.deleteFrom('logs').where('id', 'in', oldest).executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  },
})

/**
 * The LIKE pattern a model filter stands for, `%` being the caller's; undefined for a plain name, which is compared as
 * it is. At most two `%` beside at least two other characters make a pattern, so that nobody can ask for a costly one
 * (spec/console.md §4.5, §11 S13).
 */
export function modelPattern(filter: string): string | undefined {
  const wildcards = filter.split('%').length - 1
  if (wildcards < 1 || wildcards > 2 || filter.length - wildcards < 2) return undefined
  return filter.toLowerCase().replace(/[\\_]/g, '\\$&')
}

const tokens = () => sql<number | null>`sum(prompt_tokens + completion_tokens)`

const consumption = (db: Db, filter: LogFilter) => narrowed(db, { ...filter, type: logType.consume })

type Narrowing = SelectQueryBuilder<Schema, 'logs', Record<never, never>>

function narrowed(db: Db, filter: LogFilter): Narrowing {
  const { userId, type, username, token_name, channel, group, start_timestamp, end_timestamp, model_name } = filter
  let query: Narrowing = db.selectFrom('logs')
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (type) query = query.where('type', '=', type)
  if (username) query = query.where('username', '=', username)
  if (token_name) query = query.where('token_name', '=', token_name)
  if (channel) query = query.where('channel_id', '=', channel)
  if (group) query = query.where('group', '=', group)
  if (start_timestamp) query = query.where('created_at', '>=', start_timestamp)
  if (end_timestamp) query = query.where('created_at', '<=', end_timestamp)
  return model_name ? ofModel(query, model_name) : query
}

function ofModel(query: Narrowing, filter: string): Narrowing {
  const pattern = modelPattern(filter)
  if (pattern === undefined) return query.where('model_name', '=', filter)
  return query.where(({ ref }) => sql<boolean>`lower(${ref('model_name')}) like ${pattern} escape '\\'`)
}
