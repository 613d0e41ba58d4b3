import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pricingDefaults } from '../../../gateway/settings/pricing-defaults/index.ts'
import { receiptOf } from '../../../shared/receipt.ts'
import { chatAnswer, chatStream } from '../../support/chat.ts'
import { namedEvent } from '../../support/said.ts'
import type { Answering } from '../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'
import { lastReceipt, receiptsOf } from '../relay/metering/receipts.ts'
import { dialects } from '../relay/parity/dialects.ts'

/** Cost in quota of a call without tools: 800 prompt tokens at gpt-4o's built-in ratio of 1.25. */
const TOKENS = 1000
const usage = { input_tokens: 800, output_tokens: 0, total_tokens: 800 }

let world: World
let alice: Person
beforeAll(async () => {
  const ModelRatio = {
    ...pricingDefaults.ModelRatio,
    ...{ 'gpt-4o-search-preview': 1.25, 'gpt-4o-mini-search-preview': 0.075, 'gpt-5-search-api': 0.625 },
    ...{ twice: 1, locked: 1, 'also-locked': 1 },
  }
  world = await aWorld({ options: { ModelRatio } })
  await world.channel({
    models: 'gpt-4o,gpt-4o-search-preview,gpt-4o-mini-search-preview,gpt-5-search-api,nobody-priced-it',
  })
  await world.channel({ models: 'claude-sonnet-4-20250514', type: 14 })
  await world.channel({ models: 'gemini-2.5-pro', type: 24 })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

/** The cost of a call; checks that the balance, the log row and the row's receipt agree on it. */
async function charged(path: string, body: object, answer: Answering): Promise<number> {
  world.upstream.answers(answer)
  const count = (await receiptsOf(world, alice.id)).length
  const before = await alice.quota()
  expect((await alice.calls(path, body)).status).toBe(200)
  const row = await lastReceipt(world, alice.id, count + 1)
  expect(before - (await alice.quota())).toBe(row.quota)
  expect(receiptOf({ ...row, other: JSON.stringify(row.other) })?.charge).toBe(row.quota)
  return row.quota
}

const item = (type: string, index: number) => ({ id: `${type}_${index}`, type, status: 'completed' })
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
}
const response = (types: readonly string[]) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-4o',
  output: [...types.map(item), message],
  usage,
})

/** The same as a stream: each item is sent when it is done, and all are repeated at the end. */
function responseEvents(types: readonly string[]) {
  const whole = response(types)
  return [
    namedEvent('response.created', {
      type: 'response.created',
      response: { ...whole, status: 'in_progress', output: [], usage: null },
    }),
    ...whole.output.flatMap((one, output_index) => [
      namedEvent('response.output_item.added', { type: 'response.output_item.added', output_index, item: one }),
      namedEvent('response.output_item.done', { type: 'response.output_item.done', output_index, item: one }),
    ]),
    namedEvent('response.completed', { type: 'response.completed', response: whole }),
  ]
}

const searching = (search_context_size?: string, stream = false) => ({
  model: 'gpt-4o',
  input: 'What is new?',
  tools: [{ type: 'web_search', ...(search_context_size ? { search_context_size } : {}) }],
  stream,
})
const RESPONSES = '/v1/responses'
const TWO = ['web_search_call', 'web_search_call']

describe('web searches (docs/reference/billing.md#tools)', () => {
  it('are 10000 for two of gpt-4o, plain and streamed, for every form of reporting them', async () => {
    for (const size of [undefined, 'medium']) {
      expect(await charged(RESPONSES, searching(size), { body: response(TWO) })).toBe(TOKENS + 10_000)
      const events = responseEvents(TWO)
      expect(await charged(RESPONSES, searching(size, true), { events })).toBe(TOKENS + 10_000)
    }
  })

  it('cost the same for every context size, and do not include those that were offered but not made', async () => {
    expect(await charged(RESPONSES, searching('low'), { body: response(TWO) })).toBe(TOKENS + 10_000)
    expect(await charged(RESPONSES, searching('high'), { body: response(TWO) })).toBe(TOKENS + 10_000)
    expect(await charged(RESPONSES, searching(), { body: response([]) })).toBe(TOKENS)
  })

  it('are charged in addition to file searches, at 2.5 dollars a thousand', async () => {
    const files = ['file_search_call', 'file_search_call', 'file_search_call']
    expect(await charged(RESPONSES, searching(), { body: response(files) })).toBe(TOKENS + 3750)
    expect(await charged(RESPONSES, searching(), { body: response([...TWO, ...files]) })).toBe(TOKENS + 13_750)
  })

  it('are one an answer for chat models that search, by the size of their options', async () => {
    const ask = (model: string, size: string, stream = false) => ({
      model,
      stream,
      messages: [{ role: 'user', content: 'What is new?' }],
      web_search_options: { search_context_size: size },
    })
    const counted = { prompt: 800, completion: 0 }
    const large = ask('gpt-4o-search-preview', 'high')
    const cost = await charged('/v1/chat/completions', large, { body: chatAnswer('Hello', counted) })
    expect(cost - 25_000).toBe(TOKENS)
    const streamed = ask('gpt-4o-mini-search-preview', 'low', true)
    const events = chatStream(['Hello'], counted)
    const newer = { model: 'gpt-5-search-api', messages: streamed.messages }
    // 800 × 0.625, and 10 dollars per thousand searches.
    expect(await charged('/v1/chat/completions', newer, { body: chatAnswer('Hello', counted) })).toBe(500 + 5000)
    // 800 × 0.075, and 25 dollars per thousand searches.
    expect(await charged('/v1/chat/completions', streamed, { events })).toBe(60 + 12_500)
  })

  it('are ten dollars a thousand with Claude, and thirty-five for prompts that Gemini 2.5 searched for', async () => {
    const body = {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'Hello' }],
      usage: { input_tokens: 100, output_tokens: 20, server_tool_use: { web_search_requests: 3 } },
    }
    const claude = 'claude-sonnet-4-20250514'
    // (100 + 20 × 5) × 1.5, and three searches.
    expect(await charged('/v1/messages', dialects.anthropic.body(claude, false), { body })).toBe(300 + 15_000)
    const grounded = {
      candidates: [
        {
          content: { role: 'model', parts: [{ text: 'Hello' }] },
          finishReason: 'STOP',
          groundingMetadata: { webSearchQueries: ['new', 'newer'] },
        },
      ],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    }
    const path = dialects.gemini.path('gemini-2.5-pro', false)
    // (100 + 20 × 8) × 0.625 = 162.5, and one prompt with a search.
    expect(await charged(path, dialects.gemini.body(), { body: grounded })).toBe(17_663)
  })
})

