import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiptOf } from '../../../../shared/receipt.ts'
import { messageAnswer, messageStream } from '../../../support/anthropic.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf } from './receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  const options = {
    ModelRatio: { claude: 1, 'claude-opus': 5, gpt: 1, 'gemini-x': 1, seedream: 1, kolors: 1 },
    CompletionRatio: { claude: 5, 'claude-opus': 5 },
    CacheRatio: { 'claude-opus': 0.1 },
    RetryTimes: 0,
  }
  world = await aWorld({ options })
  await world.channel({ models: 'claude', type: 14 })
  await world.channel({ models: 'gpt' })
  await world.channel({ models: 'gemini-x', type: 24 })
  await world.channel({ models: 'seedream', type: 45 })
  await world.channel({ models: 'kolors', type: 40 })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const body = { model: 'claude', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] }
const advisor = (model: string) => ({ type: 'advisor_20260301', name: 'advisor', model })
const answered = { input_tokens: 23_000, output_tokens: 1000 }
const OWN = 23_000 + 5 * 1000

/** The log row of a call with these iterations in its usage. */
async function charged(iterations: readonly object[], stream: boolean, more: object = {}) {
  const usage = { ...answered, iterations }
  if (stream) {
    const events = messageStream({ texts: ['Hi.'] }, { prompt: 23_000, completion: 1000 })
    const ended = (text: string) => text.replace(/("message_delta".*"usage":)\{[^}]*\}/s, `$1${JSON.stringify(usage)}`)
    world.upstream.streams(events.map((event) => Buffer.from(ended(event.toString()))))
  } else
    world.upstream.answers({
      body: { ...messageAnswer({ texts: ['Hi.'] }, { prompt: 23_000, completion: 1000 }), usage },
    })
  const before = (await receiptsOf(world, alice.id)).length
  const answer = await alice.calls('/v1/messages', { ...body, ...more, stream })
  expect(answer.status, answer.text).toBe(200)
  const row = await lastReceipt(world, alice.id, before + 1)
  expect(receiptOf({ ...row, other: JSON.stringify(row.other) })?.charge).toBe(row.quota)
  return row
}

describe('members that affect the cost of a call (docs/reference/security.md#money)', () => {
  it.each([
    'Model',
    'MODELS',
    'N',
    'Max_Tokens',
    'Service_tier',
    'Tools',
    'toolſ',
    'Inference_geo',
    'Reasoning',
    'System',
  ])('are refused in another case: %s', async (name) => {
    const asked = { model: 'gpt', messages: body.messages, [name]: 'dear' }
    const answer = await alice.calls('/v1/chat/completions', asked)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(name)])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('are refused where one is there in two cases, known or not', async () => {
    const asked = { model: 'gpt', messages: body.messages, top_p: 1, Top_P: 0.5 }
    const answer = await alice.calls('/v1/chat/completions', asked)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('Top_P')])
  })

  it('are passed on in any letter case if they are unknown here', async () => {
    await alice.calls('/v1/chat/completions', { model: 'gpt', messages: body.messages, NewMember: 1 })
    expect(world.upstream.last().json.NewMember).toBe(1)
  })

  it('are refused under both names that Gemini has for them', async () => {
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    const both = { contents, generationConfig: { maxOutputTokens: 16 }, generation_config: { maxOutputTokens: 60_000 } }
    expect((await alice.calls('/v1beta/models/gemini-x:generateContent', both)).status).toBe(400)
  })

  it.each(['serviceTier', 'service_tier'])('of Gemini’s service are left out: %s', async (name) => {
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    await alice.calls('/v1beta/models/gemini-x:generateContent', { contents, [name]: 'priority' })
    expect(world.upstream.last().text).not.toContain('priority')
  })

  it('bring no other model to any endpoint', async () => {
    const others = { fallbacks: [{ model: 'dear' }], models: ['dear'], extra_body: { model: 'dear' } }
    for (const [path, asked] of [
      ['/v1/embeddings', { model: 'gpt', input: 'hi' }],
      ['/v1/images/generations', { model: 'gpt', prompt: 'hi' }],
      ['/v1/moderations', { model: 'gpt', input: 'hi' }],
      ['/v1/audio/speech', { model: 'gpt', input: 'hi', voice: 'alloy' }],
    ] as const) {
      await alice.calls(path, { ...asked, ...others })
      expect(world.upstream.last().path).toBe(path)
      expect(world.upstream.last().text).not.toContain('dear')
    }
  })

  it('of pictures yield no more than requested', async () => {
    const many = { sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 15 } }
    await alice.calls('/v1/images/generations', { model: 'seedream', prompt: 'hi', ...many })
    expect(world.upstream.last().text).not.toContain('sequential')
    await alice.calls('/v1/images/generations', { model: 'seedream', prompt: 'hi', n: 1, batch_size: 4, num_images: 4 })
    expect(world.upstream.last().text).not.toMatch(/batch_size|num_images/)
    await alice.calls('/v1/images/generations', { model: 'kolors', prompt: 'hi', n: 1, batch_size: 4 })
    expect(world.upstream.last().json.batch_size).toBe(1)
  })
})

