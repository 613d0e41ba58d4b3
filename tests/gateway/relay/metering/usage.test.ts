import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream, usageOf } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, receiptsOf, recomputed } from './receipts.ts'

let world: World
let alice: Person
const GIVEN = 1_000_000_000

beforeAll(async () => {
  world = await aWorld({
    options: {
      ModelRatio: { 'gpt-4o': 1.25, cheap: 0.0001, free: 0 },
      CompletionRatio: { 'gpt-4o': 4 },
      CacheRatio: { 'gpt-4o': 0.5 },
      ModelPrice: { fixed: 0.003 },
      GroupRatio: { default: 1, vip: 0.7 },
      GroupGroupRatio: { vip: { vip: 0.33 } },
    },
  })
  await world.channel({ models: 'gpt-4o,cheap,free,fixed', group: 'default,vip' })
  alice = await world.user({ quota: GIVEN })
})
beforeEach(() => world.upstream.reset())

const spentOn = async (work: () => Promise<unknown>) => {
  const before = await alice.quota()
  await work()
  const receipt = await lastReceipt(world, alice.id)
  expect(before - (await alice.quota())).toBe(receipt.quota)
  return receipt
}
const plain = (more: object) => ({ body: { ...chatAnswer('The quick brown fox jumps'), ...more } })
const streamed = (usage: unknown) => {
  const events = chatStream(['The quick ', 'brown fox jumps'], null)
  return { events: usage === undefined ? events : events.toSpliced(-1, 0, { choices: [], usage }) }
}

const lies: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['an empty object', {}],
  ['zeros', { prompt_tokens: 0, completion_tokens: 0 }],
  ['a negative prompt', { prompt_tokens: -5, completion_tokens: 5 }],
  ['a negative completion', { prompt_tokens: 10, completion_tokens: -500_000_000 }],
  ['fractions', { prompt_tokens: 10.5, completion_tokens: 5 }],
  ['texts', { prompt_tokens: '10', completion_tokens: '5' }],
  ['the largest number', { prompt_tokens: 1e308, completion_tokens: 5 }],
  ['more than anybody reads', { prompt_tokens: 10, completion_tokens: 20_000_000 }],
  ['a list', [10, 5]],
]

describe('an upstream that counts wrongly (docs/reference/security.md#money, docs/reference/billing.md#missing-usage)', () => {
  it.each(lies)('is not trusted where it reports %s, and costs the same plain and streamed', async (_, usage) => {
    world.upstream.answers(plain({ usage }), streamed(usage))
    const first = await spentOn(() => alice.asks('gpt-4o', 'hello there'))
    const second = await spentOn(() => alice.asks('gpt-4o', 'hello there', { stream: true }))
    for (const { prompt_tokens, completion_tokens, other, quota } of [first, second]) {
      expect(other.usage_source).toBe('counted')
      expect(completion_tokens).toBeGreaterThanOrEqual(4)
      expect(completion_tokens).toBeLessThanOrEqual(12)
      expect(prompt_tokens).toBeGreaterThan(2)
      expect(prompt_tokens).toBeLessThan(20)
      expect(quota).toBe(first.quota)
    }
  })

  it('is not trusted about its cache, beyond the tokens it read', async () => {
    for (const cached_tokens of [-1, 0.5, '7', 1e300]) {
      world.upstream.answers(plain({ usage: { ...usageOf({}), prompt_tokens_details: { cached_tokens } } }))
      expect((await spentOn(() => alice.asks('gpt-4o', 'hi'))).other.cache_tokens).toBe(0)
    }
    world.upstream.answers(plain({ usage: { ...usageOf({}), prompt_tokens_details: { cached_tokens: 500 } } }))
    expect((await spentOn(() => alice.asks('gpt-4o', 'hi'))).other.cache_tokens).toBe(10)
  })

  it('preserves the earlier figures that were right', async () => {
    const events = streamed(usageOf({ prompt: 70, completion: 30 })).events
    world.upstream.streams(events.toSpliced(-1, 0, { choices: [], usage: { prompt_tokens: -1, completion_tokens: 1 } }))
    expect(await spentOn(() => alice.asks('gpt-4o', 'hi', { stream: true }))).toMatchObject({
      prompt_tokens: 70,
      completion_tokens: 30,
    })
  })

  it('is never charged for more than the caller allowed where it only estimates', async () => {
    world.upstream.answers(plain({ usage: undefined }))
    const { completion_tokens } = await spentOn(() => alice.asks('gpt-4o', 'hi', { body: { max_tokens: 2 } }))
    expect(completion_tokens).toBe(2)
  })

  it('counts tokens that came as numbers', async () => {
    world.upstream.answers({ body: { object: 'list', data: [], model: 'x' } })
    const { prompt_tokens } = await spentOn(() =>
      alice.calls('/v1/embeddings', { model: 'gpt-4o', input: [[1, 2, 3], [4]] }),
    )
    expect(prompt_tokens).toBe(4)
  })
})

