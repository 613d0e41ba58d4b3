import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { AuditLog } from '../../audit/audit-log.ts'
import type { Clock } from '../../base/clock.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { randomKey } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { STORAGE_UNAVAILABLE } from '../../base/storage-fault.ts'
import { replaceFile } from '../../base/whole-file.ts'
import type { SharedBudgets } from '../../shared-state/shared-budgets.ts'
import { AWAY, type Connections, codeOf } from '../../store/postgres/connections.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { LEDGER_JOURNAL } from '../../store/sqlite/database.ts'
import { createCheckpoints } from '../checkpoints.ts'
import { createHolds, type JournaledHold } from '../holds.ts'
import { openJournal } from '../journal.ts'
import type { Charge, Hold, HoldRequest, Ledger } from '../ledger.ts'
import { createMoves } from '../move.ts'
import type { NodeFigures, Nodes, RedisUse } from '../nodes.ts'
import { PROGRESS_JOURNAL, writeRemains } from '../replay-remains.ts'
import { createQueue, type EntryWriter, type Queue } from '../write-queue.ts'
import { createBudgetRows } from './budget-rows.ts'
import { startHeartbeat } from './heartbeat.ts'
import {
  drainNode,
  FENCE_SECONDS,
  fenceNode,
  joinNodes,
  listNodes,
  type Membership,
  raiseAlarms,
} from './membership.ts'
import { createNodeRows, type NodeRows } from './node-rows.ts'
import { Slices } from './slices.ts'

type PostgresLedgerDeps = Readonly<{
  connections: Connections
  db: Db
  /** For the journals and the name of the node. */
  folder: string
  clock: Clock
  log: Logger
  show: (quota: number) => string
  onLow?: (userId: number, left: number) => void
  isCounted: () => boolean
  /** Whether the last byte of a response waits until its charge is in the database, for nodes without a disk. */
  isStrict: boolean
  version: string
  /** Seconds of silence after which this node fences another one; 0 for never. */
  lostAfter: number
  redis?: () => RedisUse
}>

const NODE_FILE = 'node'
/** Movements change the database only; slices are leased again. */
const NO_BALANCES = { user: () => undefined, token: () => undefined }

/**
 * The ledger of one node of several: reserves and settles within its slices, with a journal line before the last byte
 * is sent, and commits groups every 50 ms (docs/decisions/2026-11-29-slices-of-balances.md).
 */
export async function openPostgresLedger(
  deps: PostgresLedgerDeps,
): Promise<Ledger & { readonly auditLog: AuditLog; readonly nodes: Nodes; isReady(): boolean }> {
  const { connections, db, folder, clock, log } = deps
  const node = nodeIn(folder)
  const member = await joinNodes(connections, node, deps.version)
  const rows = createNodeRows(connections, member)
  const budgets = createBudgetRows(connections, member, clock.monotonic)
  const inTurn = pLimit(1)
  const slices = new Slices(rows, inTurn, clock.monotonic)
  const journal = openJournal(join(folder, LEDGER_JOURNAL))
  const progress = openJournal(join(folder, PROGRESS_JOURNAL))
  const writer: EntryWriter = {
    write: (entries) => slices.commit(entries),
    synced: async () => {},
    breaksRule: (error) => BROKEN_RULE.test(codeOf(error)),
    isAway: (error) => AWAY.test(codeOf(error)),
    stallMs: MAX_COMMIT_MS,
  }
  const rejectedFile = join(folder, 'rejected.journal')
  const queue = createQueue({ writer, balances: slices, journal, installation: node, log, rejectedFile })
  const anchor = { installation: node, sequence: member.begun.sequence }
  const { written } = rows
  const sequence = await writeRemains({ balances: slices, folder, journal, progress, anchor, queue, written, log })
  await giveBackRemains(rows)
  await budgets.open()
  const checkpoints = createCheckpoints(progress, node, queue.storageFailed)
  const holds = createHolds({ balances: slices, journal, queue, checkpoints, deps, installation: node, sequence })
  const moves = createMoves({ db, balances: NO_BALANCES, queue, clock, hasOtherNodes: true })
  const figures = createFigures(queue, deps.redis ?? (() => 'none'), clock.monotonic)
  const heartbeat = startHeartbeat({ ...deps, member, figures, slices, monotonic: clock.monotonic })
  const hold = (request: HoldRequest): MaybePromise<Hold> => {
    const reserved = slices.reserving(request, () => {
      const hold = refilled(holds.hold(request), request, slices)
      return deps.isStrict ? committed(hold, queue, clock) : hold
    })
    return reserved instanceof Promise ? reserved.catch(rethrow) : reserved
  }
  return {
    hold(request) {
      const checked = heartbeat.check()
      return checked ? checked.then(() => hold(request)) : hold(request)
    },
    async move(...movements) {
      await moves.move(...movements)
      for (const { userId } of movements) slices.forget({ userId })
    },
    refund: moves.refund,
    async changeToken(change) {
      await moves.changeToken(change)
      slices.forget({ tokenId: change.tokenId })
    },
    auditLog: {
      record: (note) => queue.add({ ...NO_CHARGE, userId: note.user_id, note, isUncounted: !deps.isCounted() }),
    },
    nodes: nodesOf(connections, member, budgets),
    isReady: () => queue.healthy() && heartbeat.isReady(),
    flush: () => queue.flush().catch(() => undefined),
    forget: (account) => (account === 'all' ? slices.forgetAll() : slices.forget(account)),
    healthy: () => queue.healthy(),
    async close() {
      heartbeat.stop()
      const isWritten = await queue.close()
      const warn = (error: unknown) => log.warn('unused quota could not be given back', { error })
      await slices.close().catch(warn)
      await budgets.close().catch(warn)
      // Otherwise the node counts as silent, so that it is noticed, and no move leaves out the charges in its journal.
      if (isWritten) await member.leave().catch(() => {})
      checkpoints.compact()
      journal.close()
      progress.close()
    },
  }
}

