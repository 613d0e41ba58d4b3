import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { CountingThread } from './counting-thread.ts'

/** Manages one counting thread: started when needed, replaced when dead, ended when idle. */
export interface ThreadSupervisor {
  thread(): Promise<CountingThread>
  /**
   * Reports that a thread died while working: after two in a row none is started for a minute. A finished job resets
   * the count.
   */
  lost(error: unknown): void
  finished(): void
  isBackingOff(): boolean
  endLater(): void
  endNow(): Promise<void>
}

type Deps = Readonly<{ start: () => Promise<CountingThread>; quietMs: number; clock: Clock; log: Logger }>

const LOSSES = 2
const BACKOFF_MS = 60_000

/** Creates a supervisor without a thread; its timer does not keep the process alive. */
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
