import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DeepTestResult } from '../../../../shared/api/channel-runs.ts'
import { messageAnswer, messageStream } from '../../../support/anthropic.ts'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { geminiAnswer, geminiStream } from '../../../support/gemini.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { ableVendor } from '../vendor.ts'

const KEY = 'sk-proj-very-secret-key'

let world: World
beforeAll(async () => {
  world = await aWorld()
})
beforeEach(() => world.upstream.reset())

const channel = (fields: object = {}) => world.channel({ key: KEY, ...fields })
const deepTest = async (id: number, model = ''): Promise<DeepTestResult> =>
  dataOf(await world.admin.post(`/api/channel/deep_test/${id}`, { model }))
const codes = ({ plain, stream, tool }: DeepTestResult) => [plain, stream, tool].map((verdict) => verdict?.code ?? null)
const view = async (id: number) => dataOf(await world.admin.get(`/api/channel/${id}`))
const asked = () => world.upstream.requests.map(({ path, json }) => [path, json] as const)

describe('the request that tests a model (docs/reference/channels.md#tests)', () => {
  const hi = [{ role: 'user', content: 'hi' }]
  const cases = [
    ['gpt-4o', '/v1/chat/completions', { messages: hi, max_tokens: 10, stream: false }],
    ['o3-mini', '/v1/chat/completions', { messages: hi, max_completion_tokens: 10, stream: false }],
    ['gpt-5-mini', '/v1/chat/completions', { messages: hi, max_completion_tokens: 10, stream: false }],
    ['qwen3-thinking', '/v1/chat/completions', { messages: hi, max_tokens: 50, stream: false }],
    ['claude-thinking', '/v1/chat/completions', { messages: hi, stream: false }],
    ['gemini-2.5-pro', '/v1/chat/completions', { messages: hi, max_tokens: 300, stream: false }],
    ['gpt-3.5-turbo-instruct', '/v1/completions', { prompt: 'hi', max_tokens: 10 }],
    ['gpt-5-codex', '/v1/responses', { input: 'hi', max_output_tokens: 16 }],
    ['text-embedding-3-small', '/v1/embeddings', { input: ['hello world'] }],
    ['bge-reranker', '/v1/rerank', { query: 'hi', documents: ['hello world', 'goodbye'], top_n: 2 }],
    ['dall-e-3', '/v1/images/generations', { prompt: 'a cute cat', n: 1, size: '1024x1024' }],
  ] as const

  it.each(cases)('%s: at %s', async (model, path, body) => {
    world.upstream.answers(ableVendor)
    const id = await channel({ models: model })
    const tested = await world.admin.get(`/api/channel/test/${id}`)
    expect([tested.success, tested.message]).toEqual([true, ''])
    const examination = await deepTest(id)
    expect(examination.plain).toMatchObject({ ok: true, code: 'ok' })
    expect(asked().slice(0, 2)).toEqual([
      [path, { model, ...body }],
      [path, { model, ...body }],
    ])
  })

  it.each(['whisper-1', 'tts-1-hd', 'gpt-4o-realtime-preview', 'omni-moderation-latest', 'mj_imagine', 'suno_music'])(
    '%s: with nothing',
    async (model) => {
      const id = await channel({ models: `gpt-4o,${model}` })
      expect(await deepTest(id, model)).toEqual({
        model,
        upstream_model: model,
        kind: 'none',
        plain: null,
        stream: null,
        tool: null,
      })
      const tested = await world.admin.get(`/api/channel/test/${id}?model=${model}`)
      expect([tested.success, tested.message]).toEqual([false, `${model} cannot be tested with a short request`])
      expect([asked(), (await view(id)).test_time]).toEqual([[], 0])
    },
  )

  it.each([2, 5, 36])('a channel of type %i: not at all', async (type) => {
    const id = await channel({ type, models: 'gpt-4o' })
    const refused = await world.admin.post(`/api/channel/deep_test/${id}`, { model: '' })
    expect([refused.success, refused.message]).toEqual([false, 'This channel type cannot be tested'])
    expect(asked()).toEqual([])
  })
})

