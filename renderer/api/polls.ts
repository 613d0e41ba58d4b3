/** Paces the automatic requests of all pages in this browser (docs/reference/limits.md#console-rates). */
type Polls = Readonly<{
  /** Milliseconds to wait until the next poll of something requested every `everyMs` milliseconds. */
  pause(everyMs: number): number
  note(): void
  /**
   * Stops polling for the time in a refusal's Retry-After header, at most `WINDOW_MS`: seconds or a date; other values
   * are ignored.
   */
  suspend(retryAfter: string | null): void
  isOpen(): boolean
}>

/**
 * Creates the pacer; `now` is in milliseconds. It is a token bucket that allows a burst of polls, then one every few
 * seconds: within 180 seconds, less than a third of the default GLOBAL_API_RATE_LIMIT, since windows that poll at the
 * same moment have not yet notified each other. The emptier the bucket, the slower all polls.
 */
export function createPolls(now: () => number): Polls {
  let tokens = AT_ONCE
  let countedAt = now()
  let suspendedUntil = 0
  const count = () => {
    tokens = Math.min(AT_ONCE, tokens + Math.max(0, now() - countedAt) / ANOTHER_MS)
    countedAt = now()
    return tokens
  }
  return {
    pause(everyMs) {
      const slower = Math.min(MAX_SLOWED, Math.max(1, UNHURRIED / Math.max(count(), 1)))
      return Math.round(Math.max(Math.min(everyMs * slower, everyMs + MAX_ADDED_MS), suspendedUntil - now()))
    },
    note() {
      tokens = count() - 1
    },
    suspend(retryAfter) {
      const waitMs = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : Date.parse(retryAfter ?? '') - now()
      // Refusals may arrive out of order; a later one never shortens the pause.
      if (waitMs > 0) suspendedUntil = Math.max(suspendedUntil, now() + Math.min(waitMs, WINDOW_MS))
    },
    isOpen: () => now() >= suspendedUntil && count() >= 1,
  }
}

const WINDOW_MS = 180_000
const AT_ONCE = 15
const ANOTHER_MS = WINDOW_MS / 35
/** From this many tokens on, polls are not slowed. */
const UNHURRIED = 8
const MAX_SLOWED = 8
/** Maximum milliseconds added to the interval of a poll: infrequent polls use few tokens. */
const MAX_ADDED_MS = 40_000

/**
 * The pacer of this window. `notePoll` also notifies those of the browser's other windows, since the gateway counts the
 * polls of all windows together.
 */
export const polls: Polls = createPolls(Date.now)

const channel = new BroadcastChannel('polls')
channel.onmessage = () => polls.note()

export function notePoll(): void {
  polls.note()
  channel.postMessage('')
}
