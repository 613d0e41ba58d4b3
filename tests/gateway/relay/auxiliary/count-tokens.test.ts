import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'

const [CLAUDE, GEMINI, OPENAI, DEEPSEEK] = [14, 24, 1, 43]
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let world: World
let alice: Person
let keys: { anthropic: Anthropic; google: GoogleGenAI; openai: OpenAI }

beforeAll(async () => {
  const models = ['claude', 'gemini', 'gpt-4o', 'other']
  world = await aWorld({ options: { ModelRatio: Object.fromEntries(models.map((model) => [model, 1])) } })
  await world.channel({ type: CLAUDE, models: 'claude', model_mapping: '{"claude":"claude-real"}', key: 'claude-key' })
  await world.channel({ type: GEMINI, models: 'gemini', model_mapping: '{"gemini":"gemini-real"}' })
  await world.channel({ type: OPENAI, models: 'gpt-4o' })
  await world.channel({ type: DEEPSEEK, models: 'other', model_mapping: '{"other":"gpt-4o"}' })
  alice = await world.user({ quota: 100_000 })
  const apiKey = `sk-${await alice.key()}`
  keys = {
    anthropic: new Anthropic({ apiKey, baseURL: world.url, maxRetries: 0 }),
    google: new GoogleGenAI({ apiKey, httpOptions: { baseUrl: world.url } }),
    openai: new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries: 0 }),
  }
})
beforeEach(() => world.upstream.reset())

const user = (content: Anthropic.MessageParam['content']): Anthropic.MessageParam[] => [{ role: 'user', content }]
const claudes = (model: string, more: object = {}) =>
  keys.anthropic.messages.countTokens({ model, messages: user('Hello there'), ...more })
const tool = { name: 'add', description: 'Adds.', input_schema: { type: 'object' as const, properties: { a: {} } } }

describe('the channel’s own vendor counts where it can', () => {
  it('Anthropic, by its own name of the model and with its key', async () => {
    world.upstream.answers({ body: { input_tokens: 77 } })
    expect(await claudes('claude', { system: 'Be brief.' })).toEqual({ input_tokens: 77 })
    const { path, json, headers } = world.upstream.last()
    expect([path, headers['x-api-key']]).toEqual(['/v1/messages/count_tokens', 'claude-key'])
    expect(json).toEqual({ model: 'claude-real', messages: user('Hello there'), system: 'Be brief.' })
  })

  it('Gemini, in both of its forms', async () => {
    world.upstream.answers({ body: { totalTokens: 78, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 78 }] } })
    expect(await keys.google.models.countTokens({ model: 'gemini', contents: 'Hi' })).toMatchObject({ totalTokens: 78 })
    expect(world.upstream.last().path).toBe('/v1beta/models/gemini-real:countTokens')
    const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
    const generateContentRequest = { model: 'models/gemini', contents }
    const answer = await alice.calls('/v1beta/models/gemini:countTokens', { generateContentRequest })
    expect(answer.json.totalTokens).toBe(78)
    expect(world.upstream.last().json).toEqual({ generateContentRequest: { model: 'models/gemini-real', contents } })
  })

  it('OpenAI', async () => {
    world.upstream.answers({ body: { object: 'response.input_tokens', input_tokens: 79 } })
    const count = await keys.openai.responses.inputTokens.count({ model: 'gpt-4o', input: 'Hi' })
    expect(count).toMatchObject({ input_tokens: 79 })
    expect(world.upstream.last().path).toBe('/v1/responses/input_tokens')
  })

  it.each([{ status: 500 }, { status: 404 }, { body: 'nonsense' }, { body: {} }])(
    'else, as on %o, the gateway does',
    async (script) => {
      world.upstream.answers(script)
      expect((await claudes('claude')).input_tokens).toBeGreaterThan(4)
      expect(world.upstream.requests).toHaveLength(1)
    },
  )
})

it('a count of over a mebibyte is not read', async () => {
  world.upstream.answers({ body: { input_tokens: 77, more: 'x'.repeat(1024 * 1024) } })
  expect((await claudes('claude')).input_tokens).not.toBe(77)
})

describe('the gateway counts for every other vendor', () => {
  it('in each dialect the same, exactly where the tokenizer is known', async () => {
    const text = 'Hello there'
    // 2 tokens for the text, 1 for its role, and 3 + 3 around messages.
    expect(await claudes('other')).toEqual({ input_tokens: 9 })
    expect(await keys.google.models.countTokens({ model: 'other', contents: text })).toMatchObject({ totalTokens: 9 })
    expect(await keys.openai.responses.inputTokens.count({ model: 'other', input: text })).toEqual({
      object: 'response.input_tokens',
      input_tokens: 9,
    })
    const generateContentRequest = { model: 'models/other', contents: [{ role: 'user', parts: [{ text }] }] }
    const wrapped = await alice.calls('/v1beta/models/other:countTokens', { generateContentRequest })
    expect(wrapped.json).toEqual({ totalTokens: 9 })
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('system, tools and images as well', async () => {
    const plain = (await claudes('other')).input_tokens
    expect((await claudes('other', { system: 'Be brief.' })).input_tokens).toBeGreaterThan(plain)
    expect((await claudes('other', { tools: [tool] })).input_tokens).toBeGreaterThan(plain + 8)
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } } as const
    const messages = user([image, { type: 'text', text: 'Hello there' }])
    expect((await claudes('other', { messages })).input_tokens).toBeGreaterThan(plain + 80)
  })

  it('the previous response', async () => {
    const { id } = await keys.openai.responses.create({ model: 'other', input: 'Hello there' })
    const count = await keys.openai.responses.inputTokens.count({
      model: 'other',
      input: 'On',
      previous_response_id: id,
    })
    expect(count.input_tokens).toBeGreaterThan(15)
  })
})

describe('counting', () => {
  it('costs nothing and leaves no trace', async () => {
    const before = await alice.quota()
    const rows = async () => (await world.gateway.inner.db.selectFrom('logs').select('id').execute()).length
    const logs = await rows()
    await claudes('other')
    world.upstream.answers({ body: { input_tokens: 77 } })
    await claudes('claude')
    expect([await alice.quota(), await rows()]).toEqual([before, logs])
  })

  it('is for callers who may send the request', async () => {
    const limited = await world.token(alice, { model_limits_enabled: true, model_limits: 'gpt-4o' })
    const asked = (path: string, body: object, key = limited.key) => alice.calls(path, body, { key })
    const messages = '/v1/messages/count_tokens'
    const contents = [{ parts: [{ text: 'x' }] }]
    expect((await asked(messages, { model: 'other', messages: user('x') })).json.error.type).toBe('permission_error')
    expect((await asked('/v1/models/other:countTokens', { contents })).json.error.status).toBe('PERMISSION_DENIED')
    expect((await asked(messages, { model: 'other' }, 'nothing')).json.error.type).toBe('authentication_error')
    await expect(claudes('nowhere')).rejects.toMatchObject({ status: 503 })
    await expect(claudes('other', { messages: [] })).rejects.toBeInstanceOf(Anthropic.BadRequestError)
    const empty = await alice.calls('/v1beta/models/other:countTokens', { generateContentRequest: {} })
    expect(empty.json.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' })
  })

  it('sends no blocked word to the vendor', async () => {
    await world.option('SensitiveWords', 'xyzzy')
    await expect(claudes('claude', { messages: user('Say XYZZY') })).rejects.toMatchObject({ status: 400 })
    await world.option('SensitiveWords', '')
    expect(world.upstream.requests).toEqual([])
  })
})
