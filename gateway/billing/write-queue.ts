import { setImmediate as nextCommit, setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../base/log/logger.ts'
import { storageFault } from '../base/storage-fault.ts'
import { appendLine } from '../base/whole-file.ts'
import type { Balances } from './balances.ts'
import type { Journal } from './journal.ts'
import type { CommitEntry } from './ledger.ts'
import { lineOf } from './replay.ts'

const GATHER_MS = 50
const RETRY_MS = 250
/** Max attempts to write while another program holds the lock, five seconds in total; then new calls are refused. */
const LOCKED_TRIES = 20
/**
 * A batch holds at least one in this many queued entries (up to `MAX_ROWS`), so batches grow if entries arrive faster
 * than they are written.
 */
const SHARE = 10
/** Max rows of a batch: about 10 ms of the event loop. */
const MAX_ROWS = 1000
/** Under constant load, the journal is rewritten once it has this many bytes, leaving out what is in the database. */
const MAX_JOURNAL = 16 * 1024 * 1024
/**
 * Rows without money are dropped while this many entries are queued: while the disk fails, every refused call adds one.
 */
const MAX_NOTES = 10_000

/** Writes the entries of a queue to one kind of database. */
export type EntryWriter = Readonly<{
  /** Writes a group in one transaction, or rejects and writes nothing. Resolves once the connection is free again. */
  write: (entries: readonly CommitEntry[]) => Promise<void>
  /** Resolves once everything written is on disk. */
  synced: () => Promise<void>
  /** Whether an error means that an entry breaks a rule of a table, so that it can never be written. */
  breaksRule: (error: unknown) => boolean
  /**
   * Whether an error means that the server does not respond at the moment. Charges then wait in the journal, and the
   * ledger decides how long it accepts more of them.
   */
  isAway: (error: unknown) => boolean
  /** A database or disk that blocks a group commit this long counts as failed. */
  stallMs: number
}>

/**
 * Rows per transaction unless the queue is long: about 1 ms of the event loop on SQLite
 * (docs/decisions/2026-11-21-the-ledger.md).
 */
const BATCH = 100

type QueueDeps = Readonly<{
  writer: EntryWriter
  balances: Balances
  journal: Journal
  installation: string
  log: Logger
  rejectedFile: string
}>

/**
 * Entries waiting for the next group commit. No line is removed from the journal before its charge is in the database
 * and synced to disk.
 */
export interface Queue {
  add(entry: CommitEntry): void
  /** Resolves once everything added so far is written and synced. Rejects if writing fails or blocks. */
  flush(): Promise<void>
  healthy(): boolean
  /** How many entries are not in the database, and how many were written since the start. */
  progress(): Readonly<{ waiting: number; written: number }>
  /** Call it if the journal could not be written: new work is refused until a commit succeeds. */
  storageFailed(error: unknown): void
  /**
   * Writes what is queued, if the disk accepts it; otherwise it remains in the journal for the next start. Resolves to
   * whether everything is written.
   */
  close(): Promise<boolean>
}

/** Gathers entries for 50 ms and commits them; retries until the disk accepts them. */
export function createQueue(deps: QueueDeps): Queue {
  const unsyncedAtStart = deps.journal.size() > 0
  const state: QueueState = {
    ...deps,
    waiting: [],
    healthy: true,
    isAway: false,
    unsure: unsyncedAtStart,
    closed: false,
    over: false,
    written: 0,
  }
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
    progress: () => ({ waiting: state.waiting.length, written: state.written }),
    storageFailed(error) {
      markUnhealthy(state, error)
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
      return state.waiting.length === 0
    },
  }
}

