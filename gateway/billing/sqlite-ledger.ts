import { existsSync, statSync, type writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AuditLog } from '../audit/audit-log.ts'
import type { Clock } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { randomKey } from '../base/ids.ts'
import type { Logger } from '../base/log/logger.ts'
import { STORAGE_UNAVAILABLE } from '../base/storage-fault.ts'
import { copyWhole } from '../base/whole-file.ts'
import { CannotStart, EXIT, LEDGER_JOURNAL, type OpenDatabase } from '../store/sqlite/database.ts'
import { type Balances, createBalances, type TokenBalance, type UserBalance } from './balances.ts'
import { type Checkpoints, createCheckpoints } from './checkpoints.ts'
import { type Journal, openJournal } from './journal.ts'
import type { Charge, Hold, HoldRequest, Ledger } from './ledger.ts'
import { createMoves } from './move.ts'
import { lineOf, readAnchor, unwritten } from './replay.ts'
import { createQueue, type Queue } from './write-queue.ts'

const PROGRESS_JOURNAL = 'progress.journal'

/** The ledger of a single process, with synchronous results. */
export interface SqliteLedger extends Ledger {
  hold(request: HoldRequest): SqliteHold
  /** Its rows share the ledger's commits, so that the log stays in order. */
  readonly auditLog: AuditLog
}

/** A hold whose charge is in the journal when `settle` returns. */
export interface SqliteHold extends Hold {
  settle(charge: Charge): void
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
  const queue = createQueue({ database, balances, journal, installation, log, rejectedFile })
  const closeFiles = () => {
    journal.close()
    progress.close()
  }
  // From here on the queue itself waits for locks of other programs, five seconds in total.
  database.waitBriefly()
  const replayDeps = { database, balances, folder, journal, progress, anchor, queue, log }
  const sequence = await replay(replayDeps).catch(async (cause) => {
    await queue.close()
    closeFiles()
    throw new CannotStart(
      EXIT.badData,
      `what the last run left in ${folder} cannot be written: ${reasonOf(cause)}`,
      cause,
    )
  })
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
    ...createMoves({ db: database.db, balances, queue, clock: deps.clock }),
    auditLog: {
      record: (note) => queue.add({ ...NO_CHARGE, userId: note.user_id, note, isUncounted: !isCounted() }),
    },
    flush: () => queue.flush().catch(() => undefined),
    forget: (account) => balances.forget(account),
    healthy: () => queue.healthy(),
    async close() {
      await queue.close()
      checkpoints.compact()
      closeFiles()
    },
  }
}

const NO_CHARGE = { sequence: 0, requestId: '', tokenId: 0, limited: false, charge: null } as const

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

type HoldDeps = Readonly<{
  balances: Balances
  journal: Journal
  queue: Queue
  checkpoints: Checkpoints
  deps: LedgerDeps & Required<Pick<LedgerDeps, 'isCounted'>>
  installation: string
  sequence: number
}>

