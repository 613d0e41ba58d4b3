import { createServer } from 'node:net'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { CHAT, chat, onTheWire } from '../delivery/wire.ts'
import { lastReceipt } from '../metering/receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 5 } })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const ask = async (model: string, more: object = {}) =>
  onTheWire(world, CHAT, { key: await alice.key(), body: chat(model, more) })
const keys = () => world.upstream.requests.map(({ headers }) => String(headers.authorization).replace('Bearer ', ''))

/** An address that refuses connections. */
async function nowhere(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number } // it listens on a port, not on a pipe
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe('choosing a channel (docs/reference/selection.md#order)', () => {
  it('stays with the highest priority and shares by weight plus ten', async () => {
    await world.channel({ models: 'shared', key: 'low', priority: 0, weight: 1000 })
    await world.channel({ models: 'shared', key: 'heavy', priority: 1, weight: 80 })
    await world.channel({ models: 'shared', key: 'light', priority: 1, weight: 0 })
    for (let turn = 0; turn < 150; turn += 1) await ask('shared')
    const light = keys().filter((key) => key === 'light').length
    expect(keys()).not.toContain('low')
    expect(light).toBeGreaterThan(1)
    expect(light).toBeLessThan(45)
  })

  it('exhausts a priority before the next and tries each channel once', async () => {
    const keysOf = { 2: ['a', 'b'], 1: ['c', 'd'] }
    for (const [priority, names] of Object.entries(keysOf))
      for (const key of names) await world.channel({ models: 'tiers', key, priority: Number(priority) })
    world.upstream.answers({ status: 500 })
    expect((await ask('tiers')).status).toBe(500)
    expect(keys()).toHaveLength(4)
    expect(keys().slice(0, 2).sort()).toEqual(['a', 'b'])
    expect(keys().slice(2).sort()).toEqual(['c', 'd'])
  })

  it('passes over channels whose wire is not spoken, which do not count as tries', async () => {
    for (const type of [2, 5, 36])
      await world.channel({ models: 'wires', type, key: 'x|y|z', priority: 9, other: 'v1' })
    const spoken = await world.channel({ models: 'wires', key: 'spoken', priority: 1 })
    await world.option('RetryTimes', 0)
    expect((await ask('wires')).status).toBe(200)
    expect(keys()).toEqual(['spoken'])
    expect((await lastReceipt(world, alice.id)).other.admin_info.use_channel).toEqual([String(spoken)])
    await world.option('RetryTimes', 5)
  })

  it('passes over channels that do not offer the endpoint', async () => {
    await world.channel({ models: 'chat-only', type: 27 })
    const answer = await onTheWire(world, '/v1/embeddings', {
      key: await alice.key(),
      body: '{"model":"chat-only","input":"hi"}',
    })
    expect([answer.status, answer.error.code]).toEqual([503, 'no_available_channel'])
  })

  it('passes over channels for shorter prompts (docs/reference/selection.md#eligibility)', async () => {
    await world.channel({ models: 'long', key: 'short', max_input_tokens: 50, priority: 9 })
    await world.channel({ models: 'long', key: 'any' })
    await ask('long')
    await ask('long', { messages: [{ role: 'user', content: 'word '.repeat(200) }] })
    expect(keys()).toEqual(['short', 'any'])
  })

  it('reports a prompt that is too long for all of them as vendors do', async () => {
    await world.channel({ models: 'short-only', max_input_tokens: 50 })
    await world.channel({ models: 'short-only', max_input_tokens: 60 })
    const answer = await ask('short-only', { messages: [{ role: 'user', content: 'word '.repeat(200) }] })
    expect([answer.status, answer.error.code]).toEqual([400, 'context_length_exceeded'])
    expect(answer.error.message).toMatch(
      /^This model's maximum context length is 60 tokens\. However, your .* \d{3} tokens\./,
    )
    expect(keys()).toEqual([])
    expect((await lastReceipt(world, alice.id)).other.status_code).toBe(400)
  })

  it('goes to the next where a vendor does not respond, or the connection breaks', async () => {
    await world.channel({ models: 'refused', base_url: await nowhere(), priority: 9 })
    await world.channel({ models: 'refused', key: 'there' })
    expect((await ask('refused')).status).toBe(200)
    expect((await lastReceipt(world, alice.id)).other.admin_info.tried[0]).toMatchObject({ status: 502 })
  })

  it('is 502 where no vendor responds at all', async () => {
    await world.channel({ models: 'silent', base_url: await nowhere() })
    const { status, error } = await ask('silent')
    expect([status, error.code, error.type]).toEqual([502, 'do_request_failed', 'upstream_error'])
  })

  it('finds a name by its wildcard', async () => {
    await world.channel({ models: 'gpt-4-gizmo-*' })
    expect((await ask('gpt-4-gizmo-my-own')).status).toBe(200)
  })
})

describe('model_mapping (docs/reference/selection.md#model-mapping)', () => {
  it('follows the chain, ends where a name maps to itself, and prices the requested name', async () => {
    await world.channel({ models: 'a,same', model_mapping: '{"a":"b","b":"c","same":"same"}' })
    await ask('a')
    expect(world.upstream.last().json.model).toBe('c')
    expect(await lastReceipt(world, alice.id)).toMatchObject({
      model_name: 'a',
      other: { is_model_mapped: true, upstream_model_name: 'c' },
    })
    await ask('same')
    expect(world.upstream.last().json.model).toBe('same')
    expect((await lastReceipt(world, alice.id)).other.is_model_mapped).toBeUndefined()
  })

  it('refuses a circle and charges nothing', async () => {
    await world.channel({ models: 'circle', model_mapping: '{"circle":"x","x":"circle"}' })
    const before = await alice.quota()
    const { status, error } = await ask('circle')
    expect([status, error.code]).toEqual([500, 'model_mapping_contains_cycle'])
    expect(await alice.quota()).toBe(before)
  })
})