describe('additional work of a vendor (docs/reference/billing.md#second-models)', () => {
  it.each([
    ['two advisors', '/v1/messages', { ...body, tools: [advisor('claude-opus'), advisor('claude')] }],
    [
      'two models that draw',
      '/v1/responses',
      {
        model: 'gpt',
        input: 'hi',
        tools: [{ type: 'image_generation' }, { type: 'image_generation', model: 'seedream' }],
      },
    ],
  ])('has one price: %s are refused', async (_, path, asked) => {
    const answer = await alice.calls(path, asked)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('tools')])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it.each([false, true])('a summary of earlier turns costs the price of its tokens, streamed %s', async (stream) => {
    const compaction = { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 }
    const row = await charged([compaction, { type: 'message', ...answered }], stream)
    expect(row.quota).toBe(OWN + 180_000 + 5 * 3500)
  })

  it.each([false, true])('an advisor costs its own price, cache included, streamed %s', async (stream) => {
    const advice = {
      type: 'advisor_message',
      model: 'claude-opus',
      input_tokens: 100,
      output_tokens: 50,
      cache_read_input_tokens: 1000,
    }
    const row = await charged([advice, advice, { type: 'message', ...answered }], stream, {
      tools: [advisor('claude-opus')],
    })
    expect(row.quota).toBe(OWN + 2 * 5 * (100 + 100 + 5 * 50))
    expect(row.other.second_model).toMatchObject({ model: 'claude-opus', calls: 2, cache_tokens: 2000 })
  })

  it('an advisor that the key may not use, or that has no price, is refused', async () => {
    const { key } = await world.token(alice, { model_limits_enabled: true, model_limits: 'claude' })
    const denied = await alice.calls('/v1/messages', { ...body, tools: [advisor('claude-opus')] }, { key })
    expect([denied.status, denied.text]).toEqual([403, expect.stringContaining('claude-opus')])
    const unpriced = await alice.calls('/v1/messages', { ...body, tools: [advisor('claude-dear')] })
    expect([unpriced.status, unpriced.text]).toEqual([400, expect.stringContaining('claude-dear')])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it.each([
    ['/v1/messages', { ...body, fallbacks: [{ model: 'claude-opus' }] }],
    ['/v1/chat/completions', { model: 'gpt', messages: body.messages, models: ['dear'], fallbacks: ['dear'] }],
    ['/v1/responses', { model: 'gpt', input: 'hi', models: ['dear'] }],
    ['/v1/completions', { model: 'gpt', prompt: 'hi', models: ['dear'] }],
    [
      '/v1/chat/completions',
      { model: 'gpt', messages: body.messages, models: [], plugins: [{ id: 'dear' }], preset: 'dear' },
    ],
    ['/v1/chat/completions', { model: 'gpt', messages: body.messages, models: [], extra_body: { model: 'dear' } }],
  ])('%s sends no member that names another model to answer', async (path, asked) => {
    const answer = await alice.calls(path, asked)
    expect(answer.status, answer.text).toBe(200)
    expect(world.upstream.last().text).not.toMatch(/dear|claude-opus/)
    expect(answer.headers.get('x-switchyard-dropped')).toMatch(/models|fallbacks/)
  })

  const members: Readonly<Record<string, unknown>> = {
    providerOptions: { gateway: { order: ['x'], models: ['dear'] } },
    ProviderOptions: { Gateway: { Models: ['dear'] } },
    provider: { only: ['x'], fallback: 'dear' },
    orq: { fallbacks: [{ model: 'dear' }] },
    compound_custom: { models: { answering_model: 'dear' } },
    model_routing_config: { available: ['dear'] },
    mock_testing_fallbacks: 'dear',
    fallbacks: ['dear'],
    deployment_id: 'dear',
    prompt_id: 'dear',
    'tensorzero::variant_name': 'dear',
    'tensorzero::extra_body': [{ pointer: '/model', value: 'dear' }],
    extras: Array(20_000).fill({ dear: [] }),
  }
  const PICTURE = { body: { predictions: [{ bytesBase64Encoded: 'aGk=', mimeType: 'image/png' }] } }
  const messages = [{ role: 'user', content: 'hi' }]
  const calls = [
    ['/v1/chat/completions', { model: 'gpt', messages }],
    ['/v1/chat/completions', { model: 'gpt', messages, stream: true }],
    ['/v1/responses', { model: 'gpt', input: 'hi' }],
    ['/v1/messages', body],
    ['/v1/embeddings', { model: 'gpt', input: 'hi' }],
    ['/v1beta/models/gemini-x:generateContent', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }],
    ['/v1beta/models/gemini-x:embedContent', { content: { parts: [{ text: 'hi' }] } }],
    ['/v1beta/models/gemini-x:batchEmbedContents', { requests: [{ content: { parts: [{ text: 'hi' }] } }] }],
    ['/v1beta/models/gemini-x:predict', { instances: [{ prompt: 'hi' }], parameters: { sampleCount: 1 } }],
  ] as const
  it.each(calls.filter(([path]) => path.includes('gemini-x')))(
    'the body names no other model than the path: %s',
    async (path, asked) => {
      if (path.endsWith(':predict')) world.upstream.answers(PICTURE)
      await alice.calls(path, { ...asked, model: 'dear' })
      expect(world.upstream.last().path).toContain(path)
      expect(world.upstream.last().text).not.toContain('dear')
      expect(world.upstream.last().text).toMatch(/hi/)
    },
  )

  it.each(Object.keys(members).flatMap((name) => calls.map(([path, asked]) => [name, path, asked] as const)))(
    'a gateway behind a channel gets no other model from %s at %s',
    async (name, path, asked) => {
      if (path.endsWith(':predict')) world.upstream.answers(PICTURE)
      const answer = await alice.calls(path, { ...asked, [name]: members[name] })
      expect(world.upstream.last().path).toBe(path)
      expect(world.upstream.last().text).not.toContain('dear')
      expect(answer.headers.get('x-switchyard-dropped')).toContain(name)
    },
  )

  it('preferences that name no model are passed on', async () => {
    const provider = { order: ['x'], allow_fallbacks: false, max_price: { prompt: 1 } }
    const more = { provider, search_parameters: { mode: 'on' }, vendor_options: [{ region: 'eu' }] }
    await alice.calls('/v1/chat/completions', { model: 'gpt', messages, ...more })
    expect(world.upstream.last().json).toMatchObject(more)
  })

  it('documents of callers are passed on with all their names', async () => {
    const documents = [{ text: 'A manual', model: 'X200' }]
    await alice.calls('/v1/rerank', { model: 'gpt', query: 'hi', documents })
    expect(world.upstream.last().json.documents).toEqual(documents)
  })

  it('a form names no other model either', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ model: 'gpt', fallbacks: '["dear"]' })) form.set(name, value)
    form.set('file', new Blob([new Uint8Array(2000)], { type: 'audio/wav' }), 'a.wav')
    const headers = { authorization: `Bearer sk-${await alice.key()}` }
    await fetch(`${world.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
    expect(world.upstream.last().text).not.toContain('dear')
  })
})

describe('a model that the configuration of a Gemini request names (docs/reference/billing.md#second-models)', () => {
  it.each([
    ['generationConfig', 'routingConfig'],
    ['generationConfig', 'modelConfig'],
    ['generation_config', 'routing_config'],
    ['generation_config', 'model_config'],
  ])('is not requested: %s.%s', async (container, member) => {
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    const config = { temperature: 0.5, [member]: { manualMode: { modelName: 'gemini-dear' } } }
    const answer = await alice.calls('/v1beta/models/gemini-x:generateContent', { contents, [container]: config })
    expect(world.upstream.last().json[container]).toEqual({ temperature: 0.5 })
    expect(answer.headers.get('x-switchyard-dropped')).toBe(`${container}.${member}`)
  })
})
