import { bySize } from './recording-size.ts'
import type { RecordingThread, SentRecording } from './recording-thread.ts'
import { createSmallestFirst, type SmallestFirst } from './smallest-first.ts'

/** Measures recordings away from the thread that relays; never rejects, since what cannot be measured in time is estimated. */
export interface RecordingMeter {
  /** Seconds of the recordings of one request together (docs/reference/tokens.md#recordings). */
  seconds(recordings: readonly SentRecording[]): Promise<number>
  /** Ends the threads; what waits is estimated. */
  close(): Promise<void>
}

export type MeterLimits = Readonly<{
  /** Requests whose recordings are measured at once. */
  threads: number
  /** Requests that wait, the smallest first; of more, the recordings of the largest are estimated. */
  waiting: number
  /** How long a request waits, and then how long measuring may take, in milliseconds. */
  longestWaitMs: number
  longestMs: number
  /** How long a thread outlives its last work. */
  quietMs: number
}>

type Job = { readonly tell: (hasTurn: boolean) => void }
type MeterState = {
  readonly limits: MeterLimits
  readonly waiting: SmallestFirst<Job>
  /** Without work, and some that have ended. */
  readonly idle: RecordingThread[]
  working: number
  isClosed: boolean
}

const limitsByDefault: MeterLimits = {
  threads: 2,
  waiting: 64,
  longestWaitMs: 5000,
  longestMs: 2000,
  quietMs: 60_000,
}

/** A meter whose threads are started by the first recordings. A file can be made to hold its parser for minutes. */
export function createRecordingMeter(limits: Partial<MeterLimits> = {}): RecordingMeter {
  const allowed = { ...limitsByDefault, ...limits }
  const state: MeterState = {
    limits: allowed,
    waiting: createSmallestFirst(allowed.waiting),
    idle: [],
    working: 0,
    isClosed: false,
  }
  return {
    async seconds(recordings) {
      const size = recordings.reduce((sum, { bytes }) => sum + bytes.length, 0)
      const hasTurn = await turn(state, size)
      const measured = hasTurn ? await measure(state, recordings) : undefined
      return measured ?? recordings.reduce((sum, { bytes }) => sum + bySize(bytes.length), 0)
    },
    async close() {
      state.isClosed = true
      for (const { tell } of state.waiting.takeAll()) tell(false)
      await Promise.all(state.idle.splice(0).map((thread) => thread.end()))
    },
  }
}

/** Whether there is a thread to take, at once or before long. */
async function turn(state: MeterState, size: number): Promise<boolean> {
  const { limits, waiting } = state
  if (state.isClosed) return false
  if (state.working < limits.threads) {
    state.working += 1
    return true
  }
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const job: Job = { tell: resolve }
  waiting.add(job, size)?.tell(false)
  const late = setTimeout(() => {
    waiting.remove(job)
    resolve(false)
  }, limits.longestWaitMs)
  const hasTurn = await promise
  clearTimeout(late)
  return hasTurn
}

/** Gives its turn to the next one at the end; undefined where a thread took too long, too much or could not be started. */
async function measure(state: MeterState, recordings: readonly SentRecording[]): Promise<number | undefined> {
  const { limits, waiting, idle } = state
  try {
    const thread = await threadOf(state)
    const limit = setTimeout(() => void thread.end(), limits.longestMs)
    try {
      return await thread.seconds(recordings)
    } finally {
      clearTimeout(limit)
      if (state.isClosed || !thread.isAlive()) await thread.end()
      else idle.push(thread)
    }
  } catch {
    return undefined
  } finally {
    const next = waiting.next()
    if (next) next.tell(true)
    else state.working -= 1
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
