import type { ActiveChannel } from './active-channel.ts'

export type TierMember = Readonly<{ channel: ActiveChannel; weight: number }>

/** The channels of one priority that offer a model to a group. */
export type Tier = Readonly<{
  priority: number
  members: readonly TierMember[]
  /** Cumulative chances of the members; computed if absent. */
  sums?: readonly number[]
}>

/** Added to every weight, so that weight 0 still gets traffic (docs/reference/selection.md#order). */
const SMOOTHING = 10

export const chanceOf = (weight: number): number => weight + SMOOTHING

export const tierOf = (priority: number, members: readonly TierMember[]): Tier =>
  Object.freeze({ priority, members: Object.freeze(members), sums: sumsOf(members) })

export function sumsOf(members: readonly Pick<TierMember, 'weight'>[]): readonly number[] {
  let sum = 0
  return members.map(({ weight }) => {
    sum += chanceOf(weight)
    return sum
  })
}

/** The index of the member a fraction in [0, 1) selects, by weight; -1 if there are none. */
export function weightedIndex(sums: readonly number[], fraction: number): number {
  const threshold = fraction * (sums.at(-1) ?? 0)
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (threshold < (sums[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return high < 0 ? -1 : low
}

/** The probability that a weight is selected among members with the cumulative chances `sums`, from 0 to 1. */
export const shareOf = (weight: number, sums: readonly number[]): number => chanceOf(weight) / (sums.at(-1) ?? 0)
