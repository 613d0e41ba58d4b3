import { MIN_LEDGER_DAYS } from '../../shared/options/kinds.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { breathe, createPace, inSteps } from '../base/pace.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import { ledgerCheckStore } from '../store/ledger-checks.ts'
import { removeBefore } from '../store/logs.ts'
import { optionChangeStore } from '../store/option-changes.ts'
import { retentionStore } from '../store/retention.ts'
import { removeOldestHours } from '../store/usage-hours.ts'

/** Rows that were removed. */
export type Removed = { logs: number; ledger: number }

export type RetentionDeps = Readonly<{ db: Db; settings: Pick<Settings, 'get'>; clock: Clock }>

type Charges = Awaited<ReturnType<ReturnType<typeof retentionStore>['removeCharges']>>

/** Rows of one transaction, at most. */
const CHUNK = 1000
/** Rows whose size is read at once. */
const MEASURED = 500
/** Usage by hour is small beside what it is the sum of: a year can be compared with the one before. */
const HOURS_DAYS = 400
const DAY_S = 86_400
const MEGABYTE = 1_000_000

/**
 * Removes what is older or larger than the settings keep, the oldest first, in transactions of a few milliseconds with
 * pauses between them. Nothing of the ledger goes while a difference waits for an administrator. `removed` is counted up as it goes on. Ends early, without an error, once the signal is given.
 * SQLite uses the freed pages again for what comes; the file does not shrink, and need not.
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
  const beyond = async (table: 'logs' | 'ledger', megabytes: number): Promise<number> => {
    let left = megabytes * MEGABYTE
    let below: number | undefined
    while (megabytes > 0 && !signal.aborted) {
      const { first, count, bytes } = await store.measure(table, below, MEASURED)
      if (count === 0) return 0
      // A stretch of rows goes as a whole, so what stays is within the limit.
      if (bytes > left) return below ?? first
      left -= bytes
      below = first
      await breathe()
    }
    return 0
  }

  const logDays = settings.get('LogRetentionDays')
  if (logDays > 0) await inChunks((limit) => removeBefore(db, now - logDays * DAY_S, { now, limit }))
  const logsBelow = await beyond('logs', settings.get('LogRetentionMegabytes'))
  if (logsBelow > 0) await inChunks((limit) => store.removeLogsBelow(logsBelow, now, limit))

  await inSteps({ clock, max: CHUNK, signal }, (limit) => optionChangeStore(db).removeOld(now, limit))
  await removeHours(db, logDays > 0 ? now - Math.max(logDays, HOURS_DAYS) * DAY_S : 0, signal)

  const ledgerDays = settings.get('LedgerRetentionDays')
  const before = ledgerDays > 0 ? now - ledgerDays * DAY_S : 0
  const below = await beyond('ledger', settings.get('LedgerRetentionMegabytes'))
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

/** Usage by hour that began before a time, an hour of a kind at a time; nothing for 0. */
async function removeHours(db: Db, before: number, signal: AbortSignal): Promise<void> {
  while (before > 0 && !signal.aborted && (await removeOldestHours(db, before)) > 0) await breathe()
}
