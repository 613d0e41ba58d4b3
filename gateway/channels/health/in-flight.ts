import type { ActiveChannel } from '../registry/active-channel.ts'

/** Counts requests in flight per channel, for its `max_concurrency` (docs/reference/selection.md#channel-settings). */
export interface InFlight {
  isFull(channel: ActiveChannel): boolean
  enter(channelId: number): void
  leave(channelId: number): void
}

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
