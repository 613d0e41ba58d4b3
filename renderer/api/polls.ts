/** How often the pages of this browser ask by themselves (docs/reference/limits.md#console-rates). */
export type Polls = Readonly<{
  /** How long to wait for what is wanted every so often, in milliseconds. */
  pause(everyMs: number): number
  /** Counts a poll, of this window or of another one. */
  note(): void
  /** Nothing is asked for as long as a refusal wants it: its Retry-After, in seconds or as a time; what is neither holds nothing. */
  hold(retryAfter: string | null): void
  /** Whether one may ask now. */
  isOpen(): boolean
}>

/**
 * Builds the pace; `now` is in milliseconds. There is room for some polls at once, and for another one every few seconds: together
 * less than a third of GLOBAL_API_RATE_LIMIT, as it is unless set, in its window: windows that ask at the same moment have not
 * heard of each other. The less room, the slower everybody asks.
 */
export function createPolls(now: () => number): Polls {
  let room = AT_ONCE
  let countedAt = now()
  let heldUntil = 0
  const count = () => {
    room = Math.min(AT_ONCE, room + Math.max(0, now() - countedAt) / ANOTHER_MS)
    countedAt = now()
    return room
  }
  return {
    pause(everyMs) {
      const slower = Math.min(MAX_SLOWED, Math.max(1, UNHURRIED / Math.max(count(), 1)))
      return Math.round(Math.max(Math.min(everyMs * slower, everyMs + MAX_ADDED_MS), heldUntil - now()))
    },
    note() {
      room = count() - 1
    },
    hold(retryAfter) {
      const waitMs = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) * 1000 : Date.parse(retryAfter ?? '') - now()
      // Refusals overtake each other: none ends what another began.
      if (waitMs > 0) heldUntil = Math.max(heldUntil, now() + Math.min(waitMs, WINDOW_MS))
    },
    isOpen: () => now() >= heldUntil && count() >= 1,
  }
}

const WINDOW_MS = 180_000
const AT_ONCE = 15
const ANOTHER_MS = WINDOW_MS / 35
/** Room for that many and more slows nobody. */
const UNHURRIED = 8
const MAX_SLOWED = 8
/** What is wanted seldom takes little room: no wish waits for that much longer. */
const MAX_ADDED_MS = 40_000

/** Of all windows of this browser: the gateway counts them together. */
export const polls: Polls = createPolls(Date.now)

const others = new BroadcastChannel('polls')
others.onmessage = () => polls.note()

/** Counts a poll of this window, here and in the others. */
export function notePoll(): void {
  polls.note()
  others.postMessage('')
}
