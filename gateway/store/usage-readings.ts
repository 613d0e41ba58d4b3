import { type CompiledQuery, type RawBuilder, type SqlBool, SqliteAdapter, sql } from 'kysely'
import type { UsageOfHours } from '../../shared/api/data.ts'
import { logType } from '../../shared/enums.ts'
import type { Db } from './database.ts'
import type { Bucket } from './latency-buckets.ts'

/** Hours that begin from `from` to `to`, both included; unix seconds. */
export type HourRange = Readonly<{ from: number; to: number }>
/** What something used and cost. */
export type RankedSubject = Readonly<{ subject: string; count: number; quota: number }>

/** So many of the newest charged requests of one user say how long theirs take. */
export const MAX_SAMPLED = 1000
const MAX_DEAR = 5

/** Readings of usage by hour; to be asked on the reader's thread. */
export const usageReadings = (db: Db) => ({
  ...ownReadings(db),
  /** Asks for all users together, by model and hour, as one JSON text. */
  byModel: ({ from, to }: HourRange): TextQuery =>
    jsonOf(
      db,
      sql`select 0 as id, 0 as user_id, '' as username, subject as model_name, created_at, token_used, count, quota
        from usage_hours where kind = 'model' and created_at >= ${from} and created_at <= ${to} order by created_at`,
    ),
  /** Asks for one user by hour and model: by id, or by the name that the rows bear where nobody has it any more. */
  ofUser: (user: Readonly<{ id: number }> | Readonly<{ name: string }>, { from, to }: HourRange): TextQuery =>
    jsonOf(
      db,
      sql`select id, user_id, username, model_name, created_at, token_used, count, quota from quota_data
        where ${'id' in user ? sql`user_id = ${user.id}` : sql`username = ${user.name}`}
          and created_at >= ${from} and created_at <= ${to} order by created_at`,
    ),
  /** What one subject did in some hours. */
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
  /** The five subjects of a kind that cost most; of one user alone where that is said. */
  dearest: (kind: 'model' | 'token' | 'user', range: HourRange, userId?: number): Promise<RankedSubject[]> =>
    kind === 'model' && userId !== undefined
      ? dearestModelsOf(db, userId, range)
      : dearestSubjects(db, kind, range, userId),
  /** How long the charged requests of some hours took, all users together. */
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
  sample: (userId: number, range: HourRange) => newestTimes(db, userId, range),
})

type TextQuery = CompiledQuery<Readonly<{ text: string | Uint8Array }>>

/** Rows of usage as one JSON text, made where they are read: many thousands would hold up the thread that relays. */
function jsonOf(db: Db, rows: RawBuilder<unknown>): TextQuery {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const fields = sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(name)]))
  const text = isSqlite
    ? // Its bytes, for whoever reads it passes them on.
      sql`cast(coalesce(json_group_array(json_object(${fields})), '[]') as blob)`
    : sql`coalesce(json_agg(json_build_object(${fields}))::text, '[]')`
  return sql<Readonly<{ text: string | Uint8Array }>>`select ${text} as text from (${rows}) as usage`.compile(db)
}

const columns = ['id', 'user_id', 'username', 'model_name', 'created_at', 'token_used', 'count', 'quota']

/** What a token or user is called, and whose the token is. */
type Named = Readonly<{ name: string; username?: string }>

/** What is read of single accounts and tokens. */
const ownReadings = (db: Db) => ({
  /** What one user's requests cost since a time, and the first hour of them. */
  async spentSince(userId: number, from: number): Promise<Readonly<{ quota: number; first: number | null }>> {
    const { quota, first } = await db
      .selectFrom('quota_data')
      .select(({ fn }) => [fn.sum<number | null>('quota').as('quota'), fn.min<number | null>('created_at').as('first')])
      .where('user_id', '=', userId)
      .where('created_at', '>=', from)
      .executeTakeFirstOrThrow()
    return { quota: whole(quota), first: first === null ? null : Number(first) }
  },
  /** Requests of these tokens of one user by hour, those that failed included. */
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
      // Hour and token by name: each row is found by its key, whatever other tokens did.
      .where('created_at', 'in', hours)
      .where(
        'subject',
        'in',
        own.map(({ id }) => String(id)),
      )
      .execute()
    return { own: own.map(({ id }) => id), rows }
  },
  /** Names of tokens or users by id; those that are gone are missing. */
  async names(kind: 'token' | 'user', ids: readonly number[]): Promise<ReadonlyMap<number, Named>> {
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

async function dearestSubjects(
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
    .limit(MAX_DEAR)
    .execute()
  return rows.map(ranked)
}

async function dearestModelsOf(db: Db, userId: number, { from, to }: HourRange): Promise<RankedSubject[]> {
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
    .limit(MAX_DEAR)
    .execute()
  return rows.map(ranked)
}

/** The newest charged requests of one user: milliseconds they took, and to the first byte of streams. */
async function newestTimes(db: Db, userId: number, { from, to }: HourRange) {
  const fact = db.getExecutor().adapter instanceof SqliteAdapter ? sqliteFact : postgresFact
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
    .select(['use_time', 'is_stream', fact('duration_ms').as('took'), fact('frt').as('first')])
    .where('id', 'in', newest)
    .execute()
  return rows.map(({ use_time, is_stream, took, first }) => ({
    tookMs: took === null ? use_time * 1000 : Number(took),
    firstByteMs: is_stream && first !== null ? Number(first) : -1,
  }))
}

const HOUR_S = 3600

const sqliteFact = (name: string) =>
  sql<number | null>`json_extract(case when json_valid(other) then other else '{}' end, ${sql.lit(`$.${name}`)})`
const postgresFact = (name: string) =>
  sql<number | null>`((case when other like '{%' then other else '{}' end)::jsonb ->> ${sql.lit(name)})::numeric`

const whole = (sum: number | null): number => Number(sum ?? 0)

const ranked = ({ subject, count, quota }: RankedSubject): RankedSubject => ({
  subject,
  count: Number(count),
  quota: Number(quota),
})
