import { MIN_LEDGER_DAYS } from '../../shared/options/kinds.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { breathe, createPace, inSteps } from '../base/pace.ts'
import type { Settings } from '../settings/settings.ts'
import { ledgerCheckStore } from '../store/ledger/ledger-checks.ts'
import { removeBefore } from '../store/log/logs.ts'
import { retentionStore } from '../store/log/retention.ts'
import { removeOldestHours } from '../store/log/usage-hours.ts'
import { optionChangeStore } from '../store/option-changes.ts'
import type { Db } from '../store/sqlite/database.ts'

export type Removed = { logs: number; ledger: number }

export type RetentionDeps = Readonly<{ db: Db; settings: Pick<Settings, 'get'>; clock: Clock }>

type Charges = Awaited<ReturnType<ReturnType<typeof retentionStore>['removeCharges']>>

/** Max rows per transaction. */
const CHUNK = 1000
/** Rows measured at once. */
const MEASURED = 500
/**
 * Min days for which hourly usage is stored: it is small compared to its sources, so a year can be compared with the
 * previous one.
 */
const HOURS_DAYS = 400
const DAY_S = 86_400
const MEGABYTE = 1_000_000

/**
 * Deletes what exceeds the age or size limits of the settings, oldest first, in transactions of a few milliseconds with
 * pauses between them. Deletes nothing from the ledger while a difference awaits an administrator. Counts up `removed`
 * as it goes. Returns early, without an error, once the signal aborts. SQLite reuses the freed pages; the file does not
 * shrink.
 */
export async function removeOld(deps: RetentionDeps, removed: Removed, signal: AbortSignal): Promise<void> {
  const { db, settings, clock } = deps
  const store = retentionStore(db)
  const now = unixSeconds(clock)
  const pace = createPace(clock, CHUNK)
  const inChunks = (remove: (limit: number) => Promise<number>) =>
    inSteps({ clock, max: CHUNK, signal }, async (limit) => {
      const count = await remove(limit)
      removed.logs += count
      return count
    })
  const firstWithin = async (table: 'logs' | 'ledger', megabytes: number): Promise<number> => {
    let left = megabytes * MEGABYTE
    let below: number | undefined
    while (megabytes > 0 && !signal.aborted) {
      const { first, count, bytes } = await store.measure(table, below, MEASURED)
      if (count === 0) return 0
      // A range of rows is deleted as a whole, so the rest is within the limit.
      if (bytes > left) return below ?? first
      left -= bytes
      below = first
      await breathe()
    }
    return 0
  }

  const logDays = settings.get('LogRetentionDays')
  if (logDays > 0) await inChunks((limit) => removeBefore(db, now - logDays * DAY_S, { now, limit }))
  const logsBelow = await firstWithin('logs', settings.get('LogRetentionMegabytes'))
  if (logsBelow > 0) await inChunks((limit) => store.removeLogsBelow(logsBelow, now, limit))

  await inSteps({ clock, max: CHUNK, signal }, (limit) => optionChangeStore(db).removeOld(now, limit))
  await removeHours(db, logDays > 0 ? now - Math.max(logDays, HOURS_DAYS) * DAY_S : 0, signal)

  const ledgerDays = settings.get('LedgerRetentionDays')
  const before = ledgerDays > 0 ? now - ledgerDays * DAY_S : 0
  const below = await firstWithin('ledger', settings.get('LedgerRetentionMegabytes'))
  if (before === 0 && below === 0) return
  if ((await ledgerCheckStore(db).unacknowledged(1)).length > 0) return
  const youngest = now - MIN_LEDGER_DAYS * DAY_S
  for (let after: number | undefined = 0; after !== undefined && !signal.aborted; ) {
    const charges = { after, before, below, youngest }
    const chunk: Charges = await pace.step((limit) => store.removeCharges({ ...charges, limit }))
    removed.ledger += chunk.removed
    after = chunk.last
    await breathe()
  }
}

/** Deletes hourly usage before a time, one hour of each kind at a time, the oldest first; does nothing for 0. */
async function removeHours(db: Db, before: number, signal: AbortSignal): Promise<void> {
  while (before > 0 && !signal.aborted && (await removeOldestHours(db, before)) > 0) await breathe()
}
