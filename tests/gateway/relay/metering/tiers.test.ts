import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiptOf } from '../../../../shared/receipt.ts'
import { messageAnswer } from '../../../support/anthropic.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf } from './receipts.ts'

let world: World
let alice: Person
const setting = JSON.stringify({ allow_service_tier: true, allow_speed: true, allow_inference_geo: true })

beforeAll(async () => {
  const options = {
    ModelRatio: { gpt: 1, plain: 1, claude: 1, 'gemini-x': 1, 'claude-fast': 1 },
    CompletionRatio: { gpt: 4, claude: 5, 'gemini-x': 4, 'claude-fast': 5 },
    CacheRatio: { gpt: 0.1, claude: 0.1 },
    PriceSteps: {
      gpt: [
        { above: 200_000, input: 2, output: 1.5 },
        { above: 400_000, input: 3, output: 3 },
      ],
      claude: [{ above: 100_000, input: 2, output: 1.5 }],
    },
    ServiceTierRatio: { priority: 2, flex: 0.5, fast: 2, us: 1.1, 'claude-fast:fast': 6 },
    RetryTimes: 0,
  }
  world = await aWorld({ options })
  await world.channel({ models: 'gpt', setting })
  await world.channel({ models: 'plain' })
  await world.channel({ models: 'claude,claude-fast', type: 14, setting })
  await world.channel({ models: 'gemini-x', type: 24, setting })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const messages = [{ role: 'user', content: 'hi' }]
const chatAnswer = (usage: object, more: object = {}) => ({
  body: {
    id: 'c',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
    usage,
    ...more,
  },
})
const chunks = (usage: object, more: object = {}) => [
  { choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }], ...more },
  { choices: [], usage, ...more },
]

/** The log row of a call; checks that its receipt adds up to the charge. */
async function rowOf(path: string, body: object) {
  const before = (await receiptsOf(world, alice.id)).length
  const answer = await alice.calls(path, body)
  expect(answer.status, answer.text).toBe(200)
  const row = await lastReceipt(world, alice.id, before + 1)
  expect(receiptOf({ ...row, other: JSON.stringify(row.other) })?.charge).toBe(row.quota)
  return row
}

/** The log row of a call whose stream breaks off. */
async function rowOfCut(body: object) {
  const before = (await receiptsOf(world, alice.id)).length
  await alice.calls('/v1/chat/completions', body).catch(() => undefined)
  return lastReceipt(world, alice.id, before + 1)
}

describe('long prompts (docs/reference/billing.md#long-prompts)', () => {
  const usage = (prompt: number, cached = 0) => ({
    prompt_tokens: prompt,
    completion_tokens: 1000,
    prompt_tokens_details: { cached_tokens: cached },
  })

  it.each([
    { prompt: 200_000, cached: 0, quota: 204_000, step: undefined },
    { prompt: 200_001, cached: 0, quota: 2 * 200_001 + 6000, step: 200_000 },
    { prompt: 300_000, cached: 200_000, quota: 2 * (100_000 + 20_000) + 6000, step: 200_000 },
    { prompt: 500_000, cached: 0, quota: 3 * 504_000, step: 400_000 },
  ])('of $prompt tokens cost $quota, whole and streamed', async ({ prompt, cached, quota, step }) => {
    world.upstream.answers(chatAnswer(usage(prompt, cached)))
    expect(await rowOf('/v1/chat/completions', { model: 'gpt', messages })).toMatchObject({ quota })
    world.upstream.reset()
    world.upstream.streams(chunks(usage(prompt, cached)))
    const row = await rowOf('/v1/chat/completions', { model: 'gpt', messages, stream: true })
    expect(row.quota).toBe(quota)
    expect(row.other.price_step).toBe(step)
  })

  it('count the cached part of them, too, where the vendor counts that separately', async () => {
    const read = { input_tokens: 10_000, cache_read_input_tokens: 100_000, output_tokens: 1000 }
    world.upstream.answers({
      body: { ...messageAnswer({ texts: ['Hi.'] }, { prompt: 1, completion: 1 }), usage: read },
    })
    const row = await rowOf('/v1/messages', { model: 'claude', max_tokens: 1000, messages })
    expect(row.quota).toBe(2 * (10_000 + 10_000) + 1.5 * 5000)
  })

  it('are reserved at the price of their length', async () => {
    const carol = await world.user({ quota: 400_000 })
    const asked = { model: 'claude', max_tokens: 64_000, messages: [{ role: 'user', content: 'a '.repeat(120_000) }] }
    world.upstream.answers({ body: messageAnswer({ texts: ['Hi.'] }, { prompt: 1000, completion: 10 }) })
    expect((await carol.calls('/v1/messages', asked)).status).toBe(200)
    // At the price of short prompts 280,000 would remain for output at 5 per token; at the correct one 160,000 at 7.5.
    expect(world.upstream.last().json.max_tokens).toBeLessThan(22_000)
  })
})