describe('a deep test of a model', () => {
  it.each([
    ['gpt-4o', 'chat', ['ok', 'ok', 'ok']],
    ['gpt-5-codex', 'responses', ['ok', 'ok', 'ok']],
    ['gpt-3.5-turbo-instruct', 'completions', ['ok', 'ok', null]],
    ['text-embedding-3-small', 'embeddings', ['ok', null, null]],
    ['jina-reranker', 'rerank', ['ok', null, null]],
    ['gpt-image-1', 'images', ['ok', null, null]],
  ] as const)('%s: as its kind has it', async (model, kind, verdicts) => {
    world.upstream.answers(ableVendor)
    const examination = await deepTest(await channel({ models: model }), model)
    expect(examination).toMatchObject({ model, upstream_model: model, kind })
    expect(codes(examination)).toEqual(verdicts)
    expect(asked()).toHaveLength(verdicts.filter((code) => code !== null).length)
  })

  it('uses the API format that the model needs (docs/reference/conversion.md#chat-or-responses)', async () => {
    const paths = () => asked().map(([path]) => path.replace(/^\/openai|\?.*/g, ''))
    world.upstream.answers((request) => ableVendor({ ...request, path: request.path.replace(/^\/openai|\?.*/g, '') }))
    expect(codes(await deepTest(await channel({ models: 'gpt-5.6-sol' })))).toEqual(['ok', 'ok', 'ok'])
    expect(paths()).toEqual(['/v1/chat/completions', '/v1/chat/completions', '/v1/responses'])
    const azure = { type: 3, models: 'gpt-5.4-pro', model_mapping: '{"gpt-5.4-pro":"prod-1"}' }
    expect(codes(await deepTest(await channel(azure)))).toEqual(['ok', 'ok', 'ok'])
    expect(paths().slice(3)).toEqual(['/v1/responses', '/v1/responses', '/v1/responses'])
    const setting = '{"api_format":"responses"}'
    expect(codes(await deepTest(await channel({ models: 'gpt-4o', setting })))).toEqual(['ok', 'ok', 'ok'])
    expect(paths().slice(6)).toEqual(['/v1/responses', '/v1/responses', '/v1/responses'])
  })

  it('gives each of the three requests a separate verdict', async () => {
    const fragile = ({ json }: Recorded): Script => {
      if (json.stream) return { events: chatStream(['Hel', 'lo']), cutAfter: 1 }
      return { body: json.tools ? chatAnswer('It is noon.') : chatAnswer('Hello') }
    }
    world.upstream.answers(fragile)
    const examination = await deepTest(await channel())
    expect(codes(examination)).toEqual(['ok', 'unreadable', 'no_tool_call'])
    expect([examination.plain, examination.stream, examination.tool].map((one) => one?.ok)).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each([
    ['ends in the middle', { events: chatStream(['Hel', 'lo']).slice(0, 2) }, 'unreadable'],
    ['holds an error', { events: [...chatStream(['Hel']).slice(0, 1), { error: { message: 'no' } }] }, 'failed'],
    ['is a whole answer', { body: chatAnswer('Hello') }, 'unreadable'],
    ['is a page', { body: '<html>' }, 'bad_path'],
    ['is refused', { status: 402, body: { error: { message: 'pay' } } }, 'no_credit'],
  ] as const)('reports a stream that %s', async (_what, script, code) => {
    world.upstream.answers((probeAsk) => (probeAsk.json.stream ? script : ableVendor(probeAsk)))
    expect(codes(await deepTest(await channel()))).toEqual(['ok', code, 'ok'])
  })

  it.each([
    ['completed', { type: 'response.failed', response: { error: { code: 'server_error', message: 'no' } } }, 'failed'],
    ['there', { type: 'error', code: 'x', message: 'no' }, 'failed'],
    ['finished', { type: 'response.created', response: {} }, 'unreadable'],
  ])('reports a stream of responses that is never %s', async (_what, event, code) => {
    world.upstream.answers((probeAsk) => (probeAsk.json.stream ? { events: [event] } : ableVendor(probeAsk)))
    expect(codes(await deepTest(await channel({ models: 'gpt-5-codex' })))).toEqual(['ok', code, 'ok'])
  })

  it('reads a vendor that streams for every request, as the relay does', async () => {
    world.upstream.answers({ events: chatStream(['Hello']) })
    expect(codes(await deepTest(await channel()))).toEqual(['ok', 'ok', 'unreadable'])
  })

  it('takes the end of the few tokens among thoughts for an answer', async () => {
    const message = 'Could not finish the message because max_tokens or model output limit was reached.'
    world.upstream.answers({ status: 400, body: { error: { message } } })
    const { plain } = await deepTest(await channel({ models: 'o3-mini' }))
    expect(plain).toMatchObject({ ok: true, code: 'ok' })
  })

  it('stops after the first request if the key is refused or the vendor unreachable, and shows neither key nor address', async () => {
    world.upstream.answers({ status: 401, body: { error: { message: `${KEY} is unknown at http://10.1.2.3/` } } })
    const examination = await deepTest(await channel())
    expect(codes(examination)).toEqual(['bad_key', 'bad_key', 'bad_key'])
    expect(examination.plain?.message).toContain('is unknown')
    expect(JSON.stringify(examination)).not.toMatch(/very-secret|10\.1\.2\.3/)
    expect(asked()).toHaveLength(1)
    expect(codes(await deepTest(await channel({ base_url: 'http://127.0.0.1:1' })))).toEqual([
      'unreachable',
      'unreachable',
      'unreachable',
    ])
  })

  it.each([2, 3])('works for a channel of status %i, which does not change', async (status) => {
    world.upstream.answers(ableVendor)
    const id = await channel()
    await world.admin.put('/api/channel', { id, status: 2 })
    await world.gateway.inner.db.updateTable('channels').set({ status }).where('id', '=', id).execute()
    await world.gateway.inner.registry.reload()
    expect(codes(await deepTest(id))).toEqual(['ok', 'ok', 'ok'])
    expect((await view(id)).status).toBe(status)
  })

  it('is recorded as a test of the channel, charges no account, and logs only the plain call', async () => {
    world.upstream.answers(ableVendor)
    const id = await channel({ models: 'gpt-4o', model_mapping: '{"gpt-4o":"vendor-4o"}' })
    const before = await world.admin.quota()
    expect(await deepTest(id, 'gpt-4o')).toMatchObject({ model: 'gpt-4o', upstream_model: 'vendor-4o' })
    expect(await world.admin.quota()).toBe(before)
    const rows = await world.gateway.inner.db.selectFrom('logs').selectAll().where('channel_id', '=', id).execute()
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ type: 2, token_name: 'model test', token_id: 0, model_name: 'gpt-4o', quota: 0 })
    expect(rows[0]).toMatchObject({ user_id: world.admin.id, prompt_tokens: 10, completion_tokens: 5 })
    expect((await view(id)).response_time).toBeGreaterThan(0)
    expect((await view(id)).test_time).toBeGreaterThan(0)
    expect(asked().every(([, json]) => json.model === 'vendor-4o')).toBe(true)
  })

  it('applies the channel’s own overrides', async () => {
    world.upstream.answers(ableVendor)
    await deepTest(await channel({ param_override: '{"temperature":0.5}' }))
    expect(asked().map(([, json]) => json.temperature)).toEqual([0.5, 0.5, 0.5])
  })

  it('applies the channel’s own instructions', async () => {
    world.upstream.answers(ableVendor)
    await deepTest(await channel({ setting: '{"system_prompt":"Be brief."}' }))
    for (const [, { messages }] of asked())
      expect([messages[0], messages.length]).toEqual([{ role: 'system', content: 'Be brief.' }, 2])
  })

  it('applies the options in the model’s name', async () => {
    world.upstream.answers(ableVendor)
    await deepTest(await channel({ models: 'o3-mini-high' }))
    expect(asked()[0]?.[1]).toMatchObject({ model: 'o3-mini', reasoning_effort: 'high', max_completion_tokens: 10 })
    world.upstream.reset()
    world.upstream.answers({ body: messageAnswer({ texts: ['Hello'] }) })
    await deepTest(await channel({ type: 14, models: 'claude-sonnet-4-thinking' }))
    expect(asked()[0]?.[1]).toMatchObject({ model: 'claude-sonnet-4', thinking: { type: 'enabled' } })
  })

  it('refuses an unknown channel, and is only for administrators', async () => {
    expect((await world.admin.post('/api/channel/deep_test/999999', {})).message).toContain('not found')
    const person = await world.user()
    expect((await person.post('/api/channel/deep_test/1', {})).success).toBe(false)
  })
})

