import type { LimitFunction } from 'p-limit'
import type { LedgerCheck, LedgerCheckProgress } from '../../shared/api/ledger.ts'
import { logType, role } from '../../shared/enums.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { logMessage } from '../base/localized-message.ts'
import type { Logger } from '../base/logger.ts'
import type { Db } from '../store/database.ts'
import { ledgerCheckStore } from '../store/ledger-checks.ts'
import type { Difference } from '../store/ledger-sums.ts'
import type { NewLog } from '../store/schema.ts'
import { userStore } from '../store/users.ts'
import { hasLostRows, type Scope, type VerifyProgress, verifyLedger, workAhead } from './verify.ts'

/** The comparisons of balances with the ledger: one at a time, each written down with what it found; nothing is mended. */
export interface LedgerChecks {
  /** Verifies what is new, and waits for it unless that is much. Never throws. */
  atStart(): Promise<void>
  /** Starts one in the background; refuses while one is on its way. */
  begin(scope: Scope, by: StartedBy): void
  /** Ends the one on its way after the slice at hand; does nothing where there is none. */
  cancel(): void
  /** The one on its way; null where there is none. */
  running(): LedgerCheckProgress | null
  /** Unix seconds when the last one that was not cancelled ended; 0 before the first. */
  lastEnded(): Promise<number>
  /** Resolves when none is on its way. */
  idle(): Promise<void>
  /** Cancels and waits. */
  stop(): Promise<void>
}

/** The gateway at its start, its nightly job, or an administrator. */
type StartedBy = Readonly<{ kind: LedgerCheck['started_by']; username?: string }>

type LedgerChecksDeps = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  /** Queues a log row. */
  note: (row: NewLog) => void
  /** A check and a clean-up never run at the same time. */
  inTurn: LimitFunction
}>

/** More rows and accounts than this are not verified before the first answer; they take about half a second. */
export const MAX_AT_START = 30_000
/** Differences told one by one in the process's log. */
const MAX_LISTED = 20

type Going = { scope: Scope; by: StartedBy; at: number; progress: VerifyProgress; ending: AbortController }

/** None on its way at first. */
export function createLedgerChecks(deps: LedgerChecksDeps): LedgerChecks {
  const { db, clock, log } = deps
  let going: Going | undefined
  let over = Promise.resolve()
  let stopped = false
  const run = async (scope: Scope, by: StartedBy): Promise<void> => {
    const one: Going = {
      scope,
      by,
      at: unixSeconds(clock),
      progress: { rows: 0, accounts: 0 },
      ending: new AbortController(),
    }
    going = one
    if (stopped) one.ending.abort()
    try {
      await deps.inTurn(() => carriedOut(deps, one))
    } catch (error) {
      log.error('a ledger check could not be written down', { error })
    } finally {
      going = undefined
    }
  }
  return {
    async atStart() {
      try {
        const isLittle = (await workAhead(db, MAX_AT_START)) < MAX_AT_START
        over = run('new', { kind: 'start' })
        if (isLittle) await over
        else log.info('the ledger is verified in the background', { rows: MAX_AT_START })
      } catch (error) {
        log.error('the ledger could not be verified', { error })
      }
    },
    begin(scope, by) {
      if (going) throw refuse('invalid', 'ledger.check_running')
      over = run(scope, by)
    },
    cancel: () => going?.ending.abort(),
    running: () =>
      going
        ? { scope: going.scope, started_at: going.at, ...going.progress, is_cancelling: going.ending.signal.aborted }
        : null,
    async lastEnded() {
      const checks = await ledgerCheckStore(db).newest(50)
      return checks.find(({ state }) => state !== 'cancelled')?.ended_at ?? 0
    },
    idle: () => over,
    async stop() {
      stopped = true
      going?.ending.abort()
      await over
    },
  }
}

/** One check from its beginning to its record. Throws only where it cannot be written down. */
async function carriedOut(deps: LedgerChecksDeps, { scope: asked, by, at, progress, ending }: Going): Promise<void> {
  const { db, clock, log } = deps
  const startedMs = clock.monotonic()
  let scope = asked
  let state: LedgerCheck['state'] = 'done'
  let differences: Difference[] = []
  try {
    if (await hasLostRows(db)) {
      log.error('rows of the ledger that were verified are missing; all rows are verified again')
      scope = 'all'
    }
    differences = await verifyLedger(db, { scope, progress, clock, signal: ending.signal })
  } catch (error) {
    state = ending.signal.aborted ? 'cancelled' : 'failed'
    if (state === 'failed') log.error('the ledger could not be verified', { error })
  }
  const ended_at = unixSeconds(clock)
  const store = ledgerCheckStore(db)
  await store.add({
    scope,
    started_by: by.kind,
    username: by.username ?? '',
    state,
    started_at: at,
    ended_at,
    took_ms: Math.round(clock.monotonic() - startedMs),
    ledger_rows: progress.rows,
    accounts: progress.accounts,
    differences: differences.length,
  })
  if (differences.length === 0) return
  logDifferences(log, differences)
  const open = await store.found(differences, ended_at)
  if (open > 0) await notifyRoot(deps, differences, ended_at)
}

function logDifferences(log: Logger, differences: readonly Difference[]): void {
  for (const one of differences.slice(0, MAX_LISTED))
    log.error('a balance differs from its ledger', { ...one, differences: differences.length })
}

/** A row in root's log. */
async function notifyRoot({ db, note }: LedgerChecksDeps, differences: readonly Difference[], at: number) {
  const [root] = await userStore(db).withRole(role.root)
  const [first] = differences
  if (!root || !first) return
  const { account, id, column, recorded, summed } = first
  const values = { n: differences.length, account, id, column, recorded, summed }
  const text = logMessage([{ key: 'ledger.event_differences', params: values }])
  note({ user_id: root.id, username: root.username, created_at: at, type: logType.system, ...text })
}
