import { logType } from '../../shared/enums.ts'
import type { Clock } from '../base/clock.ts'
import { type Jobs, nothingDue } from '../base/jobs.ts'
import type { Logger } from '../base/logger.ts'
import { inSteps } from '../base/pace.ts'
import type { Settings } from '../settings/settings.ts'
import { type JobLocks, onOneNode } from '../shared-state/job-locks.ts'
import type { Db } from '../store/database.ts'
import { type CountedNames, createHourSums, writeHours } from '../store/usage-hours.ts'
import { countedRow } from './counted.ts'

/** Counts what the log held before usage was kept by hour, once, the newest rows first. */
export interface UsageBackfill {
  /** Whether there are rows that have not been counted yet. */
  isPending(): boolean
  stop(): Promise<void>
}

export type UsageBackfillDeps = Readonly<{
  db: Db
  settings: Pick<Settings, 'get'>
  clock: Pick<Clock, 'monotonic'>
  log: Logger
  locks: JobLocks
  jobs: Jobs
  /** It waits for somebody who runs the job. */
  isIdle?: boolean
}>

/** Rows of one transaction, at most; fewer where they take longer than some milliseconds (base/pace.ts). */
const MAX = 1000
const AGAIN_MS = 60_000

/**
 * Begins at once unless it is idle, and again each minute while something is left: what was interrupted goes on behind the last step, each of
 * which is one transaction with its place. Nothing is counted while usage is not.
 */
export async function startUsageBackfill(deps: UsageBackfillDeps): Promise<UsageBackfill> {
  const { db, settings, clock, log, locks, jobs, isIdle = false } = deps
  const ending = new AbortController()
  let isPending = (await placeOf(db)) !== undefined
  const work = async (signal: AbortSignal): Promise<number> => {
    if (!isPending || !settings.get('DataExportEnabled')) return 0
    const counted = await inSteps({ clock, most: MAX, signal }, (limit) => countOlder(db, limit))
    if (signal.aborted) return counted
    isPending = false
    if (counted > 0) log.info('the log of before is in the usage by hour', { rows: counted })
    return counted
  }
  const alone = onOneNode(locks, JOB, async () => void (await work(ending.signal)))
  const failed = (error: unknown) => log.error('background job failed', { job: JOB, error })
  const first = isIdle ? undefined : alone().catch(failed)
  const job = jobs.begin({
    name: JOB,
    everyMs: AGAIN_MS,
    work: async ({ signal }) => {
      const n = await work(AbortSignal.any([signal, ending.signal]))
      return n > 0 ? { key: 'job.counted', params: { n } } : nothingDue
    },
  })
  return {
    isPending: () => isPending,
    async stop() {
      ending.abort()
      await job.stop()
      await first
    },
  }
}

const JOB = 'usage-backfill'

type Place = Readonly<{ before_id: number; newest_at: number }>

/** Where the next step begins; undefined where nothing is left. */
const placeOf = (db: Db): Promise<Place | undefined> =>
  db
    .selectFrom('usage_backfill')
    .select(['before_id', 'newest_at'])
    .where('id', '=', 1)
    .where('before_id', '>', 1)
    .executeTakeFirst()

/** Counts the next older rows and remembers how far it came, both or neither; answers how many rows it looked at. */
export const countOlder = (db: Db, limit: number): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const place = await placeOf(transaction)
    if (!place) return 0
    const rows = await transaction
      .selectFrom('logs')
      .selectAll()
      .where('id', '<', place.before_id)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    const sums = createHourSums()
    const refunded = await refundedAmong(
      transaction,
      rows.map((row) => row.request_id),
    )
    for (const row of rows) {
      // The numbers of rows come back once all of them were removed: a younger row was counted with its charge.
      if (row.created_at > place.newest_at || (row.type !== logType.consume && row.type !== logType.error)) continue
      const counted = countedRow(row)
      if (counted) sums.add(refunded.has(row.request_id) ? { ...counted, quota: 0 } : counted)
    }
    await writeHours(transaction, sums)
    const before_id = rows.length < limit ? 1 : (rows.at(-1)?.id ?? 1)
    await transaction.updateTable('usage_backfill').set({ before_id }).where('id', '=', 1).execute()
    return rows.length
  })

/** Which of these requests have been given back. */
async function refundedAmong(db: Db, requestIds: readonly string[]): Promise<ReadonlySet<string>> {
  const named = requestIds.filter((id) => id !== '')
  if (named.length === 0) return new Set()
  const rows = await db
    .selectFrom('ledger')
    .select('ref_id')
    .where('kind', '=', 'refund')
    .where('ref_type', '=', 'request')
    .where('ref_id', 'in', named)
    .execute()
  return new Set(rows.map(({ ref_id }) => ref_id))
}

type Charged = Readonly<{ requestId: string; userId: number; at: number }>

/**
 * What the hours have counted a charge as that was in the log of before; undefined where it was not, or is still to be
 * counted.
 */
export async function countedBefore(db: Db, { requestId, userId, at }: Charged): Promise<CountedNames | undefined> {
  const row = await db
    .selectFrom('logs')
    .innerJoin('usage_backfill', (join) =>
      join.onRef('logs.id', '>=', 'before_id').onRef('logs.created_at', '<=', 'newest_at'),
    )
    .select(['username', 'model_name as model'])
    .where('user_id', '=', userId)
    .where('created_at', '=', at)
    .where('type', '=', logType.consume)
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row
}
