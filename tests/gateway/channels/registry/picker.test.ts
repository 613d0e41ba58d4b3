import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActiveChannel } from '../../../../gateway/channels/registry/active-channel.ts'
import type { Tier } from '../../../../gateway/channels/registry/picker.ts'
import { pick } from './pick.ts'

// The picker reads only the id.
const channel = (id: number) => ({ id }) as ActiveChannel
const tier = (priority: number, weights: Record<number, number>): Tier => ({
  priority,
  members: Object.entries(weights).map(([id, weight]) => ({ channel: channel(Number(id)), weight })),
})

/** Tiers of distinct channels in descending priority. */
const tiers = fc.array(fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 }), { maxLength: 5 }).map((shape) => {
  let id = 0
  return shape.map((weights, index) => {
    const members = weights.map((weight) => ({ channel: channel(++id), weight }))
    return { priority: -index, members }
  })
})
const fraction = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe('picking a channel', () => {
  it('never repeats, never skips, and exhausts a priority before the next', () => {
    fc.assert(
      fc.property(tiers, fc.infiniteStream(fraction), (offered, fractions) => {
        const tried = new Set<number>()
        const order: number[] = []
        for (;;) {
          const next = pick(offered, tried, () => fractions.next().value)
          if (!next) break
          expect(tried.has(next.id)).toBe(false)
          tried.add(next.id)
          order.push(next.id)
        }
        const priorities = order.map(
          (id) => offered.find(({ members }) => members.some((m) => m.channel.id === id))!.priority,
        )
        expect(order).toHaveLength(offered.flatMap(({ members }) => members).length)
        expect(priorities).toEqual([...priorities].sort((a, b) => b - a))
      }),
    )
  })

  it('shares a tier in proportion to weight plus ten', () => {
    const weights = { 1: 0, 2: 10, 3: 90 }
    const steps = 13_000
    const counts = new Map<number, number>()
    for (let step = 0; step < steps; step++) {
      const { id } = pick([tier(0, weights)], new Set(), () => step / steps)!
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    for (const [id, weight] of Object.entries(weights))
      expect(Math.abs(counts.get(Number(id))! - (steps * (weight + 10)) / 130)).toBeLessThanOrEqual(1)
  })

  it('counts only the untried when it shares', () => {
    const members = { 1: 90, 2: 0, 3: 0 }
    const picked = [0, 0.49, 0.51, 0.99].map((at) => pick([tier(0, members)], new Set([1]), () => at)!.id)
    expect(picked).toEqual([2, 2, 3, 3])
  })

  it('answers nothing without channels', () => {
    expect(pick([], new Set(), () => 0)).toBeUndefined()
    expect(pick([tier(1, { 1: 0 })], new Set([1]), () => 0)).toBeUndefined()
  })
})
