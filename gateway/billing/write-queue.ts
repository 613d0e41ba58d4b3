import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from '../base/logger.ts'
import { appendLine } from '../base/whole-file.ts'
import type { OpenDatabase } from '../store/database.ts'
import type { Balances } from './balances.ts'
import { BATCH, createCommit, type Entry } from './commit.ts'
import type { Journal } from './journal.ts'
import { lineOf } from './replay.ts'

const GATHER_MS = 50
const RETRY_MS = 250
/** A database or disk that lets a group commit wait longer at one place takes nothing. */
const STALL_MS = 10_000
/** While more comes in a turn of the event loop than a batch, batches grow with what waits, up to some 10 ms of the loop. */
const SHARE = 10
const MOST_ROWS = 1000
/** Under a load that never lets up the journal is rewritten, without what is written, once it has so many bytes. */
const MOST_JOURNAL = 16 * 1024 * 1024
/** Rows without money that may wait; while the disk takes nothing every refused call makes one. */
const MOST_NOTES = 10_000

export type QueueDeps = Readonly<{
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
  add(entry: Entry): void
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
  const { database, balances, journal, installation, log, rejectedFile } = deps
  const commit = createCommit(database.unsynced, balances)
  const waiting: Entry[] = []
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let healthy = true
  /** What is committed may not be on the disk; so it is where a run was killed before its journal was emptied. */
  let unsure = journal.size() > 0
  let closed = false
  let over = false

  const failed = (error: unknown) => {
    if (healthy) log.error('the database takes no writes; new calls are refused until it does', { error })
    healthy = false
  }
  const one = (entry: Entry) => {
    try {
      commit([entry])
    } catch (error) {
      if (!isConstraint(error)) throw error
      appendLine(rejectedFile, JSON.stringify(entry))
      log.error('a charge broke a rule of the books and was set aside', { requestId: entry.requestId, error })
      balances.undo(entry)
    }
    waiting.shift()
  }
  const batch = (entries: readonly Entry[]) => {
    try {
      commit(entries)
      waiting.splice(0, entries.length)
    } catch (error) {
      if (!isConstraint(error)) throw error
      for (const entry of entries) one(entry)
    }
  }
  /** What comes meanwhile is for the next run: under a load that never lets up the disk is to be asked all the same. */
  const drain = async (goesOn: () => void) => {
    for (let left = waiting.length; left > 0; ) {
      const rows = Math.min(left, MOST_ROWS, Math.max(BATCH, Math.ceil(waiting.length / SHARE)))
      const entries = waiting.slice(0, rows)
      unsure = true
      await database.exclusively(() => batch(entries))
      goesOn()
      left -= rows
      // A backlog must not hold up the streams that are running.
      if (left > 0) await nextTurn()
    }
    await database.synced()
    // Another process may have the folder by now.
    if (over) return
    unsure = false
    forgetWritten()
    if (!healthy) log.info('the database takes writes again')
    healthy = true
  }
  const asLine = (entry: Entry) => lineOf(installation, entry)
  /** Lines may have come while the disk was at work; those stay. */
  const forgetWritten = () => {
    if (waiting.length === 0) journal.truncate()
    else if (journal.size() > MOST_JOURNAL) journal.rewrite(waiting.filter(hasCharge).map(asLine))
  }
  const run = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    running ??= begin()
    return running
  }
  /** Drains; rejects before that has come to its end where it does not go on. */
  const begin = (): Promise<void> => {
    const stall = Promise.withResolvers<void>()
    const watch = setTimeout(() => {
      const error = new Error(`a group commit has been waiting for ${STALL_MS / 1000} s`)
      failed(error)
      stall.reject(error)
    }, STALL_MS)
    const drained = drain(() => void watch.refresh())
      .catch((error) => {
        failed(error)
        throw error
      })
      .finally(() => {
        clearTimeout(watch)
        running = undefined
        if (!healthy) schedule(RETRY_MS)
        else if (waiting.length > 0) schedule(GATHER_MS)
      })
    return Promise.race([drained, stall.promise])
  }
  const schedule = (delay: number) => {
    if (!closed) timer ??= setTimeout(() => void run().catch(() => undefined), delay)
  }
  return {
    add(entry) {
      if (!entry.charge && waiting.length >= MOST_NOTES) return
      waiting.push(entry)
      if (!running) schedule(GATHER_MS)
    },
    async flush() {
      const goal = waiting.at(-1)
      while (goal && waiting.includes(goal)) await run()
      await (unsure ? run() : running)
    },
    healthy: () => healthy,
    storageFailed(error) {
      failed(error)
      schedule(RETRY_MS)
    },
    async close() {
      closed = true
      try {
        await running
        if (waiting.length > 0 || unsure) await run()
      } catch {
        log.error('charges wait in the journal for the next start', { rows: waiting.length })
      }
      over = true
      clearTimeout(timer)
    },
  }
}

const hasCharge = ({ charge }: Entry): boolean => charge !== null

const isConstraint = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_CONSTRAINT')
