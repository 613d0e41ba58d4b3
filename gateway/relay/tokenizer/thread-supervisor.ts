import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { CountingThread } from './counting-thread.ts'

/** Keeps one counting thread: started when needed, replaced when dead, ended when nobody needs it. */
export interface ThreadSupervisor {
  /** The living thread, a new one if need be. */
  thread(): Promise<CountingThread>
  /** A thread died at work: after two in a row none is started for a minute. A finished job ends the row. */
  lost(error: unknown): void
  finished(): void
  /** While true, no thread is to be asked for. */
  isBackingOff(): boolean
  /** Ends the thread once it has been quiet for a while, or at once. */
  endLater(): void
  endNow(): Promise<void>
}

type Deps = Readonly<{ start: () => Promise<CountingThread>; quietMs: number; clock: Clock; log: Logger }>

const LOSSES = 2
const BACKOFF_MS = 60_000

/** A supervisor without a thread yet; its timer does not keep the process alive. */
export function createThreadSupervisor({ start, quietMs, clock, log }: Deps): ThreadSupervisor {
  let current: CountingThread | undefined
  let quiet: NodeJS.Timeout | undefined
  let losses = 0
  let backoffUntil = Number.NEGATIVE_INFINITY
  const endNow = async () => {
    clearTimeout(quiet)
    await current?.end()
  }
  return {
    async thread() {
      clearTimeout(quiet)
      if (!current?.isAlive()) current = await start()
      return current
    },
    lost(error) {
      losses += 1
      if (losses >= LOSSES) backoffUntil = clock.monotonic() + BACKOFF_MS
      log.warn('counting thread lost', { error, losses })
    },
    finished() {
      losses = 0
    },
    isBackingOff: () => clock.monotonic() < backoffUntil,
    endLater() {
      clearTimeout(quiet)
      quiet = setTimeout(() => void endNow(), quietMs).unref()
    },
    endNow,
  }
}
