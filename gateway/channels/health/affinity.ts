import { LRUCache } from 'lru-cache'
import { type Clock, lruLife } from '../../base/clock.ts'
import type { ActiveChannel } from '../registry/active-channel.ts'
import type { Tier } from '../registry/picker.ts'

/**
 * Which channel served a conversation last (docs/reference/selection.md#affinity): the vendor's prompt cache knows it
 * there. A preference, no promise: a channel that is gone, cooling down or failing is passed over, and the one that
 * served instead is remembered.
 */
export interface Affinity {
  /** The channel to be asked first, as long as it still offers what is asked. */
  preferred(key: string, tiers: readonly Tier[]): ActiveChannel | undefined
  served(key: string, channelId: number): void
}

const KEPT = 20_000
const KEPT_MS = 3_600_000

/** Remembers 20,000 conversations for an hour after their last request. */
export function createAffinity(clock: Clock): Affinity {
  const served = new LRUCache<string, number>({ max: KEPT, ...lruLife(KEPT_MS, () => clock.monotonic()) })
  return {
    preferred(key, tiers) {
      const id = served.get(key)
      if (id === undefined) return undefined
      for (const { members } of tiers) for (const { channel } of members) if (channel.id === id) return channel
      return undefined
    },
    served: (key, channelId) => void served.set(key, channelId),
  }
}

/**
 * How many requests are on their way over each channel, for its `max_concurrency`
 * (docs/reference/selection.md#channel-settings).
 */
export interface InFlight {
  /** All places of the channel are taken. */
  isFull(channel: ActiveChannel): boolean
  enter(channelId: number): void
  leave(channelId: number): void
}

/** Counts from zero. */
export function createInFlight(): InFlight {
  const counts = new Map<number, number>()
  return {
    isFull: ({ id, setting }) => setting.max_concurrency > 0 && (counts.get(id) ?? 0) >= setting.max_concurrency,
    enter: (id) => void counts.set(id, (counts.get(id) ?? 0) + 1),
    leave(id) {
      const left = (counts.get(id) ?? 1) - 1
      if (left > 0) counts.set(id, left)
      else counts.delete(id)
    },
  }
}
