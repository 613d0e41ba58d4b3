import type { ActiveChannel } from '../../../../gateway/channels/registry/active-channel.ts'
import { sumsOf, type Tier, weightedIndex } from '../../../../gateway/channels/registry/picker.ts'

/** Selects a random channel by weight from the highest priority with untried channels. */
export function pick(
  tiers: readonly Tier[],
  tried: ReadonlySet<number>,
  random: () => number,
): ActiveChannel | undefined {
  for (const { members } of tiers) {
    const left = members.filter(({ channel }) => !tried.has(channel.id))
    if (left.length > 0) return left[weightedIndex(sumsOf(left), random())]?.channel
  }
  return undefined
}
