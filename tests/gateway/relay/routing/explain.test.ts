import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RoutingExplanation } from '../../../../shared/api/routing.ts'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 2 } })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.clock.advanceSeconds(3600)
})

const why = async (ask: object): Promise<RoutingExplanation> =>
  dataOf(await world.admin.post('/api/channel/explain', ask))
const limited = { status: 429, headers: { 'retry-after': '20' }, body: { error: { message: 'slow down' } } }

describe('why this channel? (docs/reference/selection.md#explaining-a-choice)', () => {
  it('lists the channels that would be used, in order and with their chance, and sends no request', async () => {
    const low = await world.channel({ models: 'w1', name: 'low', priority: 1, model_mapping: '{"w1":"theirs"}' })
    const heavy = await world.channel({ models: 'w1', name: 'heavy', priority: 5, weight: 20 })
    const light = await world.channel({ models: 'w1', name: 'light', priority: 5 })
    const told = await why({ model: 'w1' })
    expect(told).toMatchObject({ group: 'default', model: 'w1', refusal: '', tries: 3, off: [] })
    expect(told.channels.map(({ channel_id, share }) => [channel_id, share])).toEqual([
      [heavy, 0.75],
      [light, 0.25],
      [low, 1],
    ])
    expect(told.channels.map(({ chance, chances }) => [chance, chances])).toEqual([
      [30, 40],
      [10, 40],
      [10, 10],
    ])
    expect(told.channels[2]).toMatchObject({ verdict: 'eligible', upstream_model: 'theirs', keys: 1, keys_usable: 1 })
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('reports a missing price where that is the only obstacle, and the channels that would be used with one', async () => {
    const one = await world.channel({ models: 'unpriced-1', name: 'one' })
    await world.admin.put('/api/option', { key: 'SelfUseModeEnabled', value: 'false' })
    const told = await why({ model: 'unpriced-1' })
    await world.admin.put('/api/option', { key: 'SelfUseModeEnabled', value: 'true' })
    expect(told).toMatchObject({ group: 'default', refusal_code: 'model_price_error' })
    expect(told.refusal).toContain('No price is set')
    expect(told.channels).toMatchObject([{ channel_id: one, verdict: 'eligible', share: 1 }])
    expect(await why({ model: 'nobody-has-this' })).toMatchObject({
      refusal_code: 'no_available_channel',
      channels: [],
    })
  })

  it('lists skipped channels with the reason, and disabled ones', async () => {
    const slow = await world.channel({ models: 'w2', priority: 9 })
    world.upstream.answers(limited, { body: { choices: [{ message: { content: 'hi' } }] } })
    const fine = await world.channel({ models: 'w2', name: 'fine' })
    await alice.asks('w2', 'hi')
    const short = await world.channel({ models: 'w2', max_input_tokens: 100 })
    const drawing = await world.channel({ models: 'w2', type: 2, key: 'x' })
    const off = await world.channel({ models: 'w2', name: 'gone' })
    await world.admin.put('/api/channel', { id: off, status: 2 })
    const told = await why({ model: 'w2', prompt_tokens: 5000 })
    const verdictsOf = ({ channels }: typeof told) =>
      Object.fromEntries(channels.map(({ channel_id, verdict }) => [channel_id, verdict]))
    const verdictFor = async (person: Person) =>
      verdictsOf(await why({ model: 'w2', prompt_tokens: 5000, token_id: (await world.token(person)).id }))[slow]
    expect(await verdictFor(alice)).toBe('limited')
    expect(await verdictFor(await world.user())).toBe('eligible')
    expect(verdictsOf(told)).toEqual({
      [slow]: 'limited',
      [fine]: 'eligible',
      [short]: 'prompt_too_long',
      [drawing]: 'unsupported',
    })
    expect(told.channels.find(({ channel_id }) => channel_id === fine)?.share).toBe(1)
    expect(told.channels.find(({ channel_id }) => channel_id === slow)?.cooldown).toMatchObject({
      kind: 'limited',
      status: 429,
      message: 'slow down',
      model: 'w2',
    })
    expect(told.off).toEqual([{ channel_id: off, name: 'gone', status: 2, reason: '' }])
  })

  it('applies the group and the limits of a token', async () => {
    await world.option('GroupRatio', { default: 1, vip: 1, far: 1 })
    await world.option('UserUsableGroups', { default: 'Default', vip: 'VIP' })
    const vip = await world.channel({ models: 'w3', group: 'vip' })
    const token = await world.token(alice, { group: 'vip', model_limits_enabled: true, model_limits: 'w3' })
    expect((await why({ model: 'w3', token_id: token.id })).channels.map(({ channel_id }) => channel_id)).toEqual([vip])
    const denied = await why({ model: 'w4', token_id: token.id })
    expect([denied.channels, denied.refusal]).toEqual([[], expect.stringContaining('w4')])
    expect((await why({ model: 'w3' })).refusal).toContain('default')
    expect((await why({ model: 'w3', group: 'far' })).refusal).toContain('far')
    expect((await why({ model: 'w3', token_id: 999_999 })).refusal).not.toBe('')
  })

  it('resolves the automatic group as requests do', async () => {
    await world.option('UserUsableGroups', { default: 'Default', vip: 'VIP', auto: 'Automatic' })
    await world.option('AutoGroups', ['default', 'vip'])
    const auto = await why({ model: 'w3', group: 'auto' })
    expect([auto.group, auto.channels.length]).toEqual(['vip', 1])
  })

  it('is for administrators', async () => {
    expect((await alice.post('/api/channel/explain', { model: 'w1' })).success).toBe(false)
    expect((await alice.get('/api/channel/cooldowns')).success).toBe(false)
    expect((await alice.get('/api/channel/keys/1')).success).toBe(false)
  })
})
