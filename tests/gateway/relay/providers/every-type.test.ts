import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ChannelTypeName, channelTypeNames, channelTypes } from '../../../../shared/channel-types.ts'
import type { Recorded } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'
import { type ChatRow, chatRows, embedRows, mutes } from './every-type-rows.ts'
import { aSparkVendor } from './spark-vendor.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

/** Creates a channel of a type at the fake vendor; returns the name under which callers request its model. */
async function aChannel(
  name: ChannelTypeName,
  { model = 'm', key, other, base = '' }: Partial<ChatRow> = {},
  { url }: Readonly<{ url: string }> = world.upstream,
) {
  const asked = `by-${name}`
  await world.channel({
    type: channelTypes[name].id,
    key: typeof key === 'function' ? key(url) : (key ?? 'upstream-key'),
    other: other ?? '',
    base_url: url + base,
    models: asked,
    model_mapping: JSON.stringify({ [asked]: model }),
  })
  return asked
}

const matches = (wanted: string | RegExp, value: unknown): boolean =>
  typeof wanted === 'string' ? value === wanted : wanted.test(String(value))

/** The only request to a path. */
function askedAt(path: string | RegExp): Recorded {
  const found = world.upstream.requests.filter((request) => matches(path, request.path))
  expect([found.length, world.upstream.requests.map((request) => request.path)]).toEqual([1, expect.anything()])
  return found[0] ?? expect.fail('nobody asked')
}

describe('every type of channel (docs/reference/channel-types.md#types)', () => {
  it('is in one of these tables, or is called over a socket', () => {
    const known = [...Object.keys(chatRows), ...Object.keys(embedRows), ...mutes, 'xunfei']
    expect(known.toSorted()).toEqual([...channelTypeNames].toSorted())
    expect(known).toHaveLength(45)
  })

  // The keys are names of types, which Object.entries types as text.
  it.each(Object.entries(chatRows) as [ChannelTypeName, ChatRow][])(
    '%s: answers a chat, whole and streamed',
    async (name, row) => {
      const model = await aChannel(name, row)
      for (const stream of [false, true]) {
        world.upstream.reset()
        const { says } = row
        if (says) world.upstream.answers((request) => says(request, stream))
        const { status, content, events } = await alice.asks(model, 'hi', { stream })
        expect([status, content, stream ? events.at(-1) : '[DONE]']).toEqual([200, 'Hello there', '[DONE]'])
        const { method, headers } = askedAt(stream ? (row.streamPath ?? row.path) : row.path)
        expect(method).toBe('POST')
        const proof = row.auth === undefined ? { authorization: 'Bearer upstream-key' } : row.auth
        for (const [header, value] of Object.entries(proof ?? {}))
          expect(headers[header]).toEqual(typeof value === 'string' ? value : expect.stringMatching(value))
        const receipt = await lastReceipt(world, alice.id, stream ? 2 : 1)
        expect(receipt).toMatchObject({ type: 2, quota: recomputed(receipt) })
      }
    },
  )

  it('xunfei: answers a chat over a socket, whole and streamed', async () => {
    const vendor = await aSparkVendor()
    const model = await aChannel('xunfei', { key: 'app|secret|key', model: 'SparkDesk-v3.5' }, vendor)
    const piece = (content: string, status: number) => ({
      header: { code: 0, status },
      payload: { choices: { status, text: [{ content, role: 'assistant' }] } },
    })
    vendor.tells({ frames: [piece('Hello', 1), piece(' there', 2)] })
    for (const stream of [false, true]) {
      const { status, content } = await alice.asks(model, 'hi', { stream })
      expect([status, content]).toEqual([200, 'Hello there'])
      const visit = vendor.visits.at(-1)
      expect([visit?.path, visit?.json.header.app_id]).toEqual(['/v3.5/chat', 'app'])
      const proof = Buffer.from(visit?.query.get('authorization') ?? '', 'base64').toString()
      expect(proof).toContain('api_key="key", algorithm="hmac-sha256"')
    }
  })

  it.each(Object.entries(embedRows) as [ChannelTypeName, string][])(
    '%s: embeds, and does not chat',
    async (name, path) => {
      const model = await aChannel(name)
      const data = [{ object: 'embedding', index: 0, embedding: [0.5] }]
      world.upstream.answers({ body: { object: 'list', data, usage: { prompt_tokens: 3, total_tokens: 3 } } })
      const { json } = await alice.calls('/v1/embeddings', { model, input: 'hi' })
      expect(json.data).toHaveLength(1)
      expect(askedAt(path).headers.authorization).toBe('Bearer upstream-key')
      await refuses(model)
    },
  )

  it.each(mutes)('%s: does not chat', async (name) => {
    await refuses(await aChannel(name))
  })
})

/** Expects a chat to be refused with a reason, and without an upstream request. */
async function refuses(model: string): Promise<void> {
  world.upstream.reset()
  for (const stream of [false, true]) {
    const { status, json } = await alice.asks(model, 'hi', { stream })
    expect([status, json.error.code]).toEqual([503, 'no_available_channel'])
    expect(json.error.message).toContain(`No channel for the model ${model} supports this type of request`)
  }
  expect(world.upstream.requests).toHaveLength(0)
}
