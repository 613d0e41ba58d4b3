import { beforeEach, describe, expect, it } from 'vitest'
import { type Cooldowns, createCooldowns } from '../../../../gateway/channels/health/cooldowns.ts'
import { createCooldownEntries } from '../../../../gateway/shared-state/cooldown-entries.ts'
import { aClock, type MovableClock } from '../../../support/clock.ts'

let clock: MovableClock
let cooldowns: Cooldowns
beforeEach(() => {
  clock = aClock(1_700_000_000_000)
  cooldowns = createCooldowns(clock, () => 0.5, createCooldownEntries())
})

const broken = { status: 500, transport: false }
const unreachable = { status: 502, transport: true }
const fail = (times: number, failure: Parameters<Cooldowns['failed']>[2], model = 'm') => {
  for (let time = 0; time < times; time += 1) cooldowns.failed({ id: 1, keyId: '' }, model, failure)
}

describe('a channel that fails (docs/reference/selection.md#cooldowns)', () => {
  it('cools down for as long as the vendor requests, only for that model, at most half an hour', () => {
    fail(1, { status: 429, retryAfter: '7', transport: false })
    expect(cooldowns.of(1, 'm')).toEqual({ kind: 'limited', status: 429, seconds: 7 })
    expect(cooldowns.of(1, 'another')).toBeUndefined()
    expect(cooldowns.of(2, 'm')).toBeUndefined()
    clock.advanceSeconds(7)
    expect(cooldowns.of(1, 'm')).toBeUndefined()
    fail(1, { status: 503, retryAfter: new Date(clock.now() + 90_000).toUTCString(), transport: false }, 'dated')
    expect(cooldowns.of(1, 'dated')?.seconds).toBe(90)
    fail(1, { status: 429, retryAfter: '999999', transport: false }, 'long')
    expect(cooldowns.of(1, 'long')?.seconds).toBe(1800)
    fail(1, { status: 429, retryAfter: 'soon', transport: false }, 'vague')
    expect(cooldowns.of(1, 'vague')).toEqual({ kind: 'failing', status: 429, seconds: 30 })
  })

  it('begins with the third fault of the vendor in a row, longer each time', () => {
    fail(2, broken)
    expect(cooldowns.of(1, 'm')).toBeUndefined()
    fail(1, broken)
    expect(cooldowns.of(1, 'm')).toEqual({ kind: 'failing', status: 500, seconds: 5 })
    fail(1, broken)
    expect(cooldowns.of(1, 'm')?.seconds).toBe(10)
    fail(30, broken)
    expect(cooldowns.of(1, 'm')?.seconds).toBe(300)
  })

  it('cools down for all models where the vendor does not respond', () => {
    fail(2, unreachable)
    expect(cooldowns.of(1, 'another')).toMatchObject({ kind: 'failing', seconds: 2 })
  })

  it('does not cool down for faults of the caller', () => {
    fail(20, { status: 400, transport: false })
    fail(20, { status: 404, transport: false })
    for (const message of ['Your input was flagged for "violence".', 'Content violates usage guidelines.'])
      fail(20, { status: 403, transport: false, message })
    expect(cooldowns.of(1, 'm')).toBeUndefined()
  })

  it('is tried by one request when its time is over; the others wait for how that ends', () => {
    fail(3, broken)
    clock.advanceSeconds(6)
    expect(cooldowns.of(1, 'm')).toBeUndefined()
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    expect(cooldowns.of(1, 'm')).toMatchObject({ kind: 'failing', seconds: 1 })
    fail(1, broken)
    expect(cooldowns.of(1, 'm')?.seconds).toBe(10)
    clock.advanceSeconds(11)
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    cooldowns.served({ id: 1, keyId: '' }, 'm')
    expect(cooldowns.of(1, 'm')).toBeUndefined()
    fail(2, broken)
    expect(cooldowns.of(1, 'm')).toBeUndefined()
  })

  it('is tried by another request after a second, if the first one is still waiting for its response', () => {
    fail(1, { status: 429, retryAfter: '7', transport: false })
    clock.advanceSeconds(7)
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    expect(cooldowns.of(1, 'm')).toMatchObject({ kind: 'limited' })
    clock.advanceSeconds(1)
    expect(cooldowns.of(1, 'm')).toBeUndefined()
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    expect(cooldowns.of(1, 'm')).toMatchObject({ kind: 'limited' })
  })

  it('is available again where the trial ended without a result for the channel', () => {
    fail(3, broken)
    clock.advanceSeconds(6)
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    cooldowns.failed({ id: 1, keyId: '' }, 'm', { status: 0, transport: false })
    expect(cooldowns.of(1, 'm')).toBeUndefined()
  })

  it('spreads the ends of cooldowns by a fifth to either side', () => {
    const [early, late] = [0, 1].map((fraction) => {
      const some = createCooldowns(clock, () => fraction, createCooldownEntries())
      some.failed({ id: 1, keyId: '' }, 'm', { status: 429, transport: false })
      return some.of(1, 'm')?.seconds
    })
    expect([early, late]).toEqual([24, 36])
  })

  it('is available again once its cooldown is cleared, without effect on other channels', () => {
    fail(3, broken)
    fail(2, unreachable)
    cooldowns.clear(1)
    expect(cooldowns.of(1, 'm')).toBeUndefined()
    cooldowns.failed({ id: 11, keyId: '' }, 'm', { status: 429, transport: false })
    cooldowns.clear(1)
    expect(cooldowns.of(11, 'm')).toBeDefined()
  })
})