describe('service tiers (docs/reference/billing.md#service-tiers)', () => {
  const usage = { prompt_tokens: 1000, completion_tokens: 100 }

  it.each([
    ['priority', 2800, 2],
    ['flex', 700, 0.5],
    ['default', 1400, undefined],
    ['scale', 1400, undefined],
    ['"; drop', 1400, undefined],
  ])('that the vendor reports are charged with their factor: %s', async (service_tier, quota, ratio) => {
    world.upstream.answers(chatAnswer(usage, { service_tier }))
    const whole = await rowOf('/v1/chat/completions', { model: 'gpt', messages })
    expect([whole.quota, whole.other.service_tier_ratio]).toEqual([quota, ratio])
    world.upstream.reset()
    world.upstream.streams(chunks(usage, { service_tier }))
    expect((await rowOf('/v1/chat/completions', { model: 'gpt', messages, stream: true })).quota).toBe(quota)
    world.upstream.reset()
    const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hi.' }] }]
    const answer = {
      id: 'resp_1',
      status: 'completed',
      output,
      service_tier,
      usage: { input_tokens: 1000, output_tokens: 100 },
    }
    world.upstream.answers({ body: answer })
    expect((await rowOf('/v1/responses', { model: 'gpt', input: 'hi' })).quota).toBe(quota)
  })

  it.each([
    ['claude', { speed: 'fast' }, 3000],
    ['claude', { speed: 'fast', inference_geo: 'us' }, 3300],
    ['claude', { speed: 'standard', inference_geo: 'global', service_tier: 'priority' }, 1500],
    ['claude-fast', { speed: 'fast' }, 9000],
  ])(
    'of Claude are its speed and where it runs, by the model’s own factor first: %s %j',
    async (model, told, quota) => {
      const said = { ...messageAnswer({ texts: ['Hi.'] }, { prompt: 1, completion: 1 }) }
      world.upstream.answers({ body: { ...said, usage: { input_tokens: 1000, output_tokens: 100, ...told } } })
      expect((await rowOf('/v1/messages', { model, max_tokens: 1000, messages })).quota).toBe(quota)
    },
  )

  it.each([
    ['ON_DEMAND_PRIORITY', 2800],
    ['ON_DEMAND_FLEX', 700],
    ['ON_DEMAND', 1400],
    ['PROVISIONED_THROUGHPUT', 1400],
  ])('of Google are its kinds of traffic: %s', async (trafficType, quota) => {
    const usageMetadata = { promptTokenCount: 1000, candidatesTokenCount: 100, totalTokenCount: 1100, trafficType }
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }]
    world.upstream.answers({ body: { candidates, usageMetadata } })
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
    expect((await rowOf('/v1beta/models/gemini-x:generateContent', { contents })).quota).toBe(quota)
  })

  it('are reserved for where they are requested and more expensive', async () => {
    const limits: number[] = []
    for (const service_tier of ['flex', 'default', 'priority']) {
      const bob = await world.user({ quota: 5000 })
      world.upstream.reset()
      world.upstream.answers(chatAnswer({ prompt_tokens: 1, completion_tokens: 1 }))
      expect((await bob.calls('/v1/chat/completions', { model: 'gpt', messages, service_tier })).status).toBe(200)
      limits.push(world.upstream.last().json.max_tokens)
    }
    const [flex = 0, usual = 0, priority = 0] = limits
    expect([flex, Math.ceil(priority * 2.1 + 10) > usual, priority < usual * 0.55]).toEqual([usual, true, true])
  })

  it('are charged as requested where the vendor’s report does not arrive', async () => {
    world.upstream.streams([{ choices: [{ index: 0, delta: { content: 'Hi there.' } }] }], { cutAfter: 1 })
    const quotas: number[] = []
    for (const service_tier of ['default', 'flex', 'priority'])
      quotas.push((await rowOfCut({ model: 'gpt', messages, stream: true, service_tier })).quota)
    const [usual = 0, flex, priority] = quotas
    expect([flex, priority]).toEqual([usual, 2 * usual])
  })

  it('are not charged where the channel has left the wish out', async () => {
    world.upstream.streams([{ choices: [{ index: 0, delta: { content: 'Hi there.' } }] }], { cutAfter: 1 })
    const quotas: number[] = []
    for (const service_tier of ['default', 'priority'])
      quotas.push((await rowOfCut({ model: 'plain', messages, stream: true, service_tier })).quota)
    expect(world.upstream.last().json.service_tier).toBeUndefined()
    expect(quotas[1]).toBe(quotas[0])
  })

  it('are not reserved at a lower price because others are requested as well', async () => {
    const limits: number[] = []
    for (const more of [{}, { serviceTier: 'flex', speed: 'flex', inference_geo: 'flex' }]) {
      const bob = await world.user({ quota: 5000 })
      world.upstream.reset()
      world.upstream.answers(chatAnswer({ prompt_tokens: 1, completion_tokens: 1 }))
      const asked = { model: 'gpt', messages, service_tier: 'priority', ...more }
      expect((await bob.calls('/v1/chat/completions', asked)).status).toBe(200)
      limits.push(world.upstream.last().json.max_tokens)
    }
    expect(Math.abs((limits[0] ?? 0) - (limits[1] ?? 0))).toBeLessThan(20)
  })
})
