import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: 11, models: 'PaLM-2' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
  world.upstream.answers({ body: { candidates: [{ author: '1', content: 'Hello there' }], messages: [] } })
})

describe('PaLM (docs/reference/channel-types.md#palm; PaLM API reference, "generateMessage")', () => {
  it('receives a conversation in its own format, and is charged by the gateway’s count', async () => {
    const { json, headers } = await alice.calls('/v1/chat/completions', {
      model: 'PaLM-2',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Good.' },
      ],
      temperature: 0,
      top_p: 0.5,
      max_tokens: 9,
    })
    expect(world.upstream.last()).toMatchObject({
      path: '/v1beta2/models/chat-bison-001:generateMessage',
      headers: { 'x-goog-api-key': 'upstream-key' },
    })
    expect(world.upstream.last().json).toEqual({
      prompt: {
        context: 'Be brief.',
        messages: [
          { author: '0', content: 'Hello?' },
          { author: '1', content: 'Yes.' },
          { author: '0', content: 'Good.' },
        ],
      },
      temperature: 0,
      topP: 0.5,
      candidateCount: 1,
    })
    expect(json.choices[0]).toMatchObject({ message: { content: 'Hello there' }, finish_reason: 'stop' })
    expect(headers.get('x-switchyard-dropped')).toBe('max_completion_tokens')
    const row = await lastReceipt(world, alice.id)
    expect(row).toMatchObject({ quota: recomputed(row) })
    expect(row.completion_tokens).toBeGreaterThan(0)
  })

  it('answers a caller who requested a stream with one', async () => {
    const { content, events } = await alice.asks('PaLM-2', 'hi', { stream: true })
    expect([content, events.at(-1)]).toEqual(['Hello there', '[DONE]'])
  })

  it('reports what its filter removed, without charge', async () => {
    world.upstream.reset()
    world.upstream.answers({ body: { filters: [{ reason: 'SAFETY' }], messages: [] } })
    const { status, json } = await alice.asks('PaLM-2', 'hi')
    expect([status, json.error.code, json.error.message]).toEqual([
      400,
      'content_filter',
      expect.stringContaining('SAFETY'),
    ])
    expect((await lastReceipt(world, alice.id)).quota).toBe(0)
  })

  it('refuses tools', async () => {
    const tools = [{ type: 'function', function: { name: 'clock' } }]
    const { status, json } = await alice.asks('PaLM-2', 'hi', { body: { tools } })
    expect([status, json.error.code]).toEqual([400, 'convert_request_failed'])
    expect(world.upstream.requests).toHaveLength(0)
  })
})
