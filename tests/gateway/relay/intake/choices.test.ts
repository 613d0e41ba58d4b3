import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiptOf } from '../../../../shared/receipt.ts'
import { chatAnswer, usageOf } from '../../../support/chat.ts'
import { geminiAnswer } from '../../../support/gemini.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'

/** Dollars per call. */
const PRICE = 0.01
const CALL = PRICE * 500_000
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelPrice: { fixed: PRICE }, RetryTimes: 0 } })
  await world.channel({ models: 'fixed' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 8 * CALL })
})

const text = { id: 'cmpl-1', object: 'text_completion', choices: [{ index: 0, text: 'a' }], usage: usageOf({}) }

describe('a price per call is charged for each requested answer (docs/reference/billing.md#hold, docs/reference/billing.md#charge)', () => {
  it.each([
    ['one, where nothing is said', 1, '/v1/chat/completions', {}, chatAnswer('a')],
    ['n of a chat', 8, '/v1/chat/completions', { n: 8 }, chatAnswer('a')],
    ['n of a completion', 3, '/v1/completions', { prompt: 'hi', n: 3 }, text],
    ['those that a completion makes and does not show', 5, '/v1/completions', { prompt: 'hi', n: 2, best_of: 5 }, text],
    ['each prompt of a completion', 6, '/v1/completions', { prompt: ['a', 'b', 'c'], n: 2 }, text],
    ['each list of tokens', 2, '/v1/completions', { prompt: [[1, 2], [3]] }, text],
    ['one list of tokens', 1, '/v1/completions', { prompt: [1, 2, 3] }, text],
  ])('%s', async (_, times, path, more, body) => {
    world.upstream.answers({ body })
    const asked = { model: 'fixed', messages: [{ role: 'user', content: 'hi' }], ...more }
    expect((await alice.calls(path, asked)).status).toBe(200)
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt.quota).toBe(times * CALL)
    expect(recomputed(receipt)).toBe(receipt.quota)
    const computed = receiptOf({ ...receipt, other: JSON.stringify(receipt.other) })
    expect(computed).toMatchObject({ charge: times * CALL, unitPrice: PRICE, times })
  })

  it.each(['candidateCount', 'candidate_count'])('Gemini’s %s', async (field) => {
    await world.channel({ models: 'fixed', type: 24, priority: 9 })
    world.upstream.answers({ body: geminiAnswer({ texts: ['a'] }) })
    const asked = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }], generationConfig: { [field]: 4 } }
    expect((await alice.calls('/v1beta/models/fixed:generateContent', asked)).status).toBe(200)
    expect((await lastReceipt(world, alice.id)).quota).toBe(4 * CALL)
  })

  it('is reserved in full: a caller who cannot pay eight gets none', async () => {
    const poor = await world.user({ quota: 8 * CALL - 1 })
    const told = await poor.asks('fixed', 'hi', { body: { n: 8 } })
    expect([told.status, told.json.error.code]).toEqual([403, 'insufficient_user_quota'])
    expect(await receiptsOf(world, poor.id)).toMatchObject([{ type: 5, quota: 0 }])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it.each([
    [{ n: 0.5 }, 'n'],
    [{ n: -1 }, 'n'],
    [{ n: '8' }, 'n'],
    [{ best_of: 1e9 }, 'best_of'],
  ])('refuses %j', async (more, param) => {
    const told = await alice.asks('fixed', 'hi', { body: more })
    expect([told.status, told.json.error.param]).toEqual([400, param])
  })

  it('refuses more answers to a list of prompts than 2,048', async () => {
    const prompt = Array.from({ length: 1025 }, () => 'hi')
    const told = await alice.calls('/v1/completions', { model: 'fixed', prompt, n: 2 })
    expect([told.status, told.json.error.param]).toEqual([400, 'prompt'])
  })
})

describe('a completion with several prompts', () => {
  it('reserves, and requests, the maximum cost of all its answers', async () => {
    await world.channel({ models: 'by-tokens' })
    await world.option('ModelRatio', { 'by-tokens': 1 })
    await world.option('CompletionRatio', { 'by-tokens': 1 })
    const prompt = Array.from({ length: 100 }, (_, index) => `p${index}`)
    const poor = await world.user({ quota: 5000 })
    world.upstream.answers(({ json }) => {
      const tokens = 100 * json.max_tokens
      return { body: { ...text, usage: usageOf({ prompt: 300, completion: tokens }) } }
    })
    await poor.calls('/v1/completions', { model: 'by-tokens', prompt, max_tokens: 1000 })
    expect(world.upstream.last().json.max_tokens).toBeLessThanOrEqual(50)
    expect(await poor.quota()).toBeGreaterThanOrEqual(0)
  })
})
