import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../base/logger.ts'
import { storageFault } from '../base/storage-fault.ts'
import { appendLine } from '../base/whole-file.ts'
import type { OpenDatabase } from '../store/database.ts'
import type { Balances } from './balances.ts'
import { BATCH, type CommitEntry, createCommit } from './commit.ts'
import type { Journal } from './journal.ts'
import { lineOf } from './replay.ts'

const GATHER_MS = 50
const RETRY_MS = 250
/** Another program's lock is waited for so many times, five seconds in all, before new calls are refused. */
const LOCKED_TRIES = 20
/** A database or disk that lets a group commit wait longer at one place takes nothing. */
const STALL_MS = 10_000
/** While more comes in a turn of the event loop than a batch, batches grow with what waits, up to some 10 ms of the loop. */
const SHARE = 10
const MAX_ROWS = 1000
/** Under a load that never lets up the journal is rewritten, without what is written, once it has so many bytes. */
const MAX_JOURNAL = 16 * 1024 * 1024
/** Rows without money that may wait; while the disk takes nothing every refused call makes one. */
const MAX_NOTES = 10_000

type QueueDeps = Readonly<{
  database: OpenDatabase
  balances: Balances
  journal: Journal
  /** Named in every line of the journal. */
  installation: string
  log: Logger
  rejectedFile: string
}>

/** Entries waiting for the next group commit; no line leaves the journal before its charge is in the database, on the disk. */
export interface Queue {
  add(entry: CommitEntry): void
  /** Resolves once everything added so far is written and on the disk. Rejects while that takes nothing, or never answers. */
  flush(): Promise<void>
  healthy(): boolean
  /** The journal could not be written: refuse new work until a commit succeeds. */
  storageFailed(error: unknown): void
  /** Writes what waits, if the disk takes it; what it does not take is in the journal for the next start. */
  close(): Promise<void>
}

/** Gathers entries for 50 ms and commits them; a disk that refuses is tried again until it takes them. */
export function createQueue(deps: QueueDeps): Queue {
  const commit = createCommit(deps.database.unsynced, deps.balances)
  const unsure = deps.journal.size() > 0
  const state: QueueState = { ...deps, commit, waiting: [], healthy: true, unsure, closed: false, over: false }
  return {
    add(entry) {
      if (!entry.charge && state.waiting.length >= MAX_NOTES) return
      state.waiting.push(entry)
      if (!state.running) schedule(state, GATHER_MS)
    },
    async flush() {
      const goal = state.waiting.at(-1)
      while (goal && state.waiting.includes(goal)) await run(state)
      await (state.unsure ? run(state) : state.running)
    },
    healthy: () => state.healthy,
    storageFailed(error) {
      noteFailure(state, error)
      schedule(state, RETRY_MS)
    },
    async close() {
      state.closed = true
      try {
        await state.running
        if (state.waiting.length > 0 || state.unsure) await run(state)
      } catch {
        deps.log.error('charges wait in the journal for the next start', { rows: state.waiting.length })
      }
      state.over = true
      clearTimeout(state.timer)
    },
  }
}

type QueueState = QueueDeps & {
  readonly commit: ReturnType<typeof createCommit>
  readonly waiting: CommitEntry[]
  timer?: NodeJS.Timeout | undefined
  running?: Promise<void> | undefined
  healthy: boolean
  /** What is committed may not be on the disk; so it is where a run was killed before its journal was emptied. */
  unsure: boolean
  closed: boolean
  over: boolean
}

function schedule(state: QueueState, delay: number): void {
  if (!state.closed) state.timer ??= setTimeout(() => void run(state).catch(() => undefined), delay)
}

function run(state: QueueState): Promise<void> {
  clearTimeout(state.timer)
  state.timer = undefined
  state.running ??= begin(state)
  return state.running
}

/** Drains; rejects before that has come to its end where it does not go on. */
function begin(state: QueueState): Promise<void> {
  const stall = Promise.withResolvers<void>()
  const watch = setTimeout(() => {
    const error = new Error(`a group commit has been waiting for ${STALL_MS / 1000} s`)
    noteFailure(state, error)
    stall.reject(error)
  }, STALL_MS)
  const drained = drain(state, () => void watch.refresh())
    .catch((error) => {
      noteFailure(state, error)
      throw error
    })
    .finally(() => {
      clearTimeout(watch)
      state.running = undefined
      if (!state.healthy) schedule(state, RETRY_MS)
      else if (state.waiting.length > 0) schedule(state, GATHER_MS)
    })
  return Promise.race([drained, stall.promise])
}

/** What comes meanwhile is for the next run: under a load that never lets up the disk is to be asked all the same. */
async function drain(state: QueueState, goesOn: () => void): Promise<void> {
  const { waiting, database, log } = state
  for (let left = waiting.length; left > 0; ) {
    const rows = Math.min(left, MAX_ROWS, Math.max(BATCH, Math.ceil(waiting.length / SHARE)))
    const entries = waiting.slice(0, rows)
    state.unsure = true
    await writeUnlocked(state, entries)
    goesOn()
    left -= rows
    // A backlog must not hold up the streams that are running.
    if (left > 0) await nextTurn()
  }
  await database.synced()
  // Another process may have the folder by now.
  if (state.over) return
  state.unsure = false
  forgetWritten(state)
  if (!state.healthy) log.info('the database takes writes again')
  state.healthy = true
}

/** Streams go on while another program has the lock. */
async function writeUnlocked(state: QueueState, entries: readonly CommitEntry[]): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await state.database.exclusively(() => writeBatch(state, entries))
    } catch (error) {
      if (storageFault(error) !== 'locked' || tries === LOCKED_TRIES || !state.healthy || state.closed) throw error
      await sleep(RETRY_MS)
    }
}

function writeBatch(state: QueueState, entries: readonly CommitEntry[]): void {
  try {
    state.commit(entries)
    state.waiting.splice(0, entries.length)
  } catch (error) {
    if (!isConstraint(error)) throw error
    for (const entry of entries) writeOne(state, entry)
  }
}

/** Writes a single entry; one that breaks a rule of the tables is set aside, and its charge undone in memory. */
function writeOne({ commit, rejectedFile, balances, waiting, log }: QueueState, entry: CommitEntry): void {
  try {
    commit([entry])
  } catch (error) {
    if (!isConstraint(error)) throw error
    appendLine(rejectedFile, JSON.stringify(entry))
    log.error('a charge broke a rule of the ledger and was set aside', { requestId: entry.requestId, error })
    balances.undo(entry)
  }
  waiting.shift()
}

/** Lines may have come while the disk was at work; those stay. */
function forgetWritten({ waiting, journal, installation }: QueueState): void {
  const asLine = (entry: CommitEntry) => lineOf(installation, entry)
  if (waiting.length === 0) journal.truncate()
  else if (journal.size() > MAX_JOURNAL) journal.rewrite(waiting.filter(hasCharge).map(asLine))
}

function noteFailure(state: QueueState, error: unknown): void {
  if (state.healthy) state.log.error('the database takes no writes; new calls are refused until it does', { error })
  state.healthy = false
}

const hasCharge = ({ charge }: CommitEntry): boolean => charge !== null

const isConstraint = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')
