import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Failure } from './failure.ts'
import type { Addressed, StoredLetters } from './stored-letters.ts'

/** Pending letters; failed ones are retried after a while (docs/reference/limits.md#notices). */
interface Outbox {
  /** Whether another letter fits, in addition to `coming` ones about to be added; false once stopped. */
  hasCapacity(coming?: number): boolean
  /** Sends a letter as soon as a slot is free; `left` is the state of a letter that an earlier process left. */
  add(addressed: Addressed, left?: Readonly<{ tries: number; dueMs: number }>): void
  /** Leaves pending letters to the next process, aborts running deliveries, and waits at most 3 s for them. */
  stop(): Promise<void>
}

export type OutboxDeps = Readonly<{
  clock: Pick<Clock, 'monotonic' | 'now'>
  log: Logger
  /** A single delivery attempt; returns the error, or null. */
  deliver: (addressed: Addressed, signal: AbortSignal) => Promise<Failure | null>
  onLost: (addressed: Addressed, failure: Failure) => void
  storedLetters: Pick<StoredLetters, 'begin' | 'wait' | 'forget'>
}>

/** Delays before the second, third and fourth attempt. */
export const RETRY_AFTER_MS: readonly number[] = [10_000, 60_000, 300_000]
export const MAX_PENDING = 1000
const MAX_CONCURRENT = 8
const POLL_MS = 200
const STOP_WITHIN_MS = 3000

/** `tries` is the number of the next attempt, from 1. */
type Pending = { readonly addressed: Addressed; tries: number; dueMs: number }

/** Uses a timer, which does not keep the process alive, only while letters are waiting. */
export function createOutbox({ clock, log, deliver, onLost, storedLetters }: OutboxDeps): Outbox {
  const ending = new AbortController()
  const waiting = new Set<Pending>()
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  const attempt = async (pending: Pending) => {
    const { addressed } = pending
    const isOurs = await storedLetters.begin(addressed.id, pending.tries)
    if (!isOurs || ending.signal.aborted) return
    const failure = await deliver(addressed, ending.signal)
    if (!failure) return storedLetters.forget(addressed.id)
    if (ending.signal.aborted) return
    const wait = failure.isFinal ? undefined : RETRY_AFTER_MS[pending.tries - 1]
    if (wait === undefined) {
      onLost(addressed, failure)
      return storedLetters.forget(addressed.id)
    }
    pending.tries += 1
    pending.dueMs = clock.monotonic() + wait
    waiting.add(pending)
    await storedLetters.wait(addressed.id, Math.ceil((clock.now() + wait) / 1000))
  }
  const begin = (pending: Pending) => {
    waiting.delete(pending)
    const run = attempt(pending)
      .catch((error: unknown) => {
        if (ending.signal.aborted) return
        log.error('a notice could not be sent', { userId: pending.addressed.userId, error })
        return storedLetters.forget(pending.addressed.id)
      })
      .finally(() => {
        running.delete(run)
        advance()
      })
    running.add(run)
  }
  const advance = () => {
    clearTimeout(timer)
    if (ending.signal.aborted) return
    const now = clock.monotonic()
    for (const pending of waiting) {
      if (running.size >= MAX_CONCURRENT) break
      if (pending.dueMs <= now) begin(pending)
    }
    // Finished deliveries call this too; the timer is for letters that are not due yet.
    if (waiting.size > 0) timer = setTimeout(advance, POLL_MS).unref()
  }
  return {
    hasCapacity: (incoming = 0) => !ending.signal.aborted && waiting.size + running.size + incoming < MAX_PENDING,
    add(addressed, { tries, dueMs } = { tries: 1, dueMs: 0 }) {
      waiting.add({ addressed, tries, dueMs: clock.monotonic() + Math.max(0, dueMs - clock.now()) })
      advance()
    },
    async stop() {
      if (waiting.size > 0) log.info('notices that wait are sent after the next start', { notices: waiting.size })
      ending.abort()
      clearTimeout(timer)
      waiting.clear()
      await within(Promise.all(running), STOP_WITHIN_MS)
    },
  }
}

async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const timedOut = Promise.withResolvers<void>()
  const timer = setTimeout(timedOut.resolve, ms)
  await Promise.race([work, timedOut.promise])
  clearTimeout(timer)
}
