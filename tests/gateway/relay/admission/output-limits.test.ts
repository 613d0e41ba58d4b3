import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOutputLimits } from '../../../../gateway/relay/admission/model-output-limits.ts'
import { chatModel } from '../../../../gateway/relay/capabilities/chat-models.ts'
import { pricingDefaults } from '../../../../gateway/settings/pricing-defaults/index.ts'
import { messageAnswer } from '../../../support/anthropic.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'

describe('the longest output of a model (docs/reference/model-output-limits.md)', () => {
  const limits = createOutputLimits({ byModel: {}, otherwise: 8192 })
  it.each([
    ['claude-opus-4-6', 128_000],
    ['anthropic/claude-opus-4.7', 128_000],
    ['claude-opus-4-5-20251101', 64_000],
    ['claude-opus-4-1-20250805', 32_000],
    ['claude-opus-4-20250514', 32_000],
    ['claude-sonnet-4-5-20250929', 64_000],
    ['claude-sonnet-4-6', 128_000],
    ['claude-opus-5-20260724', 128_000],
    ['claude-3-7-sonnet-20250219', 64_000],
    ['claude-next', 128_000],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 64_000],
    ['claude-3-5-sonnet-20241022', 8192],
    ['claude-3-haiku-20240307', 4096],
    ['gpt-5.1', 128_000],
    ['gpt-5-chat-latest', 16_384],
    ['gpt-6.1-terra', 128_000],
    ['gpt-35-turbo', 8192],
    ['o3', 100_000],
    ['gpt-4.1-mini', 32_768],
    ['gpt-4o', 16_384],
    ['gpt-4o-2024-05-13', 4096],
    ['gpt-4', 8192],
    ['gpt-3.5-turbo', 4096],
    ['gpt-realtime', 4096],
    ['gemini-2.5-pro', 65_536],
    ['gemini-2.0-flash', 8192],
    ['deepseek-chat', 8192],
    ['deepseek-v4-pro', 384_000],
    ['a-model-of-my-own', 8192],
  ])('%s: %i', (model, tokens) => {
    expect(limits(model).tokens).toBe(tokens)
  })

  it('is the operator’s where there is an entry: the name itself, then the longest pattern', () => {
    const byModel = { 'gpt-4o': 100, 'gpt-*': 200, 'gpt-4*': 300, '*.mine': 400 }
    const own = createOutputLimits({ byModel, otherwise: 50 })
    const found = ['gpt-4o', 'gpt-4o-mini', 'gpt-5', 'a.mine', 'amine', 'o3'].map((model) => own(model).tokens)
    expect(found).toEqual([100, 300, 200, 400, 50, 100_000])
  })

  it('is known with its hidden thinking for all models of OpenAI that have a price', () => {
    const priced = Object.keys({ ...pricingDefaults.ModelRatio, ...pricingDefaults.ModelPrice })
    const thinking = priced.filter((name) => chatModel(name)?.isOpenAi && chatModel(name)?.thinks !== 'never')
    expect(thinking.length).toBeGreaterThan(20)
    expect(thinking.filter((name) => !limits(name).hasHiddenReasoning)).toEqual([])
  })

  it('is remembered without a name of every object', () => {
    expect(limits('constructor').tokens).toBe(8192)
    expect(limits('__proto__').tokens).toBe(8192)
  })
})

