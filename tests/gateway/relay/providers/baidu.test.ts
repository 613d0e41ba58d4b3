import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

const CHAT = '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat'
const usage = { prompt_tokens: 11, completion_tokens: 4, total_tokens: 18 }
const answer = { id: 'as-1', object: 'chat.completion', created: 1, result: 'Hello there', is_truncated: false, usage }

let world: World
let alice: Person
let channel: number
/** The vendor's response to everything except the request for a token. */
let reply: () => Script

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  const models = 'ERNIE-4.0-8K,ERNIE-Lite-8K-0308,ERNIE-New,Embedding-V1'
  channel = await world.channel({ type: 15, key: 'api-key|secret-key', models })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
  reply = () => ({ body: answer })
  world.upstream.answers(({ path }) => (path.startsWith('/oauth/') ? { body: grant } : reply()))
})

const grant = { access_token: '24.token', expires_in: 2_592_000 }
const asked = () => world.upstream.requests.filter(({ path }) => path.startsWith(CHAT))

describe('Baidu Qianfan, first interface (docs/reference/channel-types.md#baidu-qianfan-first-interface)', () => {
  it('exchanges its key for an access token, once, and again for another key', async () => {
    await alice.asks('ERNIE-4.0-8K', 'hi')
    await alice.asks('ERNIE-4.0-8K', 'hi')
    const grants = () =>
      world.upstream.requests.filter(({ path }) => path.startsWith('/oauth/')).map(({ path }) => path)
    const wish = (id: string) =>
      `/oauth/2.0/token?grant_type=client_credentials&client_id=${id}&client_secret=secret-key`
    expect(grants().length).toBeLessThanOrEqual(1)
    await world.admin.put('/api/channel', { id: channel, key: 'other|secret-key' })
    await alice.asks('ERNIE-4.0-8K', 'hi')
    expect(grants().at(-1)).toBe(wish('other'))
    expect(asked().at(-1)?.path).toBe(`${CHAT}/completions_pro?access_token=24.token`)
    expect(asked().at(-1)?.headers.authorization).toBeUndefined()
  })

  it.each([
    ['ERNIE-Lite-8K-0308', 'ernie-lite-8k'],
    ['ERNIE-New', 'ernie-new'],
  ])('is called for %s at its separate path', async (model, name) => {
    await alice.asks(model, 'hi')
    expect(asked().at(-1)?.path).toBe(`${CHAT}/${name}?access_token=24.token`)
  })

  it('receives a conversation in its own format, and is charged by its usage beyond the prompt', async () => {
    const { json, headers } = await alice.calls('/v1/chat/completions', {
      model: 'ERNIE-4.0-8K',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
        { role: 'user', content: 'Anybody?' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Good.' },
      ],
      max_tokens: 1,
      temperature: 0.5,
      top_p: 0.7,
      frequency_penalty: 1.5,
      stop: ['END'],
      seed: 7,
      user: 'u1',
      disable_search: true,
      logit_bias: {},
    })
    expect(asked().at(-1)?.json).toEqual({
      messages: [
        { role: 'user', content: 'Hello?\nAnybody?' },
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'Good.' },
      ],
      system: 'Be brief.',
      max_output_tokens: 2,
      temperature: 0.5,
      top_p: 0.7,
      penalty_score: 1.5,
      stop: ['END'],
      user_id: 'u1',
      disable_search: true,
    })
    expect(headers.get('x-switchyard-dropped')).toBe('seed, logit_bias')
    expect(json).toMatchObject({
      model: 'ERNIE-4.0-8K',
      choices: [{ message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
    })
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, quota: recomputed(receipt) })
    expect(receipt.other.usage_source).toBe('upstream')
  })

  it('streams', async () => {
    const events = [
      { id: 'as-2', result: 'Hel', is_end: false, is_truncated: false, usage: { prompt_tokens: 3, total_tokens: 3 } },
      { id: 'as-2', result: 'lo', is_end: true, is_truncated: true, usage: { prompt_tokens: 3, total_tokens: 5 } },
    ]
    reply = () => ({ events })
    const body = { stream_options: { include_usage: true } }
    const { content, events: said } = await alice.asks('ERNIE-4.0-8K', 'hi', { stream: true, body })
    expect(asked().at(-1)?.json).toEqual({ messages: [{ role: 'user', content: 'hi' }], stream: true })
    expect(content).toBe('Hello')
    expect(said.flatMap((event) => event.choices?.[0]?.finish_reason ?? [])).toEqual(['length'])
    expect(said.find((event) => event.usage)?.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 2 })
    expect(said.at(-1)).toBe('[DONE]')
  })

  it('has functions', async () => {
    const function_call = { name: 'clock', arguments: '{"city":"Paris"}' }
    reply = () => ({ body: { ...answer, result: '', finish_reason: 'function_call', function_call } })
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const tools = [{ type: 'function', function: { name: 'clock', description: 'The time.', parameters } }]
    const call = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{"city":"Rome"}' } }
    const { json } = await alice.calls('/v1/chat/completions', {
      model: 'ERNIE-4.0-8K',
      messages: [
        { role: 'user', content: 'Rome?' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'noon' },
        { role: 'user', content: 'Paris?' },
      ],
      tools,
      tool_choice: { type: 'function', function: { name: 'clock' } },
    })
    expect(asked().at(-1)?.json).toEqual({
      messages: [
        { role: 'user', content: 'Rome?' },
        { role: 'assistant', content: '', function_call: { name: 'clock', arguments: '{"city":"Rome"}' } },
        { role: 'function', name: 'clock', content: '{"result":"noon"}' },
        { role: 'user', content: 'Paris?' },
      ],
      functions: [{ name: 'clock', description: 'The time.', parameters }],
      tool_choice: { type: 'function', function: { name: 'clock' } },
    })
    expect(json.choices[0]).toMatchObject({
      message: { tool_calls: [{ type: 'function', function: function_call }] },
      finish_reason: 'tool_calls',
    })
  })

  it('refuses pictures', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]
    const { status, json } = await alice.asks('ERNIE-4.0-8K', '', { body: { messages: [{ role: 'user', content }] } })
    expect([status, json.error.code, json.error.param]).toEqual([400, 'convert_request_failed', 'image_url'])
    expect(asked()).toHaveLength(0)
  })

  it.each([
    [336003, 400, false],
    [110, 401, true],
    [18, 429, false],
  ])('reports its error %i, which comes with status 200, as %i', async (error_code, told, stream) => {
    reply = () => ({ body: { error_code, error_msg: 'no such luck' } })
    const { status, json } = await alice.asks('ERNIE-4.0-8K', 'hi', { stream })
    expect([status, json.error.code]).toEqual([told, String(error_code)])
    if (told !== 429) expect(json.error.message).toContain('no such luck')
    expect(await alice.quota()).toBe(100_000_000)
  })

  it('lets another channel answer where it is overloaded', async () => {
    await world.option('RetryTimes', 1)
    await world.channel({ type: 15, key: 'a|b', models: 'ERNIE-4.0-8K', priority: 5 })
    const replies = [{ error_code: 336100, error_msg: 'busy' }, answer]
    reply = () => ({ body: replies.shift() ?? {} })
    const { content } = await alice.asks('ERNIE-4.0-8K', 'hi')
    expect(content).toBe('Hello there')
    await world.option('RetryTimes', 0)
  })

  it("reports a refused key in the vendor's words", async () => {
    await world.channel({ type: 15, key: 'wrong|key', models: 'ERNIE-Wrong' })
    world.upstream.reset()
    world.upstream.answers({ status: 401, body: { error: 'invalid_client', error_description: 'unknown client id' } })
    const { status } = await alice.asks('ERNIE-Wrong', 'hi')
    expect(status).toBe(401)
  })

  it('is tested like a normal call, and an error fails the test', async () => {
    const good = await world.admin.get(`/api/channel/test/${channel}?model=ERNIE-4.0-8K`)
    expect(good.success).toBe(true)
    reply = () => ({ body: { error_code: 17, error_msg: 'no such luck' } })
    const bad = await world.admin.get(`/api/channel/test/${channel}?model=ERNIE-4.0-8K`)
    expect([bad.success, bad.message]).toEqual([false, 'status code 429: no such luck'])
  })

  it('embeds', async () => {
    const data = [{ object: 'embedding', embedding: [0.5, 0.25], index: 0 }]
    const used = { prompt_tokens: 2, total_tokens: 2 }
    reply = () => ({ body: { id: 'e', object: 'embedding_list', data, usage: used } })
    const { json } = await alice.calls('/v1/embeddings', { model: 'Embedding-V1', input: 'hi', dimensions: 2 })
    expect(world.upstream.last()).toMatchObject({
      path: '/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/embedding-v1?access_token=24.token',
      json: { input: ['hi'] },
    })
    expect(json).toMatchObject({ object: 'list', data, usage: { prompt_tokens: 2, total_tokens: 2 } })
  })
})
