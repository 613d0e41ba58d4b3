import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'

const usage = { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10 }
const completed = { id: '1', object: 'text_completion', choices: [{ index: 0, text: 'there', finish_reason: 'stop' }] }
const MODELS = 'gpt-3.5-turbo-instruct,text-davinci-edit-001,text-moderation-stable,omni-moderation-latest'

let world: World
let alice: Person
let client: OpenAI

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ models: MODELS, param_override: '{"seed":7}' })
  await world.channel({ type: 43, models: 'deepseek-chat' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
  client = new OpenAI({ apiKey: `sk-${await alice.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0, logLevel: 'off' })
})

describe('POST /v1/completions and /v1/edits (docs/reference/endpoints.md#relayed-paths)', () => {
  it('answers a completion, with the channel’s overrides', async () => {
    world.upstream.answers({ body: { ...completed, usage } })
    const answer = await client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'hello' })
    expect(answer).toMatchObject({ ...completed, usage })
    expect(world.upstream.last()).toMatchObject({
      path: '/v1/completions',
      json: { model: 'gpt-3.5-turbo-instruct', prompt: 'hello', seed: 7 },
    })
    expect(await lastReceipt(world, alice.id)).toMatchObject({ prompt_tokens: 4, completion_tokens: 6 })
  })

  it('streams a completion', async () => {
    const [choice] = completed.choices
    world.upstream.streams([{ ...completed, choices: [choice] }, { ...completed, choices: [], usage }, '[DONE]'])
    const stream = await client.completions.create({
      model: 'gpt-3.5-turbo-instruct',
      prompt: 'hello',
      stream: true,
    })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.text ?? ''
    expect(text).toBe('there')
    expect(await lastReceipt(world, alice.id)).toMatchObject({ prompt_tokens: 4, completion_tokens: 6, is_stream: 1 })
  })

  it('sends to DeepSeek at /beta', async () => {
    world.upstream.answers({ body: { ...completed, usage } })
    await client.completions.create({ model: 'deepseek-chat', prompt: 'def f(', suffix: 'return a' })
    expect(world.upstream.last()).toMatchObject({ path: '/beta/completions', json: { suffix: 'return a' } })
  })

  it('answers an edit', async () => {
    world.upstream.answers({ body: { ...completed, usage } })
    const body = { model: 'text-davinci-edit-001', input: 'helo', instruction: 'spell' }
    expect((await alice.calls('/v1/edits', body)).status).toBe(200)
    expect(world.upstream.last().path).toBe('/v1/edits')
    const none = await alice.calls('/v1/edits', { model: 'text-davinci-edit-001', input: 'helo' })
    expect([none.status, none.json.error.code]).toEqual([400, 'invalid_text_request'])
  })
})

describe('POST /v1/moderations (docs/reference/endpoints.md#relayed-paths)', () => {
  const judged = { id: 'modr-1', model: 'x', results: [{ flagged: false, categories: {}, category_scores: {} }] }

  it('answers as the vendor does, and charges the input it counted', async () => {
    world.upstream.answers({ body: judged })
    const answer = await client.moderations.create({
      model: 'omni-moderation-latest',
      input: ['Hello there, how are you?', 'fine'],
    })
    expect(answer).toMatchObject(judged)
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens, receipt.other.usage_source]).toEqual([8, 0, 'counted'])
  })

  it('is routed and priced as text-moderation-stable and sent as -latest where no model is named', async () => {
    world.upstream.answers({ body: judged })
    await client.moderations.create({ input: 'hello' })
    expect(world.upstream.last().json.model).toBe('text-moderation-latest')
    expect((await lastReceipt(world, alice.id)).model_name).toBe('text-moderation-stable')
  })

  it('refuses a call without input', async () => {
    const { status, json } = await alice.calls('/v1/moderations', { model: 'omni-moderation-latest' })
    expect([status, json.error.code, json.error.param]).toEqual([400, 'invalid_text_request', 'input'])
  })
})
