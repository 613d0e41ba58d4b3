import { type CompiledQuery, Kysely } from 'kysely'
import { refuse } from '../../base/errors.ts'
import { createFairQueue, type FairQueue, TooManyWaiting } from '../../base/fair-queue.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Schema } from '../schema/schema.ts'
import type { Db } from './database.ts'
import { readerDialect } from './reader-dialect.ts'
import type { PackedText, Query, ReaderThread, Surround } from './reader-thread.ts'

/**
 * Runs reads of unbounded cost off the relay's thread (docs/reference/tables.md#readers). They see committed data.
 * Accounts are served round-robin; the gateway itself counts as account 0. Rejects with `timeout` if a query runs too
 * long, and with `limited` if too many queries of its account wait.
 */
export interface Reader {
  /**
   * Returns a database that reads until the caller disconnects: then waiting queries are dropped and a running one is
   * ended, both with the signal's reason.
   */
  until(caller?: ReadCaller): Db
  /**
   * Returns the single text that a query selects, wrapped in the envelope and gzipped on the thread, because it may be
   * megabytes long.
   */
  packed(query: CompiledQuery<Readonly<{ text: string }>>, envelope: Surround, caller?: ReadCaller): Promise<PackedText>
  /** Ends the thread or the connections; queries that wait or run are rejected. */
  close(): Promise<void>
}

/** `accountId` 0 is the gateway itself. */
export type ReadCaller = Readonly<{ accountId?: number; gone?: AbortSignal }>

type ReaderLimits = Readonly<{
  /**
   * Max waiting queries. An account may take only as many waiting positions as it leaves free for all others; further
   * queries of the account are rejected.
   */
  waiting: number
  /** Max run time of a query once a thread is available. */
  maxMs: number
  /** How long a query continues after its caller disconnected: ending the thread costs more than a short query. */
  abandonedMs: number
  quietMs: number
}>

type ReaderDeps = Readonly<{
  file: string
  log: Logger
  limits?: ReaderLimits
  start?: (file: string) => Promise<ReaderThread>
}>

export const readerLimits: ReaderLimits = { waiting: 100, maxMs: 2000, abandonedMs: 200, quietMs: 60_000 }
/**
 * Max threads that are still ending, because a running statement delays the end. At this number, new queries are
 * rejected, and waiting ones do not start.
 */
const MAX_ENDING = 2

type Job = {
  readonly query: Query
  readonly done: PromiseWithResolvers<unknown[]>
  isOver: boolean
}

/** Creates a reader whose thread is started by the first query. */
export function createReader({ file, log, limits = readerLimits, start = startThread }: ReaderDeps): Reader {
  const turns = createFairQueue(1, limits.waiting)
  const state: ReaderState = { file, log, limits, start, turns, ending: new Set(), closing: new AbortController() }
  return {
    until: (caller = {}) => new Kysely<Schema>({ dialect: readerDialect((query) => read(state, query, caller)) }),
    async packed({ sql, parameters }, envelope, caller = {}) {
      const [text] = await read(state, { sql, parameters, envelope }, caller)
      return text as PackedText
    },
    async close() {
      state.closing.abort(busy())
      if (state.running) giveUp(state, state.running, busy())
      await state.work
      endThread(state)
      await Promise.all(state.ending)
    },
  }
}

type ReaderState = Required<ReaderDeps> & {
  readonly turns: FairQueue
  readonly closing: AbortController
  readonly ending: Set<Promise<void>>
  thread?: ReaderThread | undefined
  running?: Job | undefined
  work?: Promise<void> | undefined
  limit?: NodeJS.Timeout | undefined
  quiet?: NodeJS.Timeout | undefined
}

async function read(state: ReaderState, query: Query, { accountId = 0, gone }: ReadCaller): Promise<unknown[]> {
  const { turns, ending, limits, closing } = state
  if (ending.size >= MAX_ENDING) throw busy()
  const ends = gone ? AbortSignal.any([closing.signal, gone]) : closing.signal
  const end = await turns.take(accountId, ends).catch(refuseBusy)
  // The caller may have disconnected at the moment of its turn.
  if (gone?.aborted) {
    end()
    throw gone.reason
  }
  const job: Job = { query, done: Promise.withResolvers(), isOver: false }
  const onAbort = () => abandon(state, job, gone?.reason)
  gone?.addEventListener('abort', onAbort, { once: true })
  clearTimeout(state.quiet)
  state.running = job
  state.work = run(state, job).finally(() => {
    state.running = undefined
    state.quiet = setTimeout(() => endThread(state), limits.quietMs).unref()
    end()
  })
  return job.done.promise.finally(() => gone?.removeEventListener('abort', onAbort))
}

function refuseBusy(cause: unknown): never {
  throw cause instanceof TooManyWaiting ? busy() : cause
}

async function run(state: ReaderState, job: Job): Promise<void> {
  const { ending, limits, start, file } = state
  try {
    while (!state.thread?.isAlive() && ending.size >= MAX_ENDING) await Promise.race(ending)
    if (!state.thread?.isAlive()) state.thread = await start(file)
    if (job.isOver) return
    state.limit = setTimeout(() => overtime(state, job), limits.maxMs).unref()
    const rows = await state.thread.read(job.query)
    finish(job, () => job.done.resolve(rows))
  } catch (error) {
    finish(job, () => job.done.reject(error))
  } finally {
    clearTimeout(state.limit)
  }
}

function finish(job: Job, settle: () => void): void {
  if (job.isOver) return
  job.isOver = true
  settle()
}

function giveUp(state: ReaderState, job: Job, reason: unknown): void {
  finish(job, () => job.done.reject(reason))
  if (job === state.running) endThread(state)
}

function overtime(state: ReaderState, job: Job): void {
  const { log, limits } = state
  log.warn('a query took too long and was ended', { milliseconds: limits.maxMs, sql: job.query.sql })
  giveUp(state, job, refuse('timeout', 'read.slow', { seconds: limits.maxMs / 1000 }))
}

/**
 * Handles a disconnected caller. A running query may continue for a moment, so that the thread need not be restarted.
 */
function abandon(state: ReaderState, job: Job, reason: unknown): void {
  finish(job, () => job.done.reject(reason))
  if (job !== state.running) return
  clearTimeout(state.limit)
  state.limit = setTimeout(() => endThread(state), state.limits.abandonedMs).unref()
}

function endThread(state: ReaderState): void {
  clearTimeout(state.quiet)
  const end = state.thread?.end()
  state.thread = undefined
  if (!end) return
  const ended = end.finally(() => state.ending.delete(ended))
  state.ending.add(ended)
}

const busy = () => refuse('limited', 'read.busy', {}, { retryAfterSeconds: 1 })

/** Imported dynamically, so that the module stays a separate chunk (see `startReaderThread`). */
async function startThread(file: string): Promise<ReaderThread> {
  const { startReaderThread } = await import('./reader-thread.ts')
  return startReaderThread(file)
}
