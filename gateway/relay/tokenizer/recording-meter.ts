import { createFairTurns } from '../../base/fair-turns.ts'
import { bySize } from './recording-size.ts'
import type { RecordingThread, SentRecording } from './recording-thread.ts'

/** Measures recordings away from the thread that relays; never rejects, since what cannot be measured in time is estimated. */
export interface RecordingMeter {
  /** Seconds of the recordings of one request together (docs/reference/tokens.md#recordings). Accounts share the threads. */
  seconds(accountId: number, recordings: readonly SentRecording[]): Promise<number>
  /** Ends the threads; what waits is estimated. */
  close(): Promise<void>
}

type MeterLimits = Readonly<{
  /** Requests whose recordings are measured at once. */
  threads: number
  /** Requests that wait; what finds no place is estimated. Of the threads and of these no account has more than it leaves free. */
  waiting: number
  /** How long a request waits, and then how long measuring may take, in milliseconds. */
  maxWaitMs: number
  maxMs: number
  /** How long a thread outlives its last work. */
  quietMs: number
}>

type MeterState = {
  readonly limits: MeterLimits
  /** Without work, and some that have ended. */
  readonly idle: RecordingThread[]
  readonly closing: AbortController
}

const limitsByDefault: MeterLimits = {
  threads: 2,
  waiting: 64,
  maxWaitMs: 5000,
  maxMs: 2000,
  quietMs: 60_000,
}

/** A meter whose threads are started by the first recordings. A file can be made to hold its parser for minutes. */
export function createRecordingMeter(limits: Partial<MeterLimits> = {}): RecordingMeter {
  const allowed = { ...limitsByDefault, ...limits }
  const state: MeterState = { limits: allowed, idle: [], closing: new AbortController() }
  const turns = createFairTurns(allowed.threads, allowed.waiting)
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

/** Undefined where a thread took too long, too much or could not be started. */
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

/** Imported dynamically, so that the module stays a chunk of its own (see `startRecordingThread`). */
async function threadOf({ idle, limits }: MeterState): Promise<RecordingThread> {
  let thread = idle.pop()
  while (thread && !thread.isAlive()) thread = idle.pop()
  if (thread) return thread
  const { startRecordingThread } = await import('./recording-thread.ts')
  return startRecordingThread(limits.quietMs)
}
