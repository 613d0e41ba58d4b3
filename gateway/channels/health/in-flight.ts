import type { Clock } from '../../base/clock.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'

/**
 * Counts requests in flight per channel and account, for `max_concurrency` (docs/reference/selection.md#channel-settings).
 * While accounts share a channel, none of them gets more of its slots than it leaves free.
 */
export interface InFlight {
  /** Whether the channel has no slot for another request of an account, or of any account if it is null. */
  isFull(channel: ActiveChannel, accountId: number | null): boolean
  /** Call it when `isFull` was true: if other accounts have slots, all share the channel for the next minutes. */
  refused(channelId: number, accountId: number): void
  enter(channelId: number, accountId: number): void
  leave(channelId: number, accountId: number): void
}

type Slots = { total: number; byAccount: Map<number, number>; sharedUntilMs: number }

const SHARED_MS = 300_000

/** `alwaysShared` is for sessions, which last so long that sharing would begin too late. */
export function createInFlight(clock: Clock, alwaysShared = false): InFlight {
  const channels = new Map<number, Slots>()
  return {
    isFull({ id, setting: { max_concurrency: max } }, accountId) {
      const slots = max > 0 ? channels.get(id) : undefined
      if (!slots) return false
      const free = max - slots.total
      if (free <= 0 || accountId === null) return free <= 0
      const isShared = alwaysShared || slots.sharedUntilMs > clock.monotonic()
      return isShared && (slots.byAccount.get(accountId) ?? 0) >= free
    },
    refused(channelId, accountId) {
      const slots = channels.get(channelId)
      if (slots && (slots.byAccount.get(accountId) ?? 0) < slots.total)
        slots.sharedUntilMs = clock.monotonic() + SHARED_MS
    },
    enter(channelId, accountId) {
      const slots = channels.get(channelId) ?? { total: 0, byAccount: new Map<number, number>(), sharedUntilMs: 0 }
      channels.set(channelId, slots)
      slots.total += 1
      slots.byAccount.set(accountId, (slots.byAccount.get(accountId) ?? 0) + 1)
    },
    leave(channelId, accountId) {
      const slots = channels.get(channelId)
      if (!slots) return
      slots.total -= 1
      const own = (slots.byAccount.get(accountId) ?? 1) - 1
      if (own > 0) slots.byAccount.set(accountId, own)
      else slots.byAccount.delete(accountId)
      if (slots.total === 0 && slots.sharedUntilMs <= clock.monotonic()) channels.delete(channelId)
    },
  }
}
