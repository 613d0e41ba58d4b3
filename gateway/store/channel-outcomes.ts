import { SqliteAdapter, sql } from 'kysely'
import { logType } from '../../shared/enums.ts'
import type { Db } from './database.ts'

/** How often a channel served, or failed, in one hour; hours count from the time that was asked for. */
export type ChannelOutcome = Readonly<{ channel_id: number; hour: number; n: number }>
/** What the log tells of channels from `since` on, in unix seconds: later than was asked for where there are too many rows. */
export type ChannelOutcomes = Readonly<{ since: number; served: ChannelOutcome[]; failed: ChannelOutcome[] }>

/** So many of the newest rows are looked at. */
export const MAX_OUTCOMES = 50_000
/** What the caller got wrong says nothing of a channel. */
const CALLERS_FAULTS = [400, 413, 422]

/** What became of requests at the channels, hour by hour: read from the log, which tests of channels are left out of. */
export const channelOutcomeStore = (db: Db) => ({
  async read(after: number, testToken: string, most = MAX_OUTCOMES): Promise<ChannelOutcomes> {
    const beyond = await db
      .selectFrom('logs')
      .select('created_at')
      .where('created_at', '>=', after)
      .orderBy('created_at', 'desc')
      .offset(most)
      .limit(1)
      .executeTakeFirst()
    const since = beyond ? Number(beyond.created_at) + 1 : after
    return { since, served: await served(db, { after, since }, testToken), failed: await failed(db, { after, since }) }
  },
})

/** Hours count from `after`, rows from `since`. */
type Stretch = Readonly<{ after: number; since: number }>

/** Answered from an index alone. */
async function served(db: Db, { after, since }: Stretch, testToken: string): Promise<ChannelOutcome[]> {
  const { rows } = await sql<ChannelOutcome>`select channel_id, ${hourOf(after)} as hour, count(*) as n
    from logs where created_at >= ${since} and type = ${logType.consume} and token_name <> ${testToken}
    group by 1, 2`.execute(db)
  return rows.map(counted)
}

/** Channels that were asked in vain, whether or not another one served; a row may stand for several failures. */
async function failed(db: Db, { after, since }: Stretch): Promise<ChannelOutcome[]> {
  const { attempts, at, times } = db.getExecutor().adapter instanceof SqliteAdapter ? sqlite : postgres
  const status = at('status')
  const faults = sql.join(CALLERS_FAULTS.map((one) => sql.lit(String(one))))
  const { rows } = await sql<ChannelOutcome>`select ${at('channel')} as channel_id,
    ${hourOf(after)} as hour, sum(${times}) as n
    from logs, ${attempts} where logs.created_at >= ${since} and logs.type in (${logType.consume}, ${logType.error})
    and logs.other like '%"tried":%' and (${status} is not null or ${at('reason')} is not null)
    and coalesce(${status}, '') not in (${faults}) group by 1, 2`.execute(db)
  return rows.map(counted)
}

/** Whole: SQLite is given every number as one with a fraction, and would divide it as such. */
const hourOf = (after: number) => sql`cast((logs.created_at - ${after}) / 3600 as integer)`

const counted = ({ channel_id, hour, n }: ChannelOutcome): ChannelOutcome => ({
  channel_id: Number(channel_id),
  hour: Number(hour),
  n: Number(n),
})

/** The attempts of a row, a member of one as text, and how many requests the row stands for. */
const sqlite = {
  attempts: sql`json_each(case when json_valid(logs.other) then logs.other else '{}' end, '$.admin_info.tried') as tried`,
  at: (name: string) => sql`cast(json_extract(tried.value, ${sql.lit(`$.${name}`)}) as text)`,
  times: sql`coalesce(json_extract(logs.other, '$.folded.count'), 1)`,
}
const postgres = {
  attempts: sql`lateral jsonb_array_elements(case when logs.other like '%"tried":%'
    then logs.other::jsonb #> '{admin_info,tried}' else '[]'::jsonb end) as tried(value)`,
  at: (name: string) => sql`(tried.value ->> ${sql.lit(name)})`,
  times: sql`coalesce((logs.other::jsonb #>> '{folded,count}')::bigint, 1)`,
}