const nodesOf = (connections: Connections, member: Membership, budgets: SharedBudgets): Nodes => ({
  own: member.node,
  fenceSeconds: FENCE_SECONDS,
  living: () => member.living,
  budgets,
  list: () => listNodes(connections),
  alarms: () => raiseAlarms(connections),
  fence: (name) => fenceNode(connections, name, FENCE_SECONDS),
  drain: (name, isDraining) => drainNode(connections, name, isDraining),
})

/** Returns a function that reads the figures of this node; it must be called every second. */
function createFigures(queue: Queue, redis: () => RedisUse, monotonic: () => number): () => NodeFigures {
  let known = queue.progress()
  let progressMs = monotonic()
  return () => {
    const now = queue.progress()
    if (now.waiting === 0 || now.written !== known.written) progressMs = monotonic()
    known = now
    const uncommittedSeconds = Math.floor((monotonic() - progressMs) / 1000)
    return { uncommitted: now.waiting, uncommittedSeconds, redis: redis() }
  }
}

/** Leases more while the request runs, if it uses much of what this node has. */
function refilled(hold: JournaledHold, request: HoldRequest, slices: Slices): JournaledHold {
  const { extend } = hold
  slices.refill(request)
  return Object.assign(hold, {
    extend(wanted: number, min?: number) {
      const isExtended = extend(wanted, min)
      slices.refill({ ...request, quota: wanted })
      return isExtended
    },
  })
}

const COMMIT_RETRY_MS = 250
/**
 * If the database blocks commits for longer than this, new calls are refused; with `SETTLE=commit`, responses end
 * without their last byte.
 */
const MAX_COMMIT_MS = 30_000

/** Makes `settle` resolve only once the charge is in the database. */
function committed(hold: JournaledHold, queue: Queue, { monotonic }: Clock): Hold {
  const { settle } = hold
  return Object.assign(hold, {
    async settle(charge: Charge) {
      settle(charge)
      for (const untilMs = monotonic() + MAX_COMMIT_MS; ; )
        try {
          return await queue.flush()
        } catch (error) {
          if (monotonic() > untilMs) throw error
          await sleep(COMMIT_RETRY_MS)
        }
    },
  })
}

function rethrow(cause: unknown): never {
  if (cause instanceof GatewayError) throw cause
  throw refuse('unavailable', 'relay.storageUnavailable', {}, { code: STORAGE_UNAVAILABLE, cause })
}

const NO_CHARGE = { sequence: 0, requestId: '', tokenId: 0, limited: false, charge: null } as const

/** PostgreSQL's error classes for rows that conflict with each other, with a column's type, or with a constraint. */
const BROKEN_RULE = /^(21|22|23)/

/** Returns the name of the node that a data folder, and so its journal, belongs to. */
function nodeIn(folder: string): string {
  const file = join(folder, NODE_FILE)
  if (!existsSync(file)) replaceFile(file, randomKey(12))
  return readFileSync(file, 'utf8')
}

/** Gives back the quota that the last run of this node had leased but not spent. */
async function giveBackRemains(rows: NodeRows): Promise<void> {
  const remains = await rows.reconciled()
  await rows.lease(
    remains.map(({ kind, id, amount }) => ({ kind, id, need: 0, lowest: 0, want: -amount, isExact: true })),
  )
}