function createHolds({ balances, journal, queue, checkpoints, deps, installation, sequence: reached }: HoldDeps) {
  let sequence = reached
  /**
   * Settled requests that are neither in the journal nor known to be in the database; until they are, their checkpoints
   * are retained.
   */
  const unjournalled: string[] = []
  const forgetUnjournalled = () => {
    const ids = unjournalled.splice(0)
    void queue.flush().then(
      () => ids.forEach(checkpoints.done),
      () => unjournalled.push(...ids),
    )
  }
  const write = ({ requestId, userId, tokenId }: HoldRequest, limited: boolean, charge: Charge) => {
    sequence += 1
    const isUncounted = !deps.isCounted()
    const entry = { sequence, requestId, userId, tokenId, limited, charge, note: null, isUncounted }
    try {
      journal.append(lineOf(installation, entry))
      checkpoints.done(requestId)
    } catch (error) {
      queue.storageFailed(error)
      unjournalled.push(requestId)
    }
    queue.add(entry)
    if (unjournalled.length > 0 && queue.healthy()) forgetUnjournalled()
  }
  return {
    hold(request: HoldRequest): SqliteHold {
      if (!queue.healthy()) throw refuse('unavailable', 'relay.storageUnavailable', {}, { code: STORAGE_UNAVAILABLE })
      const user = balances.user(request.userId)
      const token = request.tokenId > 0 ? balances.token(request.tokenId) : undefined
      if (!user) throw refuse('unauthenticated', 'relay.badToken')
      let open = true
      const add = (quota: number) => {
        hold.quota += quota
        user.reserved += quota
        if (token) token.reserved += quota
      }
      const close = () => {
        if (!open) return false
        open = false
        user.reserved -= hold.quota
        if (token) token.reserved -= hold.quota
        return true
      }
      const isLimited = () => token !== undefined && !token.unlimited
      const settle = (charge: Charge) => {
        if (!close()) return
        user.quota -= charge.quota
        if (token && isLimited()) token.remain -= charge.quota
        write(request, isLimited(), charge)
        if (charge.quota > 0 && user.quota < (request.remindBelow ?? 0)) deps.onLow?.(user.id, user.quota)
      }
      const hold: Mutable<SqliteHold> = {
        quota: 0,
        extend(wanted, min = wanted) {
          const more = Math.min(wanted, leftOf(user, token))
          if (!open || more < min) return false
          if (more > 0) add(more)
          return true
        },
        checkpoint: (charge) =>
          open && checkpoints.checkpoint({ request, limited: isLimited(), charge, isUncounted: !deps.isCounted() }),
        withdraw: () => open && checkpoints.withdraw(request.requestId),
        settle,
        release() {
          const owed = checkpoints.last(request.requestId)
          if (owed) settle(owed)
          else close()
        },
      }
      add(granted(request, user, token, deps.show))
      return hold
    },
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const freeOf = ({ quota, reserved }: UserBalance): number => quota - reserved

/** What a token may still spend; Infinity if it is not limited. */
const tokenLimitLeft = (token: TokenBalance | undefined): number =>
  token && !token.unlimited ? token.remain - token.reserved : Number.POSITIVE_INFINITY

const leftOf = (user: UserBalance, token: TokenBalance | undefined): number =>
  Math.min(freeOf(user), tokenLimitLeft(token))

/**
 * Computes the amount to reserve, or throws. Users with a large balance are checked too
 * (docs/reference/errors.md#refusals, docs/reference/billing.md#hold); free calls need no balance.
 */
function granted(
  { quota, minQuota = quota }: HoldRequest,
  user: UserBalance,
  token: TokenBalance | undefined,
  show: (quota: number) => string,
): number {
  if (quota === 0) return 0
  if (!(quota > 0 && minQuota >= 0)) throw new RangeError(`${minQuota} to ${quota} cannot be set aside`)
  const free = freeOf(user)
  if (free <= 0) throw refuse('exhausted', 'relay.userQuota', {}, { code: 'insufficient_user_quota' })
  if (free < minQuota)
    throw refuse(
      'exhausted',
      'relay.userQuotaShort',
      { have: show(free), need: show(minQuota) },
      { code: 'insufficient_user_quota' },
    )
  const tokenLeft = tokenLimitLeft(token)
  if (tokenLeft < minQuota || tokenLeft <= 0)
    throw refuse(
      'exhausted',
      'relay.tokenQuotaShort',
      { have: show(tokenLeft), need: show(minQuota) },
      { code: 'pre_consume_token_quota_failed' },
    )
  return Math.min(quota, free, tokenLeft)
}

type ReplayDeps = Readonly<{
  database: OpenDatabase
  balances: Balances
  folder: string
  journal: Journal
  progress: Journal
  anchor: { installation: string; sequence: number }
  queue: Queue
  log: Logger
}>

/**
 * Writes what the last run left, drops the affected balances from memory, and returns the sequence to continue from.
 */
async function replay(deps: ReplayDeps): Promise<number> {
  const { database, balances, folder, journal, progress, anchor, queue, log } = deps
  const written = database.writer.prepare(
    "select 1 from ledger where kind = 'consume' and ref_type = 'request' and ref_id = ?",
  )
  const settled = journal.read()
  const started = progress.read()
  const { entries, strangers } = unwritten(
    settled.records,
    started.records,
    anchor,
    (id) => written.get(id) !== undefined,
  )
  const damaged = settled.damaged + started.damaged + strangers
  if (damaged > 0) {
    const names = [LEDGER_JOURNAL, PROGRESS_JOURNAL].filter((name) => statSync(join(folder, name)).size > 0)
    const copies = names.map((name) => keepCopy(folder, name, anchor.sequence))
    log.error('journal lines could not be read; the files are not deleted', { lines: damaged, kept: copies })
  }
  for (const entry of entries) queue.add(entry)
  await queue.flush()
  // Writing the entries cached each user's balance as the last run left it, without these charges.
  for (const { userId } of entries) balances.forget({ userId })
  if (entries.length > 0) log.warn('charges of the last run were written', { charges: entries.length })
  journal.truncate()
  progress.truncate()
  return entries.reduce((highest, { sequence }) => Math.max(highest, sequence), anchor.sequence)
}

function keepCopy(folder: string, name: string, sequence: number): string {
  const file = join(folder, `${name}.unread-${sequence}`)
  let copy = file
  for (let attempt = 2; existsSync(copy); attempt += 1) copy = `${file}-${attempt}`
  copyWhole(join(folder, name), copy)
  return copy
}