describe('an answer in one piece that its account cannot pay at its longest', () => {
  let world: World
  let alice: Person
  beforeAll(async () => {
    const one = (value: number) => Object.fromEntries(models.map((model) => [model, value]))
    world = await aWorld({ options: { ModelRatio: one(1), CompletionRatio: one(2), RetryTimes: 0 } })
    await world.channel({ models: 'plain,o3' })
    await world.channel({ models: 'claude-sonnet-4-5', type: 14 })
    await world.channel({ models: 'an-app', type: 37 })
    await world.channel({ models: 'alias', model_mapping: '{"alias":"between","between":"gpt-4.1"}' })
    await world.channel({ models: 'untouched', setting: JSON.stringify({ pass_through_body_enabled: true }) })
    await world.channel({ models: 'overridden', param_override: JSON.stringify({ max_tokens: 100_000 }) })
  })
  const models = ['alias', 'an-app', 'plain', 'o3', 'claude-sonnet-4-5', 'untouched', 'overridden']
  beforeEach(async () => {
    world.upstream.reset()
    alice = await world.user({ quota: 1000 })
  })

  it.each([
    ['plain', {}, 'max_tokens'],
    ['plain', { max_tokens: 5000 }, 'max_tokens'],
    ['plain', { max_completion_tokens: 5000 }, 'max_completion_tokens'],
    ['o3', {}, 'max_completion_tokens'],
    ['o3', { max_tokens: 5000 }, 'max_completion_tokens'],
    ['untouched', {}, 'max_tokens'],
    ['overridden', {}, 'max_tokens'],
  ])('of %s, requested with %j, is limited by %s, and its receipt has the limit', async (model, more, field) => {
    world.upstream.answers(({ json }) => ({ body: chatAnswer('a', { prompt: 10, completion: json[field] }) }))
    expect((await alice.asks(model, 'hi', { body: more })).status).toBe(200)
    const limit = world.upstream.last().json[field]
    expect(limit).toBeGreaterThan(400)
    expect(limit).toBeLessThanOrEqual(500)
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ quota: 10 + 2 * limit, other: { output_limit: limit, ended: 'complete' } })
    expect(await alice.quota()).toBeGreaterThanOrEqual(0)
  })

  it('is limited in the dialect of its vendor', async () => {
    world.upstream.answers({ body: messageAnswer({ texts: ['a'] }) })
    expect((await alice.asks('claude-sonnet-4-5', 'hi')).status).toBe(200)
    expect(world.upstream.last().json.max_tokens).toBeLessThanOrEqual(500)
  })

  it('is limited for all its choices together', async () => {
    expect((await alice.asks('plain', 'hi', { body: { n: 4 } })).status).toBe(200)
    expect(world.upstream.last().json.max_tokens).toBeLessThanOrEqual(125)
  })

  it('is refused where its prompt, once it is counted, costs more than is left', async () => {
    // One token per one or two bytes; the estimate is one per three.
    const dense = '!1?2'.repeat(400)
    const told = await alice.asks('plain', dense)
    expect([told.status, told.json.error.code, world.upstream.requests.length]).toEqual([
      403,
      'insufficient_user_quota',
      0,
    ])
    const richer = await world.user({ quota: 2500 })
    world.upstream.answers(({ json }) => ({ body: chatAnswer('a', { prompt: 1600, completion: json.max_tokens }) }))
    expect((await richer.asks('plain', dense)).status).toBe(200)
    expect(await richer.quota()).toBeGreaterThanOrEqual(0)
  })

  it('is as long as the maximum of the upstream model that its channel uses under another name', async () => {
    const price = 2 * 32_768
    const person = await world.user({ quota: 500 + price })
    await person.asks('alias', 'hi')
    expect(world.upstream.last().json).not.toHaveProperty('max_tokens')
    const poorer = await world.user({ quota: price - 500 })
    await poorer.asks('alias', 'hi')
    expect(world.upstream.last().json.max_tokens).toBeLessThan(32_768)
    expect(world.upstream.last().json.max_tokens).toBeGreaterThan(32_000)
  })

  it('is refused where no limit can be sent to the vendor', async () => {
    const told = await alice.asks('an-app', 'hi')
    expect([told.status, told.json.error.code]).toEqual([403, 'insufficient_user_quota'])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('is refused where its thinking budget costs more on its own', async () => {
    const thinking = { type: 'enabled', budget_tokens: 1024 }
    const asked = {
      model: 'claude-sonnet-4-5',
      max_tokens: 4096,
      thinking,
      messages: [{ role: 'user', content: 'hi' }],
    }
    const told = await alice.calls('/v1/messages', asked)
    expect([told.status, world.upstream.requests.length]).toEqual([403, 0])
    const richer = await world.user({ quota: 3000 })
    world.upstream.answers({ body: messageAnswer({ texts: ['a'] }) })
    expect((await richer.calls('/v1/messages', asked)).status).toBe(200)
    const sent = world.upstream.last().json
    expect(sent.max_tokens).toBeGreaterThan(sent.thinking.budget_tokens)
    expect(sent.max_tokens).toBeLessThanOrEqual(1500)
  })

  it('is bounded beforehand as a stream as well, where it thinks unseen', async () => {
    await alice.asks('o3', 'hi', { stream: true })
    expect(world.upstream.last().json.max_completion_tokens).toBeLessThanOrEqual(500)
    const bob = await world.user({ quota: 1000 })
    await bob.asks('plain', 'hi', { stream: true })
    expect(world.upstream.last().json).not.toHaveProperty('max_tokens')
  })

  it('is sent unchanged where its account can pay, to the byte', async () => {
    const rich = await world.user({ quota: 1_000_000 })
    await rich.asks('plain', 'hi')
    expect(world.upstream.last().json).not.toHaveProperty('max_tokens')
    expect((await lastReceipt(world, rich.id)).other).not.toHaveProperty('output_limit')
  })
})

describe('the requested reasoning effort of a call (docs/reference/billing.md#receipts)', () => {
  it.each([
    ['/v1/chat/completions', { reasoning_effort: 'high' }, 'high'],
    ['/v1/responses', { reasoning: { effort: 'low' } }, 'low'],
    ['/v1/chat/completions', {}, undefined],
  ])('is in the receipt: %s with %j', async (path, more, effort) => {
    const world = await aWorld({ options: { ModelRatio: { o3: 1, 'o3-medium': 1 } } })
    await world.channel({ models: 'o3,o3-medium' })
    const alice = await world.user({ quota: 10_000_000 })
    const asked = { model: 'o3', messages: [{ role: 'user', content: 'hi' }], input: 'hi', ...more }
    await alice.calls(path, asked)
    expect((await lastReceipt(world, alice.id)).other.reasoning_effort).toBe(effort)
    await alice.asks('o3-medium', 'hi')
    expect((await lastReceipt(world, alice.id, 2)).other.reasoning_effort).toBe('medium')
  })
})
