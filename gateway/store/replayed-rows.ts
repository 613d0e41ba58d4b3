import { type SqlBool, sql } from 'kysely'
import { logType } from '../../shared/enums.ts'
import type { Db } from './database.ts'

/** What a log row tells of how its request found its channel. */
export type ReplayedRow = Readonly<{
  id: number
  created_at: number
  type: number
  model_name: string
  quota: number
  prompt_tokens: number
  use_time: number
  channel_id: number
  /** The group it was routed in. */
  group: string
  other: string
  /** The groups that its token and its account have now; null where those are gone. */
  token_group: string | null
  user_group: string | null
}>

/** Where a page begins: after the row that was the last of the one before. */
export type ReplayedCursor = Pick<ReplayedRow, 'id' | 'created_at' | 'type'>

/** How often a channel served within an hour; hours are counted from 1970. */
export type BusyHour = Readonly<{ channel_id: number; hour: number; n: number }>

/** Both ends included; unix seconds. */
export type ReplayedSpan = Readonly<{ from: number; to: number }>

/** As many of the newest rows say how busy a channel usually is. */
export const MAX_PEAK_ROWS = 200_000
const HOUR_S = 3600

/**
 * Requests of the log as a replay needs them; tests of channels are left out, and what another gateway made, whose channels are
 * others. To be asked on the reader's thread.
 */
export const replayedRowStore = (db: Db, testToken: string) => ({
  /** The rows after `after`, the newest first, in the order of the index of times. */
  async page({ from, to }: ReplayedSpan, after: ReplayedCursor | undefined, limit: number): Promise<ReplayedRow[]> {
    const isBelow =
      after && sql<SqlBool>`(logs.created_at, logs.type, logs.id) < (${after.created_at}, ${after.type}, ${after.id})`
    return db
      .selectFrom('logs')
      .leftJoin('tokens', 'tokens.id', 'logs.token_id')
      .leftJoin('users', 'users.id', 'logs.user_id')
      .select([
        'logs.id',
        'logs.created_at',
        'logs.type',
        'logs.model_name',
        'logs.quota',
        'logs.prompt_tokens',
        'logs.use_time',
        'logs.channel_id',
        'logs.group',
        'logs.other',
        'tokens.group as token_group',
        'users.group as user_group',
      ])
      .where('logs.created_at', '>=', from)
      .where('logs.created_at', '<=', to)
      .where('logs.type', 'in', [logType.consume, logType.error])
      .where('logs.token_name', '<>', testToken)
      .where('logs.request_id', '<>', '')
      .$if(isBelow !== undefined, (query) => (isBelow ? query.where(isBelow) : query))
      .orderBy('logs.created_at', 'desc')
      .orderBy('logs.type', 'desc')
      .orderBy('logs.id', 'desc')
      .limit(limit)
      .execute()
  },
  /** How often each channel served by the hour, from `after` on or from where the newest 200,000 rows begin; answered from an index alone. */
  async hours(after: number): Promise<Readonly<{ since: number; hours: BusyHour[] }>> {
    const beyond = await db
      .selectFrom('logs')
      .select('created_at')
      .where('created_at', '>=', after)
      .orderBy('created_at', 'desc')
      .offset(MAX_PEAK_ROWS)
      .limit(1)
      .executeTakeFirst()
    const since = beyond ? Number(beyond.created_at) + 1 : after
    const { rows } = await sql<BusyHour>`select channel_id, cast(created_at / ${sql.lit(HOUR_S)} as integer) as hour,
      count(*) as n from logs where created_at >= ${since} and type = ${logType.consume} and token_name <> ${testToken}
      group by 1, 2`.execute(db)
    const hours = rows.map(({ channel_id, hour, n }) => ({
      channel_id: Number(channel_id),
      hour: Number(hour),
      n: Number(n),
    }))
    return { since, hours }
  },
})
