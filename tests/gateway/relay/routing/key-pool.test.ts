import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChannelKey } from '../../../../shared/api/routing.ts'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'
import { eventually } from '../websockets/caller.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({
    options: { SelfUseModeEnabled: true, RetryTimes: 5, AutomaticDisableChannelEnabled: true },
  })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.clock.advanceSeconds(3600)
})

const FIVE = ['key-one', 'key-two', 'key-three', 'key-four', 'key-five']
const good = { body: { choices: [{ message: { content: 'hi' } }] } }
const bad = { status: 401, body: { error: { message: 'Incorrect API key', code: 'invalid_api_key' } } }
const keysAsked = () =>
  world.upstream.requests.map(({ headers }) => String(headers.authorization).replace('Bearer ', ''))
const pool = (models: string, keys: readonly string[] = FIVE, fields: object = {}) =>
  world.channel({ models, key: keys.join('\n'), key_mode: 'pool', ...fields })
const keysOf = async (id: number): Promise<ChannelKey[]> => dataOf(await world.admin.get(`/api/channel/keys/${id}`))
const channelOf = async (id: number) =>
  dataOf(await world.admin.get(`/api/channel/${id}`)) as { status: number; key_count: number; other_info: string }
/** The last three system messages in root's log, without the channel, sorted. */
async function eventsOfRoot(): Promise<string[]> {
  await world.gateway.inner.ledger.flush()
  const rows = await world.gateway.inner.db
    .selectFrom('logs')
    .select('content')
    .where('type', '=', 4)
    .orderBy('id')
    .execute()
  const last = rows.slice(-3).map(({ content }) => content)
  return [...last.filter((text) => text.startsWith('Key')).sort(), ...last.filter((text) => text.startsWith('Channel'))]
}

/** A vendor that accepts all keys except these. */
const refusing = (...refused: string[]) =>
  world.upstream.answers(({ headers }) =>
    refused.some((key) => String(headers.authorization).endsWith(key)) ? bad : good,
  )

