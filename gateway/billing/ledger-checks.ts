import { setTimeout as pause } from 'node:timers/promises'
import type { LedgerCheck, LedgerCheckProgress } from '../../shared/api/ledger.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { InTurn } from '../base/in-turn.ts'
import type { Logger } from '../base/log/logger.ts'
import { LEDGER_DIFFERENCES } from '../notify/notice.ts'
import type { RootEvents } from '../notify/root-events.ts'
import { ledgerCheckStore } from '../store/ledger/ledger-checks.ts'
import type { Difference } from '../store/ledger/ledger-sums.ts'
import type { Db } from '../store/sqlite/database.ts'
import { hasLostRows, type Scope, type VerifyProgress, verifyLedger, workAhead } from './verify.ts'

/** Checks that compare balances with the ledger: one at a time, each recorded with its result. They repair nothing. */
export interface LedgerChecks {
  /** Verifies new rows, and waits some seconds for the result unless there are many rows. Never throws. */
  atStart(): Promise<void>
  /** Starts a check in the background; throws if one is running. */
  begin(scope: Scope, by: StartedBy): void
  /** Cancels the running check after the current slice; does nothing if none is running. */
  cancel(): void
  running(): LedgerCheckProgress | null
  /** Unix seconds when the last check that was not cancelled ended; 0 if there was none. */
  lastEnded(): Promise<number>
  idle(): Promise<void>
  stop(): Promise<void>
}

type StartedBy = Readonly<{ kind: LedgerCheck['started_by']; username?: string }>

type LedgerChecksDeps = Readonly<{
  db: Db
  clock: Clock
  log: Logger
  rootEvents: Pick<RootEvents, 'report'>
  /** Serializes checks, clean-ups and imports. */
  inTurn: InTurn
}>

/**
 * Fewer rows and accounts than this are verified before the first request is served, which takes about half a second;
 * more are verified in the background.
 */
export const MAX_AT_START = 30_000
/** Max time for which the first request waits, as another node may be verifying. */
const MAX_START_WAIT_MS = 5000
const MAX_LOGGED = 20

type RunningCheck = { scope: Scope; by: StartedBy; at: number; progress: VerifyProgress; ending: AbortController }

export function createLedgerChecks(deps: LedgerChecksDeps): LedgerChecks {
  const { db, clock, log } = deps
  let current: RunningCheck | undefined
  let lastRun = Promise.resolve()
  let stopped = false
  const run = async (scope: Scope, by: StartedBy): Promise<void> => {
    const one: RunningCheck = {
      scope,
      by,
      at: unixSeconds(clock),
      progress: { rows: 0, accounts: 0 },
      ending: new AbortController(),
    }
    current = one
    if (stopped) one.ending.abort()
    try {
      await deps.inTurn(() => runCheck(deps, one), one.ending.signal)
    } catch (error) {
      if (!one.ending.signal.aborted) log.error('a ledger check could not be written down', { error })
    } finally {
      current = undefined
    }
  }
  return {
    async atStart() {
      try {
        const isSmall = (await workAhead(db, MAX_AT_START)) < MAX_AT_START
        lastRun = run('new', { kind: 'start' })
        if (isSmall) await Promise.race([lastRun, pause(MAX_START_WAIT_MS, undefined, { ref: false })])
        else log.info('the ledger is verified in the background', { rows: MAX_AT_START })
      } catch (error) {
        log.error('the ledger could not be verified', { error })
      }
    },
    begin(scope, by) {
      if (current) throw refuse('invalid', 'ledger.check_running')
      lastRun = run(scope, by)
    },
    cancel: () => current?.ending.abort(),
    running: () =>
      current
        ? {
            scope: current.scope,
            started_at: current.at,
            ...current.progress,
            is_cancelling: current.ending.signal.aborted,
          }
        : null,
    async lastEnded() {
      const checks = await ledgerCheckStore(db).newest(50)
      return checks.find(({ state }) => state !== 'cancelled')?.ended_at ?? 0
    },
    idle: () => lastRun,
    async stop() {
      stopped = true
      current?.ending.abort()
      await lastRun
    },
  }
}

/** Runs one check and stores its result. Throws if that cannot be stored. */
async function runCheck(
  deps: LedgerChecksDeps,
  { scope: requestedScope, by, at, progress, ending }: RunningCheck,
): Promise<void> {
  const { db, clock, log } = deps
  const startedMs = clock.monotonic()
  let scope = requestedScope
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
  const [first] = differences
  if (open === 0 || !first) return
  const { account, id, column, recorded, summed } = first
  const params = { n: differences.length, account, id, column, recorded, summed }
  const key = 'ledger.event_differences'
  const values = [differences.length, account, id, column, recorded, summed].map(String)
  const notice = { type: LEDGER_DIFFERENCES, subject: 'ledger.event_subject', body: [key], params, values } as const
  await deps.rootEvents.report({ messages: [{ key, params }], notice })
}

function logDifferences(log: Logger, differences: readonly Difference[]): void {
  for (const one of differences.slice(0, MAX_LOGGED))
    log.error('a balance differs from its ledger', { ...one, differences: differences.length })
}