describe('a model without a price (docs/reference/billing.md#price-lookup)', () => {
  const asks = (person: Person) => person.asks('nobody-priced-it', 'hi')
  const answer = { body: chatAnswer('Hello', { prompt: 10, completion: 5 }) }

  it('is refused without a request to a vendor', async () => {
    const { status, json } = await asks(alice)
    expect([status, json.error.code, world.upstream.requests.length]).toEqual([400, 'model_price_error', 0])
    expect((await lastReceipt(world, alice.id)).quota).toBe(0)
  })

  it('costs 37.5 for users who accept that, or for all in self-use mode', async () => {
    const bob = await world.user({ quota: 1_000_000 })
    const setting = JSON.stringify({ accept_unset_model_ratio_model: true })
    await world.gateway.inner.db.updateTable('users').set({ setting }).where('id', '=', bob.id).execute()
    world.upstream.answers(answer)
    expect((await asks(bob)).status).toBe(200)
    expect(await bob.quota()).toBe(1_000_000 - 563) // 15 × 37.5 = 562.5
    await world.option('SelfUseModeEnabled', true)
    const before = await alice.quota()
    expect((await asks(alice)).status).toBe(200)
    expect(before - (await alice.quota())).toBe(563)
    await world.option('SelfUseModeEnabled', false)
  })
})

describe('a vendor that fails (docs/reference/billing.md#missing-usage)', () => {
  const failing = (status: number, message: string): Answering => ({ status, body: { error: { message } } })

  it('with 503 is followed by the next, and only that one is charged; both are in the row', async () => {
    const first = await world.channel({ models: 'twice', priority: 9 })
    const second = await world.channel({ models: 'twice' })
    world.upstream.answers(failing(503, 'busy'), { body: chatAnswer('Hello', { prompt: 10, completion: 5 }) })
    const [count, before] = [(await receiptsOf(world, alice.id)).length, await alice.quota()]
    expect((await alice.asks('twice', 'hi')).content).toBe('Hello')
    const row = await lastReceipt(world, alice.id, count + 1)
    expect([row.quota, before - (await alice.quota())]).toEqual([15, 15])
    expect(row.other.admin_info.use_channel).toEqual([String(first), String(second)])
    expect((await receiptsOf(world, alice.id)).length).toBe(count + 1)
  })

  it('with 401 is switched off once, with all its routes, and costs nothing', async () => {
    await world.option('AutomaticDisableChannelEnabled', true)
    const id = await world.channel({ models: 'locked,also-locked' })
    world.upstream.answers(failing(401, 'Incorrect API key provided'))
    const before = await alice.quota()
    const answers = await Promise.all(Array.from({ length: 8 }, () => alice.asks('locked', 'hi')))
    for (const { status } of answers) expect(status).not.toBe(200)
    const { db } = world.gateway.inner
    const channel = () => db.selectFrom('channels').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    await expect.poll(async () => (await channel()).status).toBe(3)
    const { registry } = world.gateway.inner
    expect(['also-locked', 'locked'].map((model) => registry.tiers('default', model))).toEqual([[], []])
    const asked = world.upstream.requests.length
    expect((await alice.asks('also-locked', 'hi')).status).toBe(503)
    expect(world.upstream.requests.length).toBe(asked)
    expect([(await channel()).used_quota, before - (await alice.quota())]).toEqual([0, 0])
  })
})

describe('a Gemini vendor that reports false usage (docs/reference/security.md#money)', () => {
  it('is not partly trusted: an estimate replaces all its figures', async () => {
    const path = dialects.gemini.path('gemini-2.5-pro', false)
    for (const lie of [-1, 10.5, '10', 1e308]) {
      world.upstream.answers({
        body: {
          candidates: [{ content: { role: 'model', parts: [{ text: 'The quick brown fox' }] }, finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: lie, candidatesTokenCount: 5 },
        },
      })
      await alice.calls(path, dialects.gemini.body())
      const { other, prompt_tokens } = await lastReceipt(world, alice.id)
      expect([other.usage_source === 'upstream', prompt_tokens > 5]).toEqual([false, true])
    }
  })
})
