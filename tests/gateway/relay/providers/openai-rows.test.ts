import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  const { channel } = world
  await channel({ type: 35, models: 'minimax,minimax-1004,minimax-1002,minimax-2013,minimax-9999,minimax-stream' })
  await channel({ type: 25, models: 'kimi' })
  await channel({ type: 27, models: 'sonar' })
  await channel({
    type: 43,
    models: 'deepseek-v4-pro,deepseek-v4-pro-none,deepseek-v4-pro-max,deepseek-chat,deepseek-vl2',
  })
  await channel({ type: 45, models: 'doubao,bot-123' })
  await channel({ type: 48, models: 'grok-4,grok-4-search,grok-3-mini-high,grok-3-mini-beta-low-search' })
  await channel({ type: 46, key: 'secret|app-1', models: 'ernie-x1,ernie-x1-search' })
  await channel({ type: 26, key: 'id.secret', models: 'glm' })
  await channel({ type: 44, models: 'm3e-base' })
  await channel({
    type: 8,
    base_url: `${world.upstream.url}/v1beta/openai/chat/completions`,
    models: 'gemini-of-google',
  })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

const hi = { role: 'user', content: 'hi' }
const chat = (model: string, more = {}) =>
  alice.calls('/v1/chat/completions', { model, messages: [hi], unheard_of: 1, ...more })
const sent = () => world.upstream.last().json
const receipt = () => lastReceipt(world, alice.id)
const image = (url: string) => [{ role: 'user', content: [{ type: 'image_url', image_url: { url, detail: 'low' } }] }]

describe('MiniMax (docs/reference/channel-types.md#minimax)', () => {
  const refused = (status_code: number) => ({ base_resp: { status_code, status_msg: 'the vendor says no' } })

  it.each([
    [1004, 401, 'the vendor says no'],
    [1002, 429, 'saturated'],
    [2013, 400, 'the vendor says no'],
    [9999, 502, 'the vendor says no'],
  ])('reads the error %i of a good answer as status %i', async (code, status, message) => {
    world.upstream.answers({ body: refused(code) })
    const answer = await chat(`minimax-${code}`)
    expect([answer.status, answer.json.error.message]).toEqual([status, expect.stringContaining(message)])
  })

  it('reads the error a stream begins with', async () => {
    world.upstream.streams([refused(1002)])
    expect((await chat('minimax-stream', { stream: true })).status).toBe(429)
  })

  it('passes an answer without one', async () => {
    world.upstream.answers({ body: { ...chatAnswer('Hello'), base_resp: { status_code: 0, status_msg: '' } } })
    expect((await chat('minimax')).content).toBe('Hello')
    expect(world.upstream.last().path).toBe('/v1/text/chatcompletion_v2')
  })
})

describe('Moonshot', () => {
  it('is charged by the usage within a choice of its stream', async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13, cached_tokens: 6 }
    world.upstream.streams([
      { choices: [{ index: 0, delta: { content: 'Hello' } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] },
      '[DONE]',
    ])
    await chat('kimi', { stream: true })
    const row = await receipt()
    expect(row).toMatchObject({ prompt_tokens: 9, completion_tokens: 4, quota: recomputed(row) })
    expect([row.other.usage_source, row.other.cache_tokens]).toEqual(['upstream', 6])
  })
})

describe('Perplexity (docs/reference/channel-types.md#perplexity)', () => {
  it.each([
    [1, 0.99],
    [0.5, 0.5],
    [0, 0],
    [undefined, undefined],
  ])('turns top_p %s into %s, and preserves its search parameters', async (top_p, told) => {
    const search = { search_domain_filter: ['a.test'], web_search_options: { search_context_size: 'low' } }
    await chat('sonar', { top_p, ...search })
    expect(world.upstream.last().path).toBe('/chat/completions')
    expect(sent()).toEqual({
      model: 'sonar',
      messages: [hi],
      unheard_of: 1,
      ...search,
      ...(told === undefined ? {} : { top_p: told }),
    })
  })

  it('reports that names of participants are lost', async () => {
    const { headers } = await chat('sonar', { messages: [{ ...hi, name: 'Ann' }], stream: true })
    expect(sent().messages).toEqual([hi])
    expect(headers.get('x-switchyard-dropped')).toBe('messages.name')
  })
})