describe('several keys in one channel', () => {
  it('share its requests, and the log has the key used', async () => {
    const id = await pool('shared-keys')
    for (let turn = 0; turn < 60; turn += 1) expect((await alice.asks('shared-keys', `hi ${turn}`)).status).toBe(200)
    expect(new Set(keysAsked())).toEqual(new Set(FIVE))
    expect((await channelOf(id)).key_count).toBe(5)
    const { tried } = (await lastReceipt(world, alice.id)).other.admin_info
    expect(tried).toEqual([{ channel: id, key: FIVE.indexOf(keysAsked().at(-1) ?? '') + 1 }])
  })

  it('are switched off one by one where they are refused, without a failure for the caller', async () => {
    const id = await pool('one-bad')
    refusing('key-three')
    for (let turn = 0; turn < 40; turn += 1) expect((await alice.asks('one-bad', `hi ${turn}`)).status).toBe(200)
    // The second is the gateway's own test of the key.
    expect(keysAsked().filter((key) => key === 'key-three')).toHaveLength(2)
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([1, 1, 3, 1, 1])
    expect((await keysOf(id))[2]).toMatchObject({ position: 3, reason: 'status code 401: Incorrect API key' })
    expect((await channelOf(id)).status).toBe(1)
  })

  it('take the channel with them when the last one is off, and it comes back with the first that is switched on', async () => {
    const id = await pool('all-bad', ['bad-1', 'bad-2'])
    refusing('bad-1', 'bad-2')
    expect((await alice.asks('all-bad', 'hi')).status).toBe(401)
    const [first, second] = await keysOf(id)
    expect([first?.status, second?.status]).toEqual([3, 3])
    expect((await channelOf(id)).status).toBe(3)
    expect((await channelOf(id)).other_info).toContain('all keys are disabled')
    await eventually(eventsOfRoot).toEqual([
      `Key 1 of channel upstream (#${id}) was disabled: status code 401: Incorrect API key`,
      `Key 2 of channel upstream (#${id}) was disabled: status code 401: Incorrect API key`,
      `Channel upstream (#${id}) was disabled: status code 401: Incorrect API key No available channel is left for these models: all-bad`,
    ])
    await world.admin.put(`/api/channel/keys/${id}/${first?.id}`, { status: 1 })
    expect((await channelOf(id)).status).toBe(1)
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([1, 3])
    world.upstream.reset()
    expect((await alice.asks('all-bad', 'hi')).status).toBe(200)
    expect(keysAsked()).toEqual(['bad-1'])
  })

  it('cool down one by one for as long as the vendor requests', async () => {
    const id = await pool('limited-keys', ['slow-1', 'slow-2'])
    world.upstream.answers(
      { status: 429, headers: { 'retry-after': '60' }, body: { error: { message: 'slow down' } } },
      good,
    )
    expect((await alice.asks('limited-keys', 'hi')).status).toBe(200)
    expect(new Set(keysAsked()).size).toBe(2)
    const cooling = (await keysOf(id)).filter(({ cooldowns }) => cooldowns.length > 0)
    expect(cooling).toHaveLength(1)
    expect(cooling[0]?.cooldowns[0]).toMatchObject({
      model: 'limited-keys',
      kind: 'limited',
      status: 429,
      message: 'slow down',
    })
    const [slow] = keysAsked()
    for (let turn = 0; turn < 10; turn += 1) await alice.asks('limited-keys', `again ${turn}`)
    expect(keysAsked().filter((key) => key === slow)).toHaveLength(1)
    const all = dataOf(await world.admin.get('/api/channel/cooldowns')) as { channel_id: number; key_id: string }[]
    expect(all).toEqual([expect.objectContaining({ channel_id: id, key_id: cooling[0]?.id })])
    dataOf(await world.admin.delete(`/api/channel/cooldowns/${id}`))
    expect(dataOf(await world.admin.get('/api/channel/cooldowns'))).toEqual([])
  })

  it('stay with a conversation that names its cache', async () => {
    await pool('sticky')
    for (let turn = 0; turn < 12; turn += 1)
      await alice.calls('/v1/chat/completions', {
        model: 'sticky',
        messages: [{ role: 'user', content: `turn ${turn}` }],
        prompt_cache_key: 'the-same',
      })
    expect(new Set(keysAsked()).size).toBe(1)
  })

  it('are tried further once the other channels have failed', async () => {
    const id = await pool('before-others', ['bad-a', 'bad-b'], { priority: 9 })
    const other = await world.channel({ models: 'before-others', key: 'other' })
    await world.option('AutomaticDisableChannelEnabled', false)
    refusing('bad-a', 'bad-b', 'other')
    await alice.asks('before-others', 'hi')
    await world.option('AutomaticDisableChannelEnabled', true)
    expect(keysAsked()).toHaveLength(3)
    expect(keysAsked()[1]).toBe('other')
    const { tried } = (await lastReceipt(world, alice.id)).other.admin_info
    expect(tried.map(({ channel }: { channel: number }) => channel)).toEqual([id, other, id])
  })
})

describe('a response stored by a vendor', () => {
  it('is continued and retrieved only with the key it was made with', async () => {
    const id = await pool('kept-with', ['keeper-1', 'keeper-2', 'keeper-3'])
    let made = 0
    world.upstream.answers(() => {
      made += 1
      return { body: { id: `resp_${made}`, object: 'response', status: 'completed', output: [], usage: {} } }
    })
    expect((await alice.calls('/v1/responses', { model: 'kept-with', input: 'hi' })).status).toBe(200)
    for (let turn = 0; turn < 6; turn += 1) {
      const more = { model: 'kept-with', input: `more ${turn}`, previous_response_id: 'resp_1' }
      expect((await alice.calls('/v1/responses', more)).status).toBe(200)
    }
    const authorization = { authorization: `Bearer sk-${await alice.key()}` }
    await fetch(`${world.url}/v1/responses/resp_1`, { headers: authorization })
    expect(keysAsked()).toHaveLength(8)
    const [key = ''] = new Set(keysAsked())
    expect(new Set(keysAsked()).size).toBe(1)
    const own = (await keysOf(id))[Number(key.slice(-1)) - 1]
    await world.admin.put(`/api/channel/keys/${id}/${own?.id}`, { status: 2 })
    const gone = await alice.calls('/v1/responses', { model: 'kept-with', input: 'x', previous_response_id: 'resp_1' })
    expect([gone.status, gone.json.error.code]).toEqual([400, 'previous_response_not_found'])
    expect(keysAsked()).toHaveLength(8)
  })
})

