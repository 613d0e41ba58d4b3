import { createFairQueue } from '../../base/fair-queue.ts'
import { bySize } from './recording-size.ts'
import type { RecordingThread, SentRecording } from './recording-thread.ts'

/**
 * Measures recordings outside the relay's thread; never rejects, since measurements that take too long are estimated.
 */
export interface RecordingMeter {
  /**
   * Returns the total seconds of the recordings of one request (docs/reference/tokens.md#recordings). Accounts share
   * the threads.
   */
  seconds(accountId: number, recordings: readonly SentRecording[]): Promise<number>
  /** Ends the threads; waiting recordings are estimated. */
  close(): Promise<void>
}

type MeterLimits = Readonly<{
  threads: number
  /**
   * Max waiting requests; others are estimated. No account may occupy more threads, or more of these slots, than it
   * leaves free.
   */
  waiting: number
  /** Max wait of a request, and then max duration of the measurement, in milliseconds. */
  maxWaitMs: number
  maxMs: number
  /** How long a thread stays idle before it ends. */
  quietMs: number
}>

type MeterState = {
  readonly limits: MeterLimits
  /** Idle threads; some may have ended. */
  readonly idle: RecordingThread[]
  readonly closing: AbortController
}

const defaultLimits: MeterLimits = {
  threads: 2,
  waiting: 64,
  maxWaitMs: 5000,
  maxMs: 2000,
  quietMs: 60_000,
}

/**
 * Creates a meter whose threads start with the first recordings. A malicious file can occupy its parser for minutes.
 */
export function createRecordingMeter(limits: Partial<MeterLimits> = {}): RecordingMeter {
  const allowed = { ...defaultLimits, ...limits }
  const state: MeterState = { limits: allowed, idle: [], closing: new AbortController() }
  const turns = createFairQueue(allowed.threads, allowed.waiting)
  return {
    async seconds(accountId, recordings) {
      const signal = AbortSignal.any([state.closing.signal, AbortSignal.timeout(allowed.maxWaitMs)])
      const end = await turns.take(accountId, signal).catch(() => undefined)
      const measured = end && (await measure(state, recordings).finally(end))
      return measured ?? recordings.reduce((sum, { bytes }) => sum + bySize(bytes.length), 0)
    },
    async close() {
      state.closing.abort()
      await Promise.all(state.idle.splice(0).map((thread) => thread.end()))
    },
  }
}

/** Returns undefined if a thread took too long, used too much memory or could not be started. */
async function measure(state: MeterState, recordings: readonly SentRecording[]): Promise<number | undefined> {
  const { limits, idle, closing } = state
  try {
    const thread = await threadOf(state)
    const limit = setTimeout(() => void thread.end(), limits.maxMs)
    try {
      return await thread.seconds(recordings)
    } finally {
      clearTimeout(limit)
      if (closing.signal.aborted || !thread.isAlive()) await thread.end()
      else idle.push(thread)
    }
  } catch {
    return undefined
  }
}

/** Imported dynamically, so that the module is built as a separate chunk (see `startRecordingThread`). */
async function threadOf({ idle, limits }: MeterState): Promise<RecordingThread> {
  let thread = idle.pop()
  while (thread && !thread.isAlive()) thread = idle.pop()
  if (thread) return thread
  const { startRecordingThread } = await import('./recording-thread.ts')
  return startRecordingThread(limits.quietMs)
}
