import { expect, it } from 'vitest'
import type { ActiveChannel } from '../../../../gateway/channels/registry/active-channel.ts'
import { tierOf } from '../../../../gateway/channels/registry/picker.ts'
import { type Choose, Draw } from '../../../../gateway/relay/routing/draw.ts'
import type { Route } from '../../../../gateway/relay/routing/route.ts'
import { newTimes, type Odds } from '../../../../gateway/relay/routing/what-if/evidence.ts'
import { newBudget, walkAll } from '../../../../gateway/relay/routing/what-if/ways.ts'
import { UpstreamError } from '../../../../gateway/relay/upstream/upstream-error.ts'

/** Channels of one tier that are drawn from as requests are, and never run out of tries; a walk looks at nothing else of a route. */
function routeOver(channels: number, choose: Choose): Route {
  const members = Array.from({ length: channels }, (_, id) => ({
    channel: { id, priority: 0 } as ActiveChannel,
    weight: id,
  }))
  const seen = new Set<number>()
  const draw = new Draw([tierOf(0, members)], choose)
  const source = {
    hasSeen: (id: number) => seen.has(id),
    look: ({ channel }: { channel: ActiveChannel }) => {
      seen.add(channel.id)
      return channel
    },
    isOpen: () => true,
    moment: () => ({ nowMs: 0, active: () => undefined }),
  }
  const nothing = () => {}
  return { next: () => draw.next(source), begin: nothing, end: nothing, refused: () => true } as unknown as Route
}

const odds = (goesOn: number): Odds => ({
  goesOn,
  ends: 0,
  failure: new UpstreamError(503, ''),
  isSure: true,
  times: newTimes(),
})

it('rests after every way, however many there are', async () => {
  let begun = 0
  let rests = 0
  let told = 0
  const ends = await walkAll({
    begin: (choose) => {
      begun += 1
      return routeOver(4, choose)
    },
    odds: () => odds(0.5),
    onStep: ({ chance }) => {
      told += chance
    },
    budget: newBudget(),
    rest: async () => {
      rests += 1
    },
  })
  // Every order of four, since the last one of them is all that is left.
  expect([begun, rests]).toEqual([24, 24])
  expect(told).toBeCloseTo(1 + 1 / 2 + 1 / 4 + 1 / 8, 9)
  expect(ends.answered + ends.failed).toBeCloseTo(1, 9)
  expect(ends.failed).toBeCloseTo(1 / 16, 9)
})

it('draws once where there is no budget for all, and still has the whole request end', async () => {
  let begun = 0
  const ends = await walkAll({
    begin: (choose) => {
      begun += 1
      return routeOver(50, choose)
    },
    odds: () => odds(1),
    onStep: () => {},
    budget: { left: 60 },
    rest: async () => {},
  })
  expect(begun).toBeLessThanOrEqual(61)
  expect(ends).toMatchObject({ answered: 0, noChannel: 0 })
  expect(ends.failed).toBeCloseTo(1, 9)
})

it('stops between two ways once nobody waits', async () => {
  let begun = 0
  const walked = walkAll({
    begin: (choose) => {
      begun += 1
      return routeOver(6, choose)
    },
    odds: () => odds(0.5),
    onStep: () => {},
    budget: newBudget(),
    rest: async () => {
      if (begun === 3) throw new Error('gone')
    },
  })
  await expect(walked).rejects.toThrow('gone')
  expect(begun).toBe(3)
})