describe('DeepSeek (docs/reference/channel-types.md#deepseek)', () => {
  it.each([
    ['deepseek-v4-pro', {}],
    ['deepseek-v4-pro-none', { thinking: { type: 'disabled' } }],
    ['deepseek-v4-pro-max', { thinking: { type: 'enabled' }, reasoning_effort: 'max' }],
  ])('%s: thinks as its name indicates', async (model, told) => {
    await chat(model)
    expect(sent()).toEqual({ model: 'deepseek-v4-pro', messages: [hi], unheard_of: 1, ...told })
  })

  it('receives a picture as text, which is reported; a model that supports pictures gets it', async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    const answer = await chat('deepseek-chat', { messages: image(url) })
    const words = { type: 'text', text: '[An image was here. This model cannot see images.]' }
    expect(sent().messages).toEqual([{ role: 'user', content: [words] }])
    expect(answer.headers.get('x-switchyard-dropped')).toBe('image_url')
    await chat('deepseek-vl2', { messages: image(url) })
    expect(sent().messages).toEqual(image(url))
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
    const converted = await alice.calls('/v1/messages', {
      model: 'deepseek-v4-pro',
      max_tokens: 10,
      messages: [{ role: 'user', content: [{ type: 'image', source }] }],
    })
    expect(sent().messages).toEqual([{ role: 'user', content: [words] }])
    expect(converted.headers.get('x-switchyard-dropped')).toBe('image')
  })

  it('does so in a body that was converted', async () => {
    const asked = { model: 'deepseek-v4-pro-none', max_tokens: 10, messages: [hi] }
    await alice.calls('/v1/messages', { ...asked, thinking: { type: 'enabled', budget_tokens: 1024 } })
    expect(sent()).toMatchObject({ model: 'deepseek-v4-pro', thinking: { type: 'disabled' } })
    expect(sent().reasoning_effort).toBeUndefined()
  })

  it('knows thinking only on or off: the adaptive thinking of a Claude request is on', async () => {
    const asked = { model: 'deepseek-v4-pro', max_tokens: 10, messages: [hi], thinking: { type: 'adaptive' } }
    await alice.calls('/v1/messages', asked)
    expect(sent().thinking).toEqual({ type: 'enabled' })
  })

  it('receives an empty thought in a turn with calls whose thought is unknown', async () => {
    const tool_calls = [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }]
    const called = { role: 'assistant', content: null, tool_calls }
    const result = { role: 'tool', tool_call_id: 'call_1', content: 'seen' }
    await chat('deepseek-v4-pro', { messages: [hi, called, result] })
    expect(sent().messages).toEqual([hi, { ...called, reasoning_content: '' }, result])
    const thought = { ...called, reasoning_content: 'I look.' }
    await chat('deepseek-v4-pro', { messages: [hi, thought, result] })
    expect(sent().messages).toEqual([hi, thought, result])
    await chat('deepseek-v4-pro-none', { messages: [hi, called, result] })
    expect(sent().messages).toEqual([hi, called, result])
  })

  it('has completions in its beta, and charges cached tokens as such', async () => {
    const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25, prompt_cache_hit_tokens: 12 }
    world.upstream.answers({ body: { choices: [{ index: 0, text: 'Hello', finish_reason: 'stop' }], usage } })
    await alice.calls('/v1/completions', { model: 'deepseek-chat', prompt: 'hi' })
    expect(world.upstream.last().path).toBe('/beta/completions')
    const row = await receipt()
    expect([row.prompt_tokens, row.other.cache_tokens, row.quota]).toEqual([20, 12, recomputed(row)])
  })
})

describe('Volcengine Ark (docs/reference/channel-types.md#volcengine-ark)', () => {
  it.each([
    ['doubao', '/api/v3/chat/completions'],
    ['bot-123', '/api/v3/bots/chat/completions'],
  ])('%s: is called at %s', async (model, path) => {
    await chat(model)
    expect(world.upstream.last()).toMatchObject({ path, json: { model } })
  })
})

describe('xAI (docs/reference/channel-types.md#xai)', () => {
  it.each([
    ['grok-4', { model: 'grok-4', max_tokens: 9 }],
    ['grok-4-search', { model: 'grok-4', max_tokens: 9, search_parameters: { mode: 'on', sources: [] } }],
    ['grok-3-mini-high', { model: 'grok-3-mini', max_completion_tokens: 9, reasoning_effort: 'high' }],
    [
      'grok-3-mini-beta-low-search',
      {
        model: 'grok-3-mini-beta',
        max_completion_tokens: 9,
        reasoning_effort: 'low',
        search_parameters: { mode: 'on', sources: [] },
      },
    ],
  ])('%s: receives %o', async (model, told) => {
    const isSearching = model.endsWith('-search')
    await chat(model, { max_tokens: 9, ...(isSearching ? { search_parameters: { mode: 'auto', sources: [] } } : {}) })
    expect(sent()).toEqual({ messages: [hi], unheard_of: 1, ...told })
    expect((await receipt()).other.upstream_model_name).toBe(told.model === model ? undefined : told.model)
  })

  it('charges thoughts, which its completion leaves out', async () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 45,
      completion_tokens_details: { reasoning_tokens: 30 },
    }
    world.upstream.answers({ body: { ...chatAnswer('Hello'), usage } })
    await chat('grok-4')
    const row = await receipt()
    expect([row.completion_tokens, row.quota]).toEqual([35, recomputed(row)])
  })
})

