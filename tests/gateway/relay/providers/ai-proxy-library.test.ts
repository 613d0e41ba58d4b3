import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: 21, other: 'lib-1', models: 'gpt-4o', param_override: '{"libraryId":"another"}' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

const documents = [{ title: 'A page', url: 'https://a.test/page' }]
const errorOf = (json: { error: { message: string } }) => json.error.message

describe('a knowledge base of AI Proxy (docs/reference/channel-types.md#ai-proxy-knowledge-base)', () => {
  it('receives the last message, with the library that the channel names', async () => {
    world.upstream.answers({ body: { success: true, answer: 'Hello there', documents } })
    const { json, headers } = await alice.calls('/v1/chat/completions', {
      model: 'gpt-4o',
      messages: [
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Where?' },
      ],
    })
    expect(world.upstream.last()).toMatchObject({
      path: '/api/library/ask',
      headers: { authorization: 'Bearer upstream-key' },
    })
    expect(world.upstream.last().json).toEqual({ model: 'gpt-4o', query: 'Where?', stream: false, libraryId: 'lib-1' })
    expect(json.choices[0].message.content).toContain('Hello there')
    expect(JSON.stringify(json)).toContain('https://a.test/page')
    expect(headers.get('x-switchyard-dropped')).toBe('messages')
    const row = await lastReceipt(world, alice.id)
    expect(row.completion_tokens).toBeGreaterThan(0)
    expect(row.quota).toBe(recomputed(row))
  })

  it('streams', async () => {
    world.upstream.streams([
      { content: 'Hel', finish: false, model: 'gpt-4o', documents: [] },
      { content: 'lo', finish: false },
      { content: '', finish: true, documents },
    ])
    const { content, events, text } = await alice.asks('gpt-4o', 'hi', { stream: true })
    expect(world.upstream.last().json.stream).toBe(true)
    expect([content, events.at(-1)]).toEqual(['Hello', '[DONE]'])
    expect(text).toContain('https://a.test/page')
  })

  it('reports the error in a successful response, and of a stream that begins with one', async () => {
    world.upstream.answers({ body: { success: false, errCode: 1001, message: 'no such library' } })
    const whole = await alice.asks('gpt-4o', 'hi')
    expect([whole.status, errorOf(whole.json)]).toEqual([502, expect.stringContaining('no such library')])
    world.upstream.streams([{ success: false, errCode: 1001, message: 'no such library' }])
    expect((await alice.asks('gpt-4o', 'hi', { stream: true })).status).toBe(502)
  })

  it('refuses tools', async () => {
    const tools = [{ type: 'function', function: { name: 'clock' } }]
    const { json } = await alice.asks('gpt-4o', 'hi', { body: { tools } })
    expect(json.error).toMatchObject({ code: 'convert_request_failed', param: 'tools' })
  })
})
