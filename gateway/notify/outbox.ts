import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import type { Failure } from './failure.ts'
import type { Letter } from './notice.ts'
import type { Webhook } from './webhook.ts'

/** How somebody is told. */
export type Way = Readonly<{ kind: 'mail'; to: string }> | Readonly<{ kind: 'webhook'; webhook: Webhook }>

/** A letter with where it goes, and whose it is. */
export type Addressed = Readonly<{ userId: number; username: string; way: Way; letter: Letter }>

/** Letters on their way, in memory: a failed one is tried again after a while (docs/reference/limits.md#notices). */
export interface Outbox {
  /** Sends it as soon as there is room; false where too many wait already, and it is dropped. */
  add(addressed: Addressed): boolean
  /** Drops what waits, ends what can be ended, and waits 3 s at most for what is being handed over. */
  stop(): Promise<void>
}

export type OutboxDeps = Readonly<{
  clock: Pick<Clock, 'monotonic'>
  log: Logger
  /** One try; answers what went wrong, or null. */
  deliver: (addressed: Addressed, signal: AbortSignal) => Promise<Failure | null>
  /** Called once for a letter that is given up. */
  onLost: (addressed: Addressed, failure: Failure) => void
}>

/** Until the second, third and fourth try. */
export const RETRY_AFTER_MS: readonly number[] = [10_000, 60_000, 300_000]
export const MOST_PENDING = 1000
const AT_ONCE = 8
const LOOK_EVERY_MS = 200
const STOP_WITHIN_MS = 3000

type Pending = { readonly addressed: Addressed; tries: number; dueMs: number }

/** An empty outbox. It looks at the clock only while something waits, and keeps no process alive. */
export function createOutbox({ clock, log, deliver, onLost }: OutboxDeps): Outbox {
  const ending = new AbortController()
  const waiting = new Set<Pending>()
  const running = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  const attempt = async (pending: Pending) => {
    const { addressed } = pending
    const failure = await deliver(addressed, ending.signal)
    if (!failure || ending.signal.aborted) return
    const wait = failure.isFinal ? undefined : RETRY_AFTER_MS[pending.tries]
    pending.tries += 1
    if (wait === undefined) return onLost(addressed, failure)
    pending.dueMs = clock.monotonic() + wait
    waiting.add(pending)
  }
  const begin = (pending: Pending) => {
    waiting.delete(pending)
    const run = attempt(pending)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) log.error('a notice could not be sent', { userId: pending.addressed.userId, error })
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
    add(addressed) {
      if (ending.signal.aborted || waiting.size + running.size >= MOST_PENDING) return false
      waiting.add({ addressed, tries: 0, dueMs: clock.monotonic() })
      advance()
      return true
    },
    async stop() {
      if (waiting.size > 0) log.info('notices that waited for another try are dropped', { notices: waiting.size })
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