type QueueState = QueueDeps & {
  readonly waiting: CommitEntry[]
  timer?: NodeJS.Timeout | undefined
  running?: Promise<void> | undefined
  healthy: boolean
  isAway: boolean
  /** Committed data may not be synced yet; initially true if a killed run left its journal behind. */
  unsure: boolean
  closed: boolean
  over: boolean
  written: number
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

/** Starts draining; rejects early if that makes no progress. */
function begin(state: QueueState): Promise<void> {
  const stall = Promise.withResolvers<void>()
  const watch = setTimeout(() => {
    const error = new Error(`a group commit has been waiting for ${state.writer.stallMs / 1000} s`)
    markUnhealthy(state, error)
    stall.reject(error)
  }, state.writer.stallMs)
  const drained = drain(state, () => void watch.refresh())
    .catch((error) => {
      markUnhealthy(state, error)
      throw error
    })
    .finally(() => {
      clearTimeout(watch)
      state.running = undefined
      if (!state.healthy || state.isAway) schedule(state, RETRY_MS)
      else if (state.waiting.length > 0) schedule(state, GATHER_MS)
    })
  return Promise.race([drained, stall.promise])
}

/** Entries that arrive meanwhile are left to the next run, so that the disk is synced even under constant load. */
async function drain(state: QueueState, onProgress: () => void): Promise<void> {
  const { waiting, writer, log } = state
  for (let left = waiting.length; left > 0; ) {
    const rows = Math.min(left, MAX_ROWS, Math.max(BATCH, Math.ceil(waiting.length / SHARE)))
    const entries = waiting.slice(0, rows)
    state.unsure = true
    await writeUnlocked(state, entries)
    onProgress()
    state.written += rows
    left -= rows
    // A backlog must not block running streams.
    if (left > 0) await nextCommit()
  }
  await writer.synced()
  // Another process may own the folder by now.
  if (state.over) return
  state.unsure = false
  forgetWritten(state)
  if (!state.healthy || state.isAway) log.info('the database takes writes again')
  state.healthy = true
  state.isAway = false
}

/** Waits without blocking streams while another program holds the lock. */
async function writeUnlocked(state: QueueState, entries: readonly CommitEntry[]): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await writeBatch(state, entries)
    } catch (error) {
      if (storageFault(error) !== 'locked' || tries === LOCKED_TRIES || !state.healthy || state.closed) throw error
      await sleep(RETRY_MS)
    }
}

async function writeBatch(state: QueueState, entries: readonly CommitEntry[]): Promise<void> {
  try {
    await state.writer.write(entries)
    state.waiting.splice(0, entries.length)
  } catch (error) {
    if (!state.writer.breaksRule(error)) throw error
    for (const entry of entries) await writeOne(state, entry)
  }
}

/**
 * Writes a single entry. If it violates a constraint, its log row is set aside and the charge is written without it; if
 * the charge violates one too, it is reverted in memory.
 */
async function writeOne(
  { writer, rejectedFile, balances, waiting, log }: QueueState,
  entry: CommitEntry,
): Promise<void> {
  const error = await ruleBroken(writer, entry)
  if (error) {
    appendLine(rejectedFile, JSON.stringify(entry))
    const { requestId, charge } = entry
    const isCharged = charge?.log && !(await ruleBroken(writer, { ...entry, charge: { ...charge, log: null } }))
    const what = isCharged ? 'the log row of a charge' : 'an entry'
    log.error(`${what} broke a rule of the database and was set aside`, { requestId, error })
    if (!isCharged) balances.undo(entry)
  }
  waiting.shift()
}

/** Writes an entry; returns the error if it violates a constraint, so that it is not written. */
async function ruleBroken({ write, breaksRule }: EntryWriter, entry: CommitEntry): Promise<unknown> {
  try {
    await write([entry])
    return undefined
  } catch (error) {
    if (!breaksRule(error)) throw error
    return error
  }
}

/** Lines may have been added while the disk was busy; these must stay. */
function forgetWritten({ waiting, journal, installation }: QueueState): void {
  const asLine = (entry: CommitEntry) => lineOf(installation, entry)
  if (waiting.length === 0) journal.truncate()
  else if (journal.size() > MAX_JOURNAL) journal.rewrite(waiting.filter(hasCharge).map(asLine))
}

function markUnhealthy(state: QueueState, error: unknown): void {
  if (state.writer.isAway(error)) {
    if (!state.isAway) state.log.warn('the database does not respond; charges wait in the journal', { error })
    state.isAway = true
    return
  }
  if (state.healthy) state.log.error('the database takes no writes; new calls are refused until it does', { error })
  state.healthy = false
}

const hasCharge = ({ charge }: CommitEntry): boolean => charge !== null