describe('the cost of a request (docs/reference/billing.md#charge)', () => {
  it('is the same plain and streamed, cached tokens at their own ratio', async () => {
    const counted = { prompt: 1000, completion: 200, cached: 400 }
    world.upstream.answers({ body: chatAnswer('x', counted) }, { events: chatStream(['x'], counted) })
    expect((await spentOn(() => alice.asks('gpt-4o', 'hi'))).quota).toBe(2000)
    expect((await spentOn(() => alice.asks('gpt-4o', 'hi', { stream: true }))).quota).toBe(2000)
  })

  it('does not change with a price that changes meanwhile', async () => {
    world.upstream.streams(chatStream(['a', 'b', 'c'], { prompt: 100, completion: 20 }), { gapMs: 60 })
    const receipt = await spentOn(async () => {
      const asking = alice.asks('gpt-4o', 'hi', { stream: true })
      await expect.poll(() => world.upstream.requests.length).toBe(1)
      await world.option('ModelRatio', { 'gpt-4o': 100, cheap: 0.0001, free: 0 })
      await asking
    })
    expect([receipt.quota, receipt.other.model_ratio]).toEqual([225, 1.25])
    await world.option('ModelRatio', { 'gpt-4o': 1.25, cheap: 0.0001, free: 0 })
  })

  it('does not count an error inside a stream as output', async () => {
    const [first] = chatStream(['One'])
    world.upstream.streams([first!, { error: { message: 'word '.repeat(5000), type: 'server_error' } }])
    const { completion_tokens, other } = await spentOn(() => alice.asks('gpt-4o', 'hi', { stream: true }))
    expect(completion_tokens).toBeLessThanOrEqual(2)
    expect(other.ended).toBe('upstream-error')
  })

  it('is that of the delivered part where the upstream breaks off, and nothing where that was empty', async () => {
    const events = chatStream(['word '.repeat(100), 'more'], null)
    world.upstream.streams(events, { cutAfter: 1 })
    const cut = await spentOn(() => alice.asks('gpt-4o', 'hi', { stream: true }))
    expect(cut.other).toMatchObject({ ended: 'upstream-broken', usage_source: 'counted' })
    expect(cut.completion_tokens).toBeGreaterThan(90)
    expect(cut.completion_tokens).toBeLessThan(160)
    world.upstream.streams([Buffer.from(': ping\n\n'), 'never'], { cutAfter: 1 })
    expect((await spentOn(() => alice.asks('gpt-4o', 'hi', { stream: true }))).quota).toBe(0)
  })

  it('can be recomputed from its receipt, for every kind of price', async () => {
    const vip = await world.user({ group: 'vip', quota: GIVEN })
    for (const person of [alice, vip])
      for (const model of ['gpt-4o', 'cheap', 'free', 'fixed'])
        for (const counted of [{}, { prompt: 7, completion: 1 }, { prompt: 1001, completion: 333, cached: 77 }]) {
          world.upstream.answers({ body: chatAnswer('x', counted) })
          await person.asks(model, 'hi')
          world.upstream.reset()
        }
    for (const person of [alice, vip]) {
      const books = await balancesOf(world, person.id, GIVEN)
      expect(books.balanced).toBe(true)
      for (const receipt of books.receipts.filter(({ type }) => type === 2))
        expect(receipt.quota).toBe(recomputed(receipt))
    }
    const [receipt] = (await receiptsOf(world, vip.id)).slice(-1)
    expect(receipt?.other).toMatchObject({ group_ratio: 0.33, user_group_ratio: 0.33, model_price: 0.003 })
    expect(receipt?.quota).toBe(495)
  })
})
