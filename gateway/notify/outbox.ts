import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import type { Failure } from './failure.ts'
import type { KeptLetters } from './kept-letters.ts'
import type { Letter } from './notice.ts'
import type { Webhook } from './webhook.ts'

/** How somebody is told. */
export type Way = Readonly<{ kind: 'mail'; to: string }> | Readonly<{ kind: 'webhook'; webhook: Webhook }>

/** A letter with where it goes, and whose it is; by its id it is kept. */
export type Addressed = Readonly<{ id: string; userId: number; username: string; way: Way; letter: Letter }>

/** Letters on their way: a failed one is tried again after a while (docs/reference/limits.md#notices). */
interface Outbox {
  /** Whether another one fits beside those that are about to be added; none does once it stops. */
  hasRoom(coming?: number): boolean
  /** Sends it as soon as there is room; `left` says how far a process before this one has come with it. */
  add(addressed: Addressed, left?: Readonly<{ tries: number; dueMs: number }>): void
  /** Leaves what waits to the next process, ends what can be ended, and waits 3 s at most for what is being handed over. */
  stop(): Promise<void>
}

export type OutboxDeps = Readonly<{
  clock: Pick<Clock, 'monotonic' | 'now'>
  log: Logger
  /** One try; answers what went wrong, or null. */
  deliver: (addressed: Addressed, signal: AbortSignal) => Promise<Failure | null>
  /** Called once for a letter that is given up. */
  onLost: (addressed: Addressed, failure: Failure) => void
  kept: Pick<KeptLetters, 'begin' | 'wait' | 'forget'>
}>

/** Until the second, third and fourth try. */
export const RETRY_AFTER_MS: readonly number[] = [10_000, 60_000, 300_000]
export const MAX_PENDING = 1000
const AT_ONCE = 8
const LOOK_EVERY_MS = 200
const STOP_WITHIN_MS = 3000

/** `tries` is the one that comes next, counted from 1. */
type Pending = { readonly addressed: Addressed; tries: number; dueMs: number }

/** An empty outbox. It looks at the clock only while something waits, and keeps no process alive. */
export function createOutbox({ clock, log, deliver, onLost, kept }: OutboxDeps): Outbox {
  const ending = new AbortController()
  const waiting = new Set<Pending>()
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  const attempt = async (pending: Pending) => {
    const { addressed } = pending
    await kept.begin(addressed.id, pending.tries)
    if (ending.signal.aborted) return
    const failure = await deliver(addressed, ending.signal)
    if (!failure) return kept.forget(addressed.id)
    if (ending.signal.aborted) return
    const wait = failure.isFinal ? undefined : RETRY_AFTER_MS[pending.tries - 1]
    if (wait === undefined) {
      onLost(addressed, failure)
      return kept.forget(addressed.id)
    }
    pending.tries += 1
    pending.dueMs = clock.monotonic() + wait
    waiting.add(pending)
    await kept.wait(addressed.id, Math.ceil((clock.now() + wait) / 1000))
  }
  const begin = (pending: Pending) => {
    waiting.delete(pending)
    const run = attempt(pending)
      .catch((error: unknown) => {
        if (ending.signal.aborted) return
        log.error('a notice could not be sent', { userId: pending.addressed.userId, error })
        return kept.forget(pending.addressed.id)
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
      if (running.size >= AT_ONCE) break
      if (pending.dueMs <= now) begin(pending)
    }
    // Those that have ended look again; a timer is for those whose time is to come.
    if (waiting.size > 0) timer = setTimeout(advance, LOOK_EVERY_MS).unref()
  }
  return {
    hasRoom: (coming = 0) => !ending.signal.aborted && waiting.size + running.size + coming < MAX_PENDING,
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

/** Resolves with the work, or once the time is over. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, ms)
  await Promise.race([work, over.promise])
  clearTimeout(timer)
}
