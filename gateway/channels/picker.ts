import type { ActiveChannel } from './active-channel.ts'

/** A channel and the weight it stands with among those of its priority. */
export type Member = Readonly<{ channel: ActiveChannel; weight: number }>

/** The channels of one priority that offer a model to a group. */
export type Tier = Readonly<{ priority: number; members: readonly Member[] }>

/** Added to every weight, so that weight 0 still gets traffic (spec/relay.md §4.2). */
const SMOOTHING = 10

/**
 * Chooses the channel to try next (spec/relay.md §4.2): by weight among the untried ones of the highest priority that
 * has any; undefined once all were tried. `tiers` stand in falling priority; `random` answers a fraction in [0, 1).
 */
export function pick(
  tiers: readonly Tier[],
  tried: ReadonlySet<number>,
  random: () => number,
): ActiveChannel | undefined {
  for (const { members } of tiers) {
    const channel = pickAmong(members, tried, random)
    if (channel) return channel
  }
  return undefined
}

/** The chance of a weight to be drawn among these, from 0 to 1. */
export const shareOf = (weight: number, among: readonly Pick<Member, 'weight'>[]): number =>
  (weight + SMOOTHING) / among.reduce((total, member) => total + member.weight + SMOOTHING, 0)

function pickAmong(members: readonly Member[], tried: ReadonlySet<number>, random: () => number) {
  let total = 0
  let only: ActiveChannel | undefined
  let untried = 0
  for (const { channel, weight } of members) {
    if (tried.has(channel.id)) continue
    total += weight + SMOOTHING
    only = channel
    untried += 1
  }
  if (untried <= 1) return only
  let mark = random() * total
  for (const { channel, weight } of members) {
    if (tried.has(channel.id)) continue
    mark -= weight + SMOOTHING
    if (mark < 0) return channel
  }
  return only
}
