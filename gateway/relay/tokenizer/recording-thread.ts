import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { audioSeconds } from './audio-length.ts'

/** An uploaded recording: its bytes, and the type declared by its sender, if any. */
export type SentRecording = Readonly<{ bytes: Uint8Array; type: string }>

export interface RecordingThread {
  /** Returns the total seconds; rejects if the thread ends first. */
  seconds(recordings: readonly SentRecording[]): Promise<number>
  isAlive(): boolean
  end(): Promise<void>
}

/** Distinguishes the two sides: this module is loaded both in the thread and by its starter. */
const ROLE = 'recordings'
/**
 * A thread whose heap is larger than this is ended; a file with millions of tags can make its parser allocate any
 * amount of memory.
 */
const MAX_HEAP = 128 * 1024 * 1024
/**
 * V8 ends the whole process, not the thread, at a limit that a parser reaches between two checks, so the limit is far
 * above what a thread can allocate in that time.
 */
const LIMIT_MEGABYTES = 2048
const CHECK_MS = 10

/**
 * Starts a thread that ends after `quietMs` without work, and keeps the process alive only while it works. It runs this
 * file, so this module must only be imported dynamically.
 */
export async function startRecordingThread(quietMs: number): Promise<RecordingThread> {
  let pending = Promise.withResolvers<number>()
  let alive = true
  let quiet: NodeJS.Timeout | undefined
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: LIMIT_MEGABYTES },
  })
  const lose = (cause: unknown) => {
    alive = false
    clearTimeout(quiet)
    pending.reject(cause)
  }
  const end = async () => {
    lose(new Error('the thread for recordings was ended'))
    await worker.terminate()
  }
  const endIfLarge = async () => {
    try {
      const { used_heap_size } = await worker.getHeapStatistics()
      if (used_heap_size > MAX_HEAP) await end()
    } catch {
      // The thread has ended, or Node is older than 22.16.
    }
  }
  worker.on('message', (seconds: number) => {
    worker.unref()
    quiet = setTimeout(() => void end(), quietMs).unref()
    pending.resolve(seconds)
  })
  worker.on('error', lose)
  worker.on('exit', (code) => lose(new Error(`the thread for recordings ended with code ${code}`)))
  // The first message means that the thread has loaded, so that loading takes no time from the first recording.
  await pending.promise
  return {
    async seconds(recordings) {
      if (!alive) throw new Error('the thread for recordings has ended')
      clearTimeout(quiet)
      pending = Promise.withResolvers()
      const check = setInterval(() => void endIfLarge(), CHECK_MS)
      worker.ref()
      // Copied once and transferred: a plain message would copy twice.
      const copies = recordings.map(({ bytes, type }) => ({ bytes: new Uint8Array(bytes), type }))
      worker.postMessage(
        copies,
        copies.map(({ bytes }) => bytes.buffer),
      )
      return pending.promise.finally(() => clearInterval(check))
    },
    isAlive: () => alive,
    end,
  }
}

function serve(port: MessagePort): void {
  port.on('message', async (recordings: readonly SentRecording[]) => {
    let seconds = 0
    for (const { bytes, type } of recordings) seconds += await audioSeconds(Buffer.from(bytes.buffer), type)
    port.postMessage(seconds)
  })
  port.postMessage(0)
}

// The compiler does not know a thread's data; only `startRecordingThread` sets this role.
const task = workerData as { role?: unknown } | null
if (parentPort && task?.role === ROLE) serve(parentPort)
