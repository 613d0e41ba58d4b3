import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { UsageOfHours } from '../../../shared/api/data.ts'
import { logType } from '../../../shared/enums.ts'
import { isSqlite } from '../match.ts'
import type { Db } from '../sqlite/database.ts'
import type { Bucket } from './latency-buckets.ts'

/** Hours whose start is between `from` and `to`, both inclusive; unix seconds. */
export type HourRange = Readonly<{ from: number; to: number }>
export type RankedSubject = Readonly<{ subject: string; count: number; quota: number }>

/** Max number of the newest charged requests of one user sampled for durations. */
export const MAX_SAMPLED = 1000
const MAX_RANKED = 5

/** Queries on hourly usage. Call them on the reader's thread. */
export const usageReadings = (db: Db) => ({
  ...ownReadings(db),
  /** Usage of all users by model and hour, as JSON text. */
  byModel: ({ from, to }: HourRange): TextQuery =>
    jsonOf(
      db,
      sql`select 0 as id, 0 as user_id, '' as username, subject as model_name, created_at, token_used, count, quota
        from usage_hours where kind = 'model' and created_at >= ${from} and created_at <= ${to} order by created_at`,
    ),
  /**
   * Usage of one user by hour and model, as JSON text. Select the user by id, or by the name in the rows if no account
   * has that name any more.
   */
  ofUser: (user: Readonly<{ id: number }> | Readonly<{ name: string }>, { from, to }: HourRange): TextQuery =>
    jsonOf(
      db,
      sql`select id, user_id, username, model_name, created_at, token_used, count, quota from quota_data
        where ${'id' in user ? sql`user_id = ${user.id}` : sql`username = ${user.name}`}
          and created_at >= ${from} and created_at <= ${to} order by created_at`,
    ),
  async total(kind: 'all' | 'user', subject: string, { from, to }: HourRange): Promise<UsageOfHours> {
    const { count, errors, quota, token_used } = await db
      .selectFrom('usage_hours')
      .select(({ fn }) => [
        fn.sum<number | null>('count').as('count'),
        fn.sum<number | null>('errors').as('errors'),
        fn.sum<number | null>('quota').as('quota'),
        fn.sum<number | null>('token_used').as('token_used'),
      ])
      .where('kind', '=', kind)
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .where('subject', '=', subject)
      .executeTakeFirstOrThrow()
    return { count: whole(count), errors: whole(errors), quota: whole(quota), token_used: whole(token_used) }
  },
  /** The five subjects of a kind that cost the most, for one user if `userId` is given. */
  dearest: (kind: 'model' | 'token' | 'user', range: HourRange, userId?: number): Promise<RankedSubject[]> =>
    kind === 'model' && userId !== undefined
      ? costliestModelsOf(db, userId, range)
      : costliestSubjects(db, kind, range, userId),
  /** Histogram of the durations of the charged requests of all users. */
  async latency(measure: 'whole' | 'first', { from, to }: HourRange): Promise<Bucket[]> {
    const rows = await db
      .selectFrom('latency_hours')
      .select(({ fn }) => ['bucket', fn.sum<number>('count').as('count')])
      .where('measure', '=', measure)
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .groupBy('bucket')
      .execute()
    return rows.map(({ bucket, count }) => ({ bucket: Number(bucket), count: Number(count) }))
  },
  /** Charged and failed requests by hour; `p95` is a latency bucket, only for all users together. */
  async health(userId: number | undefined, { from, to }: HourRange): Promise<HourOfHealth[]> {
    const rows = await db
      .selectFrom('usage_hours')
      .select(['created_at', 'count', 'errors'])
      .where('kind', '=', userId === undefined ? 'all' : 'user')
      .where('subject', '=', userId === undefined ? '' : String(userId))
      .where('created_at', '>=', from)
      .where('created_at', '<=', to)
      .orderBy('created_at')
      .execute()
    const slowest = new Map(userId === undefined ? await slowestBuckets(db, { from, to }) : [])
    return rows.map(({ created_at, count, errors }) => {
      const at = Number(created_at)
      return { created_at: at, count: Number(count), errors: Number(errors), p95: slowest.get(at) }
    })
  },
  sample: (userId: number, range: HourRange) => newestTimes(db, userId, range),
})

type HourOfHealth = Readonly<{ created_at: number; count: number; errors: number; p95: number | undefined }>

/** The bucket of each hour's 95th percentile, computed by the database: an hour may have dozens of buckets. */
async function slowestBuckets(db: Db, { from, to }: HourRange): Promise<(readonly [hour: number, bucket: number])[]> {
  const { rows } = await sql<Readonly<{ created_at: number; bucket: number }>>`
    select created_at, min(bucket) as bucket from (
      select created_at, bucket,
        sum(count) over (partition by created_at order by bucket) as below,
        sum(count) over (partition by created_at) as total
      from latency_hours where measure = 'whole' and created_at >= ${from} and created_at <= ${to}
    ) as hours where below * 20 >= total * 19 group by created_at`.execute(db)
  return rows.map(({ created_at, bucket }) => [Number(created_at), Number(bucket)])
}

type TextQuery = CompiledQuery<Readonly<{ text: string | Uint8Array }>>

/** Builds the JSON text inside the database: serializing many thousands of rows would block the relay's thread. */
function jsonOf(db: Db, rows: RawBuilder<unknown>): TextQuery {
  const fields = sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(name)]))
  const text = isSqlite(db)
    ? // As bytes, because the caller passes them on unchanged.
      sql`cast(coalesce(json_group_array(json_object(${fields})), '[]') as blob)`
    : sql`coalesce(json_agg(json_build_object(${fields}))::text, '[]')`
  return sql<Readonly<{ text: string | Uint8Array }>>`select ${text} as text from (${rows}) as usage`.compile(db)
}