describe("Google's OpenAI-compatible address", () => {
  it.each([false, true])('is charged for thoughts, which only its total includes, streamed %s', async (stream) => {
    const usage = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 8013 }
    const chunk = (delta: object, finish_reason: string | null) => ({ choices: [{ delta, finish_reason }], usage })
    if (stream) world.upstream.streams([chunk({ content: 'Yes.' }, null), chunk({}, 'stop'), '[DONE]'])
    else world.upstream.answers({ body: { ...chatAnswer('Yes.'), usage } })
    await chat('gemini-of-google', { stream })
    const row = await receipt()
    expect([row.completion_tokens, row.other.reasoning_tokens, row.quota]).toEqual([8003, 8000, recomputed(row)])
  })
})

describe('Baidu Qianfan V2 (docs/reference/channel-types.md#baidu-qianfan-v2)', () => {
  it('sends the application in its key', async () => {
    await chat('ernie-x1')
    const { path, headers } = world.upstream.last()
    expect([path, headers.authorization, headers.appid]).toEqual(['/v2/chat/completions', 'Bearer secret', 'app-1'])
  })

  it('searches where the name of the model requests it', async () => {
    await chat('ernie-x1-search')
    const web_search = { enable: true, enable_citation: true, enable_trace: true, enable_status: false }
    expect(sent()).toEqual({ model: 'ernie-x1', messages: [hi], unheard_of: 1, web_search })
  })
})

describe('Zhipu v4 (docs/reference/channel-types.md#zhipu-glm-version-4)', () => {
  it('takes a list of stops, a top_p below 1, and pictures without their prefix', async () => {
    await chat('glm', {
      stop: 'END',
      top_p: 1,
      max_completion_tokens: 7,
      messages: image('data:image/png;base64,AAAA'),
    })
    expect(world.upstream.last()).toMatchObject({
      path: '/api/paas/v4/chat/completions',
      headers: { authorization: 'Bearer id.secret' },
    })
    expect(sent()).toEqual({
      model: 'glm',
      messages: image('AAAA'),
      unheard_of: 1,
      stop: ['END'],
      top_p: 0.99,
      max_tokens: 7,
    })
  })

  it('does so in a body that was converted', async () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' }
    await alice.calls('/v1/messages', {
      model: 'glm',
      max_tokens: 10,
      top_p: 1,
      messages: [{ role: 'user', content: [{ type: 'image', source }] }],
    })
    expect(sent()).toMatchObject({ top_p: 0.99, messages: [{ content: [{ image_url: { url: 'AAAA' } }] }] })
  })

  it('does not change other pictures', async () => {
    await chat('glm', { messages: image('https://a.test/cat.png'), stop: ['A'], top_p: 0.7 })
    expect(sent()).toEqual({
      model: 'glm',
      messages: image('https://a.test/cat.png'),
      unheard_of: 1,
      stop: ['A'],
      top_p: 0.7,
    })
  })
})

describe('MokaAI (docs/reference/channel-types.md#siliconflow-jina-mokaai-ollama-xinference)', () => {
  it('is given a list of texts', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: [0.5] }]
    world.upstream.answers({ body: { object: 'list', data, usage: { prompt_tokens: 3, total_tokens: 3 } } })
    await alice.calls('/v1/embeddings', { model: 'm3e-base', input: 'hi' })
    expect(world.upstream.last()).toMatchObject({ path: '/embeddings', json: { model: 'm3e-base', input: ['hi'] } })
  })
})

describe('special parameters of the vendor', () => {
  it('are left to the caller where requests pass through', async () => {
    await world.option('global.pass_through_request_enabled', true)
    await chat('glm', { stop: 'END', top_p: 1 })
    await world.option('global.pass_through_request_enabled', false)
    expect(sent()).toMatchObject({ stop: 'END', top_p: 1 })
  })

  it("are sent in an administrator's test as well", async () => {
    const id = await world.channel({ type: 48, models: 'grok-3-mini-fast-high' })
    await world.admin.get(`/api/channel/test/${id}?model=grok-3-mini-fast-high`)
    expect(sent()).toMatchObject({ model: 'grok-3-mini-fast', reasoning_effort: 'high' })
    expect(sent().max_tokens).toBeUndefined()
  })
})
