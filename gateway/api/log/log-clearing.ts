import type { LogClearing } from '../../../shared/api/log.ts'
import { logType } from '../../../shared/enums.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { inSteps } from '../../base/pace.ts'
import type { Ledger } from '../../billing/ledger.ts'
import type { KeptBodies } from '../../relay/kept-bodies/kept-bodies.ts'
import { countBefore, removeBefore } from '../../store/log/logs.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import type { Actor, ApiCaller } from '../actor.ts'

type LogClearingDeps = Readonly<{
  db: Db
  reader: Pick<Reader, 'until'>
  ledger: Pick<Ledger, 'flush'>
  auditLog: AuditLog
  /** Bodies are deleted with the rows that refer to them. */
  keptBodies: Pick<KeptBodies, 'removeBefore'>
  clock: Clock
}>

/** Rows deleted per step; other queries run between steps. */
const MAX_STEP = 5000

/** Clears the usage log, one clearing at a time, and reports its progress (docs/reference/logs.md#clearing). */
export function createLogClearing({ db, reader, auditLog, ledger, keptBodies, clock }: LogClearingDeps) {
  let running: { before: number; removed: number } | null = null

  const remove = async (before: number, signal: AbortSignal) => {
    await ledger.flush()
    await keptBodies.removeBefore(before, signal)
    return inSteps({ clock, max: MAX_STEP, signal }, async (limit) => {
      const removed = await removeBefore(db, before, { now: unixSeconds(clock), limit })
      if (running) running = { before, removed: running.removed + removed }
      return removed
    })
  }

  return {
    /** The number of rows before a time, counted up to a limit, and the clearing in progress. */
    async state(before: number, caller: ApiCaller): Promise<LogClearing> {
      if (before > 0) await ledger.flush()
      const counted =
        before > 0 ? await countBefore(reader.until(caller), before, unixSeconds(clock)) : { total: 0, isMore: false }
      return { total: counted.total, has_more: counted.isMore, running }
    },

    /**
     * Deletes rows before a time, except audit rows of the last 180 days, until all are gone or the caller disconnects,
     * and logs and returns how many. Throws without a time, for a time in the future, and while another clearing
     * is running.
     */
    async clear(before: number, actor: Actor, { locale, gone }: ApiCaller): Promise<number> {
      const now = unixSeconds(clock)
      if (before <= 0 || before > now) throw refuse('invalid', 'log.need_time')
      if (running) throw refuse('invalid', 'log.cleanup_running')
      running = { before, removed: 0 }
      try {
        const removed = await remove(before, gone)
        auditLog.record({
          user_id: 0,
          created_at: now,
          type: logType.manage,
          content: formatMessage(locale, 'log.cleaned', { n: removed }),
          other: JSON.stringify({ admin_info: { actor: { id: actor.id, username: actor.username } } }),
        })
        await ledger.flush()
        return removed
      } finally {
        running = null
      }
    },
  }
}