describe('the keys of a channel (shared/api/routing.ts)', () => {
  it('are listed without themselves, switched by hand, added and removed', async () => {
    const id = await pool('handled', ['a-long-secret-key-0001', 'a-long-secret-key-0002'])
    const [first, second] = await keysOf(id)
    expect([first?.tail, second?.tail]).toEqual(['0001', '0002'])
    expect(JSON.stringify(await keysOf(id))).not.toContain('a-long')
    await world.admin.put(`/api/channel/keys/${id}/${first?.id}`, { status: 2 })
    for (let turn = 0; turn < 8; turn += 1) await alice.asks('handled', `hi ${turn}`)
    expect(new Set(keysAsked())).toEqual(new Set(['a-long-secret-key-0002']))
    expect(
      dataOf(await world.admin.post(`/api/channel/keys/${id}`, { keys: 'third\n\na-long-secret-key-0002\n third ' })),
    ).toBe(1)
    await world.admin.delete(`/api/channel/keys/${id}/${second?.id}`)
    expect((await keysOf(id)).map(({ position, status }) => [position, status])).toEqual([
      [1, 2],
      [2, 1],
    ])
    world.upstream.reset()
    await alice.asks('handled', 'hi')
    expect(keysAsked()).toEqual(['third'])
  })

  it('survive a change of the channel, and are replaced by new ones', async () => {
    const id = await pool('replaced', ['old-1', 'old-2'])
    const [first] = await keysOf(id)
    await world.admin.put(`/api/channel/keys/${id}/${first?.id}`, { status: 2 })
    await world.admin.put('/api/channel', { id, name: 'renamed', key: '' })
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([2, 1])
    await world.admin.put('/api/channel', { id, key: 'new-1\nold-1\nnew-2' })
    expect((await keysOf(id)).map(({ status }) => status)).toEqual([1, 2, 1])
  })

  it('are all retained where several are added at once', async () => {
    const id = await world.channel({ models: 'crowd', key: 'key-0' })
    const adding = Array.from({ length: 8 }, (_, turn) =>
      world.admin.post(`/api/channel/keys/${id}`, { keys: `key-${turn + 1}` }),
    )
    await Promise.all(adding)
    expect(await keysOf(id)).toHaveLength(9)
  })

  it('stay several where the type of their channel becomes one whose keys are JSON', async () => {
    const id = await pool('retyped', ['{"a":1}', '{"b":2}'])
    await world.admin.put('/api/channel', { id, type: 41, other: 'global' })
    expect(await keysOf(id)).toHaveLength(2)
    await world.admin.put('/api/channel', { id, type: 1 })
    expect(await keysOf(id)).toHaveLength(2)
  })

  it('preserve their last one, and refuse an unknown one', async () => {
    const id = await world.channel({ models: 'single', key: 'the-only-one' })
    const [only] = await keysOf(id)
    expect(only).toMatchObject({ position: 1, status: 1, cooldowns: [] })
    const refused = await world.admin.delete(`/api/channel/keys/${id}/${only?.id}`)
    expect(refused).toMatchObject({ success: false, message: 'A channel needs at least one key' })
    const missing = await world.admin.put(`/api/channel/keys/${id}/0123456789abcdef`, { status: 2 })
    expect(missing).toMatchObject({ success: false })
    const several = await world.admin.put('/api/channel', { id, key: 'one\ntwo' })
    expect(several).toMatchObject({ success: false })
    expect(dataOf(await world.admin.post(`/api/channel/keys/${id}`, { keys: 'another' }))).toBe(1)
    expect(await keysOf(id)).toHaveLength(2)
  })
})
