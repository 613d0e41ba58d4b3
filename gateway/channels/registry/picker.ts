import type { ActiveChannel } from './active-channel.ts'

/** A channel and the weight it stands with among those of its priority. */
export type TierMember = Readonly<{ channel: ActiveChannel; weight: number }>

/** The channels of one priority that offer a model to a group. */
export type Tier = Readonly<{
  priority: number
  members: readonly TierMember[]
  /** The chances of the members added up, each with those before it; counted where they are absent. */
  sums?: readonly number[]
}>

/** Added to every weight, so that weight 0 still gets traffic (docs/reference/selection.md#order). */
const SMOOTHING = 10

/** What a weight counts where lots are drawn. */
export const chanceOf = (weight: number): number => weight + SMOOTHING

/** A tier that is drawn from without counting its members each time; frozen. */
export const tierOf = (priority: number, members: readonly TierMember[]): Tier =>
  Object.freeze({ priority, members: Object.freeze(members), sums: sumsOf(members) })

/** The chances of members added up, each with those before it. */
export function sumsOf(members: readonly Pick<TierMember, 'weight'>[]): readonly number[] {
  let sum = 0
  return members.map(({ weight }) => {
    sum += chanceOf(weight)
    return sum
  })
}

/** The place of the member that a fraction in [0, 1) stands for, by weight; -1 where there is none. */
export function weightedIndex(sums: readonly number[], fraction: number): number {
  const mark = fraction * (sums.at(-1) ?? 0)
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (mark < (sums[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return high < 0 ? -1 : low
}

/** The chance of a weight to be drawn among members whose chances are `sums`, from 0 to 1. */
export const shareOf = (weight: number, sums: readonly number[]): number => chanceOf(weight) / (sums.at(-1) ?? 0)
