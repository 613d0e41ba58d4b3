import { Kysely } from 'kysely'
import { refuse } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { Db } from './database.ts'
import { readerDialect } from './reader-dialect.ts'
import type { Query, ReaderThread } from './reader-thread.ts'
import type { Schema } from './schema.ts'

/**
 * Readings of unbounded cost, away from the thread that relays (reliability-security.md §4.4, performance.md §4.5). They
 * see what is committed. A query is refused with `timeout` when it runs too long and with `limited` when too many wait.
 */
export interface Reader {
  /** To read until `signal` is aborted: then what waits is dropped and what runs on is ended, with the signal's reason. */
  until(signal?: AbortSignal): Db
  /** Ends the thread; what waits is refused. */
  close(): Promise<void>
}

export type ReaderLimits = Readonly<{
  /** Queries that wait; more are refused. */
  waiting: number
  /** How long one query may run, from when there is a thread for it. */
  longestMs: number
  /** How long one query runs on whose caller is gone: ending the thread costs more than a short query. */
  abandonedMs: number
  /** How long the thread outlives its last query. */
  quietMs: number
}>

export type ReaderDeps = Readonly<{
  file: string
  log: Logger
  limits?: ReaderLimits
  start?: (file: string) => Promise<ReaderThread>
}>

export const readerLimits: ReaderLimits = { waiting: 100, longestMs: 2000, abandonedMs: 200, quietMs: 60_000 }
/** Threads that were told to end may have a statement to finish; while there are so many, nothing more is begun. */
const MOST_ENDING = 2

type Job = {
  readonly query: Query
  readonly done: PromiseWithResolvers<unknown[]>
  isOver: boolean
}

/** A reader whose thread is started by the first query. */
export function createReader({ file, log, limits = readerLimits, start = startThread }: ReaderDeps): Reader {
  const waiting: Job[] = []
  let thread: ReaderThread | undefined
  let running: Job | undefined
  let work: Promise<void> | undefined
  let limit: NodeJS.Timeout | undefined
  let quiet: NodeJS.Timeout | undefined
  let closed = false
  const ending = new Set<Promise<void>>()

  const endThread = () => {
    clearTimeout(quiet)
    const end = thread?.end()
    thread = undefined
    if (!end) return
    const ended = end.finally(() => ending.delete(ended))
    ending.add(ended)
  }
  const finish = (job: Job, settle: () => void) => {
    if (job.isOver) return
    job.isOver = true
    settle()
  }
  const give = (job: Job, reason: unknown) => {
    finish(job, () => job.done.reject(reason))
    if (job === running) endThread()
  }
  const overtime = (job: Job) => {
    log.warn('a reading took too long and was ended', { milliseconds: limits.longestMs, sql: job.query.sql })
    give(job, refuse('timeout', 'read.slow', { seconds: limits.longestMs / 1000 }))
  }
  const run = async (job: Job) => {
    try {
      while (!thread?.isAlive() && ending.size >= MOST_ENDING) await Promise.race(ending)
      if (!thread?.isAlive()) thread = await start(file)
      if (job.isOver) return
      limit = setTimeout(overtime, limits.longestMs, job).unref()
      const rows = await thread.read(job.query)
      finish(job, () => job.done.resolve(rows))
    } catch (error) {
      finish(job, () => job.done.reject(error))
    } finally {
      clearTimeout(limit)
    }
  }
  const workThrough = async () => {
    clearTimeout(quiet)
    for (running = waiting.shift(); running; running = waiting.shift()) if (!running.isOver) await run(running)
    work = undefined
    quiet = setTimeout(endThread, limits.quietMs).unref()
  }
  const abandon = (job: Job, reason: unknown) => {
    finish(job, () => job.done.reject(reason))
    const place = waiting.indexOf(job)
    if (place >= 0) waiting.splice(place, 1)
    if (job !== running) return
    clearTimeout(limit)
    limit = setTimeout(endThread, limits.abandonedMs).unref()
  }
  const read = async (query: Query, signal?: AbortSignal): Promise<unknown[]> => {
    signal?.throwIfAborted()
    if (closed || waiting.length >= limits.waiting || ending.size >= MOST_ENDING) throw busy()
    const job: Job = { query, done: Promise.withResolvers(), isOver: false }
    const onAbort = () => abandon(job, signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    waiting.push(job)
    work ??= workThrough()
    return job.done.promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }
  return {
    until: (signal) => new Kysely<Schema>({ dialect: readerDialect((query) => read(query, signal)) }),
    async close() {
      closed = true
      for (const job of waiting.splice(0)) give(job, busy())
      if (running) give(running, busy())
      await work
      endThread()
      await Promise.all(ending)
    },
  }
}

const busy = () => refuse('limited', 'read.busy', {}, { retryAfterSeconds: 1 })

/** Dynamic, so that the module stays a chunk of its own (see `startReaderThread`). */
async function startThread(file: string): Promise<ReaderThread> {
  const { startReaderThread } = await import('./reader-thread.ts')
  return startReaderThread(file)
}