const columns = ['id', 'user_id', 'username', 'model_name', 'created_at', 'token_used', 'count', 'quota']

/** `username` is the name of the token's owner. */
type NamedSubject = Readonly<{ name: string; username?: string }>

const ownReadings = (db: Db) => ({
  /** Quota spent by one user since a time, and the first hour with usage since then (null without usage). */
  async spentSince(userId: number, from: number): Promise<Readonly<{ quota: number; first: number | null }>> {
    const { quota, first } = await db
      .selectFrom('quota_data')
      .select(({ fn }) => [fn.sum<number | null>('quota').as('quota'), fn.min<number | null>('created_at').as('first')])
      .where('user_id', '=', userId)
      .where('created_at', '>=', from)
      .executeTakeFirstOrThrow()
    return { quota: whole(quota), first: first === null ? null : Number(first) }
  },
  /** Usage by hour of the given tokens, with failed requests in `errors`; skips tokens the user does not own. */
  async ofTokens(userId: number, ids: readonly number[], hours: readonly number[]) {
    const own = await db
      .selectFrom('tokens')
      .select('id')
      .where('user_id', '=', userId)
      .where('id', 'in', ids)
      .execute()
    if (own.length === 0) return { own: [], rows: [] }
    const rows = await db
      .selectFrom('usage_hours')
      .select(['subject', 'created_at', 'count', 'errors', 'quota'])
      .where('kind', '=', 'token')
      // Listing both hours and tokens lets each row be found by its primary key, independent of other tokens.
      .where('created_at', 'in', hours)
      .where(
        'subject',
        'in',
        own.map(({ id }) => String(id)),
      )
      .execute()
    return { own: own.map(({ id }) => id), rows }
  },
  /** Names of tokens or users by id; ids without a row are missing from the map. */
  async names(kind: 'token' | 'user', ids: readonly number[]): Promise<ReadonlyMap<number, NamedSubject>> {
    if (ids.length === 0) return new Map()
    const tokens = db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .where('tokens.id', 'in', ids)
    const rows =
      kind === 'token'
        ? await tokens.select(['tokens.id', 'tokens.name', 'users.username']).execute()
        : await db.selectFrom('users').select(['id', 'username as name']).where('id', 'in', ids).execute()
    return new Map(rows.map(({ id, ...named }) => [id, named]))
  },
  account: (by: Readonly<{ id: number }> | Readonly<{ name: string }>) =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'quota', 'used_quota', 'request_count'])
      .where((eb) => ('id' in by ? eb('id', '=', by.id) : eb('username', '=', by.name)))
      .executeTakeFirst(),
})

async function costliestSubjects(
  db: Db,
  kind: 'model' | 'token' | 'user',
  { from, to }: HourRange,
  userId: number | undefined,
): Promise<RankedSubject[]> {
  const own = sql<SqlBool>`subject in (select cast(id as text) from tokens where user_id = ${userId ?? 0})`
  const rows = await db
    .selectFrom('usage_hours')
    .select(({ fn }) => ['subject', fn.sum<number>('count').as('count'), fn.sum<number>('quota').as('quota')])
    .where('kind', '=', kind)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .$if(userId !== undefined, (query) => query.where(own))
    .groupBy('subject')
    .having(({ fn }) => fn.sum('count'), '>', 0)
    .orderBy('quota', 'desc')
    .orderBy('subject')
    .limit(MAX_RANKED)
    .execute()
  return rows.map(ranked)
}

async function costliestModelsOf(db: Db, userId: number, { from, to }: HourRange): Promise<RankedSubject[]> {
  const rows = await db
    .selectFrom('quota_data')
    .select(({ fn }) => [
      'model_name as subject',
      fn.sum<number>('count').as('count'),
      fn.sum<number>('quota').as('quota'),
    ])
    .where('user_id', '=', userId)
    .where('created_at', '>=', from)
    .where('created_at', '<=', to)
    .groupBy('model_name')
    .orderBy('quota', 'desc')
    .orderBy('subject')
    .limit(MAX_RANKED)
    .execute()
  return rows.map(ranked)
}

/** Durations of the newest charged requests of one user: total, and to the first byte if streamed (otherwise -1). */
async function newestTimes(db: Db, userId: number, { from, to }: HourRange) {
  const logField = isSqlite(db) ? sqliteLogField : postgresLogField
  const newest = db
    .selectFrom('logs')
    .select('id')
    .where('user_id', '=', userId)
    .where('type', '=', logType.consume)
    .where('created_at', '>=', from)
    .where('created_at', '<', to + HOUR_S)
    .orderBy('id', 'desc')
    .limit(MAX_SAMPLED)
  const rows = await db
    .selectFrom('logs')
    .select(['use_time', 'is_stream', logField('duration_ms').as('took'), logField('frt').as('first')])
    .where('id', 'in', newest)
    .execute()
  return rows.map(({ use_time, is_stream, took, first }) => ({
    tookMs: took === null ? use_time * 1000 : Number(took),
    firstByteMs: is_stream && first !== null ? Number(first) : -1,
  }))
}

const HOUR_S = 3600

const sqliteLogField = (name: string) =>
  sql<number | null>`json_extract(case when json_valid(other) then other else '{}' end, ${sql.lit(`$.${name}`)})`
const postgresLogField = (name: string) =>
  sql<number | null>`((case when other like '{%' then other else '{}' end)::jsonb ->> ${sql.lit(name)})::numeric`

const whole = (sum: number | null): number => Number(sum ?? 0)

const ranked = ({ subject, count, quota }: RankedSubject): RankedSubject => ({
  subject,
  count: Number(count),
  quota: Number(quota),
})
