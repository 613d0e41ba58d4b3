import { describe, expect, it } from 'vitest'
import type { ActiveChannel } from '../../../../gateway/channels/registry/active-channel.ts'
import { type TierMember, tierOf } from '../../../../gateway/channels/registry/picker.ts'
import { Draw, type EligibilitySource } from '../../../../gateway/relay/routing/draw.ts'

// Channels with only an id and a priority, which is all that the draw reads.
const members = (from: number, count: number, priority: number, weight = 0): TierMember[] =>
  Array.from({ length: count }, (_, at) => ({ channel: { id: from + at, priority } as ActiveChannel, weight }))

/** Counts how often each channel is checked; those for which `isShut` is true are not eligible. */
function aLooker(isShut: (id: number) => boolean): EligibilitySource & { looks: Map<number, number> } {
  const looks = new Map<number, number>()
  const seen = new Set<number>()
  const note = (id: number) => looks.set(id, (looks.get(id) ?? 0) + 1)
  return {
    looks,
    hasSeen: (id) => seen.has(id),
    look({ channel }) {
      note(channel.id)
      seen.add(channel.id)
      return isShut(channel.id) ? undefined : channel
    },
    consider({ channel }) {
      if (isShut(channel.id)) note(channel.id)
      return !isShut(channel.id)
    },
    moment: () => ({ nowMs: 0, active: () => undefined }),
  }
}

/** Draws until no channel is left; returns the channels in the order in which they were drawn. */
function exhausted(draw: Draw, source: EligibilitySource): number[] {
  const order: number[] = []
  for (let channel = draw.next(source); channel; channel = draw.next(source)) order.push(channel.id)
  return order
}

describe('drawing among thousands (docs/reference/selection.md#order)', () => {
  it('looks at each channel once, and no more than that where all of them cool down', () => {
    const source = aLooker(() => true)
    expect(new Draw([tierOf(0, members(1, 3000, 0))]).next(source)).toBeUndefined()
    expect(source.looks.size).toBe(3000)
    expect(Math.max(...source.looks.values())).toBe(1)
  })

  it('checks only one where all of them are available', () => {
    const source = aLooker(() => false)
    expect(new Draw([tierOf(0, members(1, 3000, 0))]).next(source)).toBeDefined()
    expect(source.looks.size).toBe(1)
  })

  it('moves from one to the next without checking unavailable ones again', () => {
    const source = aLooker((id) => id % 10 !== 0)
    const order = exhausted(new Draw([tierOf(0, members(1, 300, 0))]), source)
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, at) => (at + 1) * 10))
    expect(Math.max(...source.looks.values())).toBe(1)
  })

  it('exhausts a priority before the next, even if few of it are available', () => {
    const tiers = [tierOf(5, members(1, 40, 5)), tierOf(-5, members(41, 40, -5))]
    const order = exhausted(
      new Draw(tiers),
      aLooker((id) => id % 20 !== 0),
    )
    expect(order.slice(0, 2).sort((a, b) => a - b)).toEqual([20, 40])
    expect(order.slice(2).sort((a, b) => a - b)).toEqual([60, 80])
  })

  it('selects available ones by weight plus ten, whether drawn at once or after checking all', () => {
    for (const shut of [0, 400]) {
      const tier = tierOf(0, [...members(1, 1, 0, 90), ...members(2, 1, 0, 0), ...members(3, shut, 0, 500)])
      const times = 3000
      let heavy = 0
      for (let time = 0; time < times; time += 1)
        if (new Draw([tier]).next(aLooker((id) => id > 2))?.id === 1) heavy += 1
      // 100 of 110 draws on average, within six standard deviations.
      expect(Math.abs(heavy / times - 100 / 110)).toBeLessThan(0.032)
    }
  })
})
