import { type CompiledQuery, Kysely } from 'kysely'
import { refuse } from '../base/errors.ts'
import { createFairTurns, type FairTurns, TooManyWaiting } from '../base/fair-turns.ts'
import type { Logger } from '../base/logger.ts'
import type { Db } from './database.ts'
import { readerDialect } from './reader-dialect.ts'
import type { PackedText, Query, ReaderThread, Surround } from './reader-thread.ts'
import type { Schema } from './schema.ts'

/**
 * Readings of unbounded cost, away from the thread that relays (docs/reference/tables.md#who-reads). They see what is
 * committed. Accounts have their turns one after the other; the gateway itself counts as one (0). A query is refused with
 * `timeout` when it runs too long and with `limited` when too many of its account wait.
 */
export interface Reader {
  /** To read until the caller is gone: then what waits is dropped and what runs on is ended, with the signal's reason. */
  until(caller?: ReadCaller): Db
  /** The single text that a query finds, within an envelope and packed there as well: it may be millions of bytes long. */
  packed(query: CompiledQuery<Readonly<{ text: string }>>, envelope: Surround, caller?: ReadCaller): Promise<PackedText>
  /** Ends the thread; what waits is refused. */
  close(): Promise<void>
}

/** Who reads: an account, or the gateway itself (0). */
export type ReadCaller = Readonly<{ accountId?: number; gone?: AbortSignal }>

type ReaderLimits = Readonly<{
  /** Queries that wait, of which no account has more than it leaves free; others are refused. */
  waiting: number
  /** How long one query may run, from when there is a thread for it. */
  maxMs: number
  /** How long one query runs on whose caller is gone: ending the thread costs more than a short query. */
  abandonedMs: number
  /** How long the thread outlives its last query. */
  quietMs: number
}>

type ReaderDeps = Readonly<{
  file: string
  log: Logger
  limits?: ReaderLimits
  start?: (file: string) => Promise<ReaderThread>
}>

export const readerLimits: ReaderLimits = { waiting: 100, maxMs: 2000, abandonedMs: 200, quietMs: 60_000 }
/** Threads that were told to end may have a statement to finish; while there are so many, nothing more is begun. */
const MAX_ENDING = 2

type Job = {
  readonly query: Query
  readonly done: PromiseWithResolvers<unknown[]>
  isOver: boolean
}

/** A reader whose thread is started by the first query. */
export function createReader({ file, log, limits = readerLimits, start = startThread }: ReaderDeps): Reader {
  const turns = createFairTurns(1, limits.waiting)
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
  readonly turns: FairTurns
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

/** Refuses a query, and ends the thread where that is at work on it. */
function giveUp(state: ReaderState, job: Job, reason: unknown): void {
  finish(job, () => job.done.reject(reason))
  if (job === state.running) endThread(state)
}

function overtime(state: ReaderState, job: Job): void {
  const { log, limits } = state
  log.warn('a query took too long and was ended', { milliseconds: limits.maxMs, sql: job.query.sql })
  giveUp(state, job, refuse('timeout', 'read.slow', { seconds: limits.maxMs / 1000 }))
}

/** Whoever asked has gone: one that is under way gets a little longer, so that the thread need not be started again. */
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

/** Dynamic, so that the module stays a chunk of its own (see `startReaderThread`). */
async function startThread(file: string): Promise<ReaderThread> {
  const { startReaderThread } = await import('./reader-thread.ts')
  return startReaderThread(file)
}