describe('a deep test of a vendor with another dialect', () => {
  const call = { calls: [{ id: 'toolu_1', name: 'current_time', arguments: { city: 'Paris' } }] }
  const hello = { texts: ['Hello'] }

  it('takes the same path as the relay: Anthropic', async () => {
    world.upstream.answers(({ json }) => {
      if (json.stream) return { events: messageStream(hello) }
      return { body: messageAnswer(json.tools ? call : hello) }
    })
    const examination = await deepTest(await channel({ type: 14, models: 'claude-sonnet-4-5' }))
    expect(codes(examination)).toEqual(['ok', 'ok', 'ok'])
    expect(asked().map(([path]) => path)).toEqual(['/v1/messages', '/v1/messages', '/v1/messages'])
    expect(world.upstream.requests[0]?.headers['x-api-key']).toBe(KEY)
  })

  it('takes the same path as the relay: Gemini, its embeddings and images as well', async () => {
    world.upstream.answers(({ path, json }) => {
      if (path.includes('batchEmbedContents')) return { body: { embeddings: [{ values: [0.5] }] } }
      if (path.includes('predict')) return { body: { predictions: [{ bytesBase64Encoded: 'aGk=' }] } }
      if (path.includes('stream')) return { events: geminiStream(hello) }
      return { body: geminiAnswer(json.tools ? call : hello) }
    })
    const models = ['gemini-2.5-flash', 'gemini-embedding-001', 'imagen-4.0']
    const id = await channel({ type: 24, models: models.join() })
    const found = []
    for (const model of models) found.push(codes(await deepTest(id, model)))
    expect(found).toEqual([
      ['ok', 'ok', 'ok'],
      ['ok', null, null],
      ['ok', null, null],
    ])
  })

  it('converts a Responses request into chat for a vendor that only has chat', async () => {
    world.upstream.answers(ableVendor)
    const examination = await deepTest(await channel({ type: 43, models: 'some-codex' }))
    expect(examination.kind).toBe('responses')
    expect(codes(examination)).toEqual(['ok', 'ok', 'ok'])
    expect(new Set(asked().map(([path]) => path))).toEqual(new Set(['/v1/chat/completions']))
    expect(asked()[0]?.[1]).toMatchObject({ messages: [{ role: 'user', content: expect.anything() }] })
  })

  it('reads ranking and errors in the vendor’s own shape', async () => {
    const id = await channel({ type: 17, models: 'gte-rerank' })
    world.upstream.answers({ body: { output: { results: [{ index: 0, relevance_score: 1 }] }, request_id: 'r' } })
    expect(codes(await deepTest(id))).toEqual(['ok', null, null])
    expect(asked()[0]?.[1]).toMatchObject({ input: { query: 'hi' }, parameters: { top_n: 2 } })
    world.upstream.reset()
    world.upstream.answers({ body: { output: {} } })
    expect(codes(await deepTest(id))).toEqual(['unreadable', null, null])
  })

  it('refuses a kind of request for which the vendor has no endpoint', async () => {
    const refused = await world.admin.post(
      `/api/channel/deep_test/${await channel({ type: 14, models: 'bge-m3' })}`,
      {},
    )
    expect([refused.success, refused.message]).toEqual([false, 'This channel type cannot be tested'])
  })

  it('reports no tool call for a vendor that does not support tools', async () => {
    world.upstream.answers({ body: { text: 'Hello', finish_reason: 'COMPLETE', meta: { billed_units: {} } } })
    const { plain, tool } = await deepTest(await channel({ type: 34, models: 'command-r' }))
    expect([plain?.code, tool?.code]).toEqual(['ok', 'no_tool_call'])
  })

  it('distinguishes a refused access token from an unreadable answer', async () => {
    world.upstream.answers({ status: 401, body: { error: 'invalid_client', error_description: 'unknown client id' } })
    const { plain } = await deepTest(await channel({ type: 15, key: 'wrong|key', models: 'ERNIE-4.0-8K' }))
    expect(plain).toMatchObject({ ok: false, code: 'bad_key' })
  })
})

describe('the response of a vendor to a test', () => {
  it('is read up to 1 MiB, for any content', async () => {
    const long = JSON.stringify(chatAnswer('Good.')) + ' '.repeat(1024 * 1024)
    world.upstream.answers({ body: Buffer.from(long), headers: { 'content-type': 'application/json' } })
    expect(codes(await deepTest(await channel()))).toEqual(['unreadable', 'unreadable', 'unreadable'])
  })

  it('is shown without the key, wherever it is cut', async () => {
    const message = `${'x'.repeat(490)}${KEY}${'y'.repeat(4000)}`
    world.upstream.answers({ status: 500, body: { error: { message } } })
    const id = await channel()
    const shown = JSON.stringify([await world.admin.get(`/api/channel/test/${id}`), await view(id)])
    expect(shown).toContain('xxx***')
    expect(shown).not.toContain(KEY.slice(0, 8))
  })
})
