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
const by = (model: string, accountId = 7, tokens = 100) => ({ model, accountId, tokens })
const fail = (times: number, failure: Parameters<Cooldowns['failed']>[2], model = 'm') => {
  for (let time = 0; time < times; time += 1) cooldowns.failed({ id: 1, keyId: '' }, by(model), failure)
}

describe('a channel that fails (docs/reference/selection.md#cooldowns)', () => {
  it('cools down for as long as the vendor requests, only for that model, at most half an hour', () => {
    fail(1, { status: 429, retryAfter: '7', transport: false })
    expect(cooldowns.of(1, by('m'))).toEqual({ kind: 'limited', status: 429, seconds: 7 })
    expect(cooldowns.of(1, by('another'))).toBeUndefined()
    expect(cooldowns.of(2, by('m'))).toBeUndefined()
    clock.advanceSeconds(7)
    expect(cooldowns.of(1, by('m'))).toBeUndefined()
    fail(1, { status: 503, retryAfter: new Date(clock.now() + 90_000).toUTCString(), transport: false }, 'dated')
    expect(cooldowns.of(1, by('dated'))?.seconds).toBe(90)
    fail(1, { status: 429, retryAfter: '999999', transport: false }, 'long')
    expect(cooldowns.of(1, by('long'))?.seconds).toBe(1800)
    fail(1, { status: 429, retryAfter: 'soon', transport: false }, 'vague')
    expect(cooldowns.of(1, by('vague'))).toEqual({ kind: 'failing', status: 429, seconds: 30 })
  })

  it('begins with the third fault of the vendor in a row, longer each time', () => {
    fail(2, broken)
    expect(cooldowns.of(1, by('m'))).toBeUndefined()
    fail(1, broken)
    expect(cooldowns.of(1, by('m'))).toEqual({ kind: 'failing', status: 500, seconds: 5 })
    fail(1, broken)
    expect(cooldowns.of(1, by('m'))?.seconds).toBe(10)
    fail(30, broken)
    expect(cooldowns.of(1, by('m'))?.seconds).toBe(300)
  })

  it('cools down for all models where the vendor does not respond', () => {
    fail(2, unreachable)
    expect(cooldowns.of(1, by('another'))).toMatchObject({ kind: 'failing', seconds: 2 })
  })

  it('does not cool down for faults of the caller', () => {
    fail(20, { status: 400, transport: false })
    fail(20, { status: 404, transport: false })
    for (const message of ['Your input was flagged for "violence".', 'Content violates usage guidelines.'])
      fail(20, { status: 403, transport: false, message })
    expect(cooldowns.of(1, by('m'))).toBeUndefined()
  })

  it('is tried by one request when its time is over; the others wait for how that ends', () => {
    fail(3, broken)
    clock.advanceSeconds(6)
    expect(cooldowns.of(1, by('m'))).toBeUndefined()
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    expect(cooldowns.of(1, by('m'))).toMatchObject({ kind: 'failing', seconds: 1 })
    fail(1, broken)
    expect(cooldowns.of(1, by('m'))?.seconds).toBe(10)
    clock.advanceSeconds(11)
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    cooldowns.served({ id: 1, keyId: '' }, 'm')
    expect(cooldowns.of(1, by('m'))).toBeUndefined()
    fail(2, broken)
    expect(cooldowns.of(1, by('m'))).toBeUndefined()
  })

  it('is tried by another request after a second, if the first one is still waiting for its response', () => {
    fail(1, { status: 429, retryAfter: '7', transport: false })
    clock.advanceSeconds(7)
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    expect(cooldowns.of(1, by('m'))).toMatchObject({ kind: 'limited' })
    clock.advanceSeconds(1)
    expect(cooldowns.of(1, by('m'))).toBeUndefined()
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    expect(cooldowns.of(1, by('m'))).toMatchObject({ kind: 'limited' })
  })

  it('is available again where the trial ended without a result for the channel', () => {
    fail(3, broken)
    clock.advanceSeconds(6)
    cooldowns.requested({ id: 1, keyId: '' }, 'm')
    cooldowns.failed({ id: 1, keyId: '' }, by('m'), { status: 0, transport: false })
    expect(cooldowns.of(1, by('m'))).toBeUndefined()
  })

  it('spreads the ends of cooldowns by a fifth to either side', () => {
    const [early, late] = [0, 1].map((fraction) => {
      const some = createCooldowns(clock, () => fraction, createCooldownEntries())
      some.failed({ id: 1, keyId: '' }, by('m'), { status: 429, transport: false })
      return some.of(1, by('m'))?.seconds
    })
    expect([early, late]).toEqual([24, 36])
  })

  it('is available again once its cooldown is cleared, without effect on other channels', () => {
    fail(3, broken)
    fail(2, unreachable)
    cooldowns.clear(1)
    expect(cooldowns.of(1, by('m'))).toBeUndefined()
    cooldowns.failed({ id: 11, keyId: '' }, by('m'), { status: 429, transport: false })
    cooldowns.clear(1)
    expect(cooldowns.of(11, by('m'))).toBeDefined()
  })
})

describe.each([
  ['a retry time', 'limited', { status: 429, retryAfter: '60', transport: false }],
  ['a 429 without one', 'failing', { status: 429, transport: false }],
] as const)('%s (docs/reference/selection.md#cooldowns)', (_, kind, retry) => {
  const refused = (accountId: number, tokens: number) =>
    cooldowns.failed({ id: 1, keyId: '' }, by('m', accountId, tokens), retry)
  const kindOf = (accountId: number, tokens: number) => cooldowns.of(1, by('m', accountId, tokens))?.kind

  it('of one account does not concern others, until a second account gets one', () => {
    refused(7, 1000)
    expect([kindOf(7, 1000), kindOf(8, 1000)]).toEqual([kind, undefined])
    refused(8, 1000)
    expect([kindOf(7, 1000), kindOf(8, 1000), kindOf(9, 1000)]).toEqual([kind, kind, kind])
    refused(7, 1000)
    expect(kindOf(9, 1000)).toBe(kind)
  })

  it('does not concern requests less than half as large as the smallest that got one', () => {
    refused(7, 1_000_000)
    refused(8, 1000)
    refused(8, 50_000)
    expect([kindOf(9, 499), kindOf(7, 499), kindOf(9, 500), kindOf(9, 2_000_000)]).toEqual([
      ...[undefined, undefined],
      ...[kind, kind],
    ])
  })

  it('that is over counts no longer', () => {
    refused(7, 10)
    clock.advanceSeconds(3600)
    expect(kindOf(8, 10)).toBeUndefined()
    refused(8, 1000)
    expect([kindOf(7, 1000), kindOf(8, 499), kindOf(8, 500)]).toEqual([undefined, undefined, kind])
  })

  it('is the same in a snapshot for many channels', () => {
    refused(7, 1000)
    expect(cooldowns.moment(by('m', 8, 1000)).active(1)).toBeUndefined()
    expect(cooldowns.moment(by('m', 7, 1000)).active(1)?.kind).toBe(kind)
  })
})
