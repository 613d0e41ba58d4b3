import type { writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Clock } from '../base/clock.ts'
import { randomKey } from '../base/ids.ts'
import type { Logger } from '../base/log/logger.ts'
import { LEDGER_JOURNAL, type OpenDatabase } from '../store/sqlite/database.ts'
import { type Balances, createBalances } from './balances.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createCommit } from './commit.ts'
import { createHolds, type JournaledHold } from './holds.ts'
import { openJournal } from './journal.ts'
import type { HoldRequest, Ledger } from './ledger.ts'
import { createMoves } from './move.ts'
import { readAnchor } from './replay.ts'
import { PROGRESS_JOURNAL, writeRemains } from './replay-remains.ts'
import { createQueue, type EntryWriter } from './write-queue.ts'

/** The ledger of a single process, whose `hold` is synchronous. */
export interface SqliteLedger extends Ledger {
  hold(request: HoldRequest): JournaledHold
  /** Its rows share the ledger's commits, so that the log stays in order. */
  readonly auditLog: AuditLog
}

type LedgerDeps = Readonly<{
  database: OpenDatabase
  folder: string
  clock: Clock
  log: Logger
  show: (quota: number) => string
  /**
   * Called synchronously after a charge if the remaining balance is below `remindBelow` of the hold; must return
   * immediately.
   */
  onLow?: (userId: number, left: number) => void
  /** Whether hourly usage is counted with the charges; default true. */
  isCounted?: () => boolean
  /** Replaces the disk of the journals in tests. */
  write?: typeof writeSync
}>

/**
 * The SQLite ledger of the only process that owns the data folder: balances in memory, a journal line before the last
 * byte is sent, group commits every 50 ms. Replays what a killed run left behind before it resolves.
 */
export async function openLedger(deps: LedgerDeps): Promise<SqliteLedger> {
  const { database, folder, log, isCounted = () => true } = deps
  const balances = createBalances(database.db, database.reader)
  const journal = openJournal(join(folder, LEDGER_JOURNAL), deps.write)
  const progress = openJournal(join(folder, PROGRESS_JOURNAL), deps.write)
  const anchor = readAnchor(database.writer, () => randomKey(12))
  const { installation } = anchor
  const rejectedFile = join(folder, 'rejected.journal')
  const writer = sqliteWriter(database, balances)
  const queue = createQueue({ writer, balances, journal, installation, log, rejectedFile })
  const closeFiles = () => {
    journal.close()
    progress.close()
  }
  // From here on the queue itself waits for locks of other programs, five seconds in total.
  database.waitBriefly()
  const written = writtenIn(database)
  const sequence = await writeRemains({ balances, folder, journal, progress, anchor, queue, written, log }).catch(
    async (cause) => {
      await queue.close()
      closeFiles()
      throw cause
    },
  )
  const checkpoints = createCheckpoints(progress, installation, queue.storageFailed)
  const holds = createHolds({
    balances,
    journal,
    queue,
    checkpoints,
    deps: { ...deps, isCounted },
    installation,
    sequence,
  })
  return {
    hold: holds.hold,
    ...createMoves({ db: database.db, balances, queue, clock: deps.clock, hasOtherNodes: false }),
    auditLog: {
      record: (note) => queue.add({ ...NO_CHARGE, userId: note.user_id, note, isUncounted: !isCounted() }),
    },
    flush: () => queue.flush().catch(() => undefined),
    // No other node changes accounts.
    forget: (account) => account !== 'all' && balances.forget(account),
    healthy: () => queue.healthy(),
    async close() {
      await queue.close()
      checkpoints.compact()
      closeFiles()
    },
  }
}

const NO_CHARGE = { sequence: 0, requestId: '', tokenId: 0, limited: false, charge: null } as const

const sqliteWriter = (database: OpenDatabase, balances: Balances): EntryWriter => {
  const commit = createCommit(database.unsynced, balances)
  return {
    write: (entries) => database.exclusively(() => commit(entries)),
    synced: database.synced,
    breaksRule: (error) =>
      error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT'),
    isAway: () => false,
    stallMs: 10_000,
  }
}

/** Which of these requests have their charge in the ledger. */
function writtenIn({ writer }: OpenDatabase) {
  const found = writer.prepare("select 1 from ledger where kind = 'consume' and ref_type = 'request' and ref_id = ?")
  return async (ids: readonly string[]) => new Set(ids.filter((id) => found.get(id) !== undefined))
}
