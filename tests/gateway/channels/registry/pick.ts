import type { ActiveChannel } from '../../../../gateway/channels/registry/active-channel.ts'
import { sumsOf, type Tier, weightedIndex } from '../../../../gateway/channels/registry/picker.ts'

/** Draws a channel from the highest priority not yet tried, with probabilities from the weights. */
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
