import { describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../support/chat.ts'
import { reconcile } from '../support/reconcile.ts'
import type { Script } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/** Quota reserved for a short prompt with this output limit, and its final cost: one unit per token. */
const OUTPUT = 100
const HELD = 500 + OUTPUT
const COST = 40
const CALLS = 100

/** The limit under test is the money, not the slots. */
const config = { MAX_REQUESTS_PER_USER: '0', MAX_REQUESTS_PER_KEY: '0' }
const options = { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 }, RetryTimes: 0 } as const

/**
 * A vendor that holds all responses until the gateway has refused `refused` callers, so that all calls are concurrent.
 */
async function aCrowdedWorld(refused: number): Promise<{ world: World; onRefused: () => void }> {
  const world = await aWorld({ options, config })
  await world.channel({ models: 'm', setting: '{"allow_account_data":true}' })
  let left = refused
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  world.upstream.answers(async ({ json }) => {
    await gate
    const counted = { prompt: 30, completion: COST - 30 }
    return json.stream ? { events: chatStream(['a', 'b'], counted) } : { body: chatAnswer('ab', counted) }
  })
  const onRefused = () => {
    left -= 1
    if (left === 0) open()
  }
  return { world, onRefused }
}

async function statuses(asks: readonly (() => Promise<{ status: number; json: unknown }>)[], onRefused: () => void) {
  const answers = await Promise.all(
    asks.map(async (ask) => {
      const answer = await ask()
      if (answer.status !== 200) onRefused()
      return answer
    }),
  )
  return {
    served: answers.filter(({ status }) => status === 200).length,
    refused: answers.filter(({ status }) => status === 403).map(({ json }) => json),
  }
}

const ask = (person: Person, index: number, key?: string, signal?: AbortSignal) => () => {
  const more = { ...(key ? { key } : {}), ...(signal ? { signal } : {}) }
  return person.asks('m', 'hello', { stream: index % 2 === 0, body: { max_tokens: OUTPUT }, ...more })
}

describe('a hundred calls at once with quota for five (docs/reference/security.md#money)', () => {
  it('serve five of the user’s, over all the user’s tokens, and the balance is exact', async () => {
    const { world, onRefused } = await aCrowdedWorld(CALLS - 5)
    const alice = await world.user({ quota: 5 * HELD + 3 })
    const keys = [await alice.key(), (await world.token(alice)).key, (await world.token(alice)).key]
    const asks = Array.from({ length: CALLS }, (_, index) => ask(alice, index, keys[index % 3]))
    const { served, refused } = await statuses(asks, onRefused)
    expect([served, refused.length]).toEqual([5, CALLS - 5])
    for (const json of refused) expect(json).toMatchObject({ error: { code: 'insufficient_user_quota' } })
    expect(world.upstream.requests).toHaveLength(5)
    expect(await alice.quota()).toBe(5 * HELD + 3 - 5 * COST)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('serve five of a limited token’s, no matter how much the user has', async () => {
    const { world, onRefused } = await aCrowdedWorld(CALLS - 5)
    const alice = await world.user({ quota: 1_000_000 })
    const { id, key } = await world.token(alice, { unlimited_quota: false, remain_quota: 5 * HELD + 3 })
    const asks = Array.from({ length: CALLS }, (_, index) => ask(alice, index, key))
    const { served, refused } = await statuses(asks, onRefused)
    expect([served, refused.length]).toEqual([5, CALLS - 5])
    for (const json of refused) expect(json).toMatchObject({ error: { code: 'pre_consume_token_quota_failed' } })
    expect(world.upstream.requests).toHaveLength(5)
    expect(await alice.quota()).toBe(1_000_000 - 5 * COST)
    const { data } = await alice.get(`/api/token/${id}`)
    expect(data).toMatchObject({ remain_quota: 5 * HELD + 3 - 5 * COST, used_quota: 5 * COST })
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('reserve for a rich user as well: no request is served on trust', async () => {
    const { world, onRefused } = await aCrowdedWorld(1)
    const [long, quota] = [5500, 200 * HELD]
    const alice = await world.user({ quota })
    const asks = Array.from({ length: 21 }, () => () => alice.asks('m', 'hello', { body: { max_tokens: long } }))
    const { served, refused } = await statuses(asks, onRefused)
    expect([served, refused.length]).toEqual([20, 1])
    expect(await alice.quota()).toBe(quota - 20 * COST)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('pay for a file that only the vendor sees the length of with all there is, one call at a time', async () => {
    const { world, onRefused } = await aCrowdedWorld(3)
    const alice = await world.user({ quota: 60_000 })
    const file = { type: 'file', file: { file_id: 'file_1' } }
    const body = { max_tokens: 16, messages: [{ role: 'user', content: [file] }] }
    const asks = Array.from({ length: 4 }, () => () => alice.asks('m', '', { body }))
    const { served, refused } = await statuses(asks, onRefused)
    expect([served, refused.length]).toEqual([1, 3])
    expect(await alice.quota()).toBe(60_000 - COST)
  })

  it.each([
    ['searches', { tools: [{ type: 'web_search', max_uses: -1000 }, { type: 'file_search' }], max_tool_calls: 1001 }],
    ['thought', { model: 'qwen-m', enable_thinking: true, thinking_budget: -1e9 }],
  ])('gain nothing by one that allows a negative number of %s', async (_, members) => {
    const ratios = { m: 1, 'qwen-m': 1 }
    const world = await aWorld({ options: { ...options, ModelRatio: ratios, CompletionRatio: ratios }, config })
    await world.channel({ models: 'm,qwen-m' })
    const alice = await world.user({ quota: 5 * HELD })
    world.upstream.answers({ hang: true })
    const left = new AbortController()
    const first = alice.asks('m', 'hello', { body: { max_tokens: OUTPUT, ...members }, signal: left.signal })
    first.catch(() => undefined)
    await expect.poll(() => world.upstream.requests.length).toBe(1)
    // The remaining quota is reserved for it.
    const next = await alice.asks('m', 'hello', { body: { max_tokens: OUTPUT } })
    expect([next.status, next.json]).toMatchObject([403, { error: { code: 'insufficient_user_quota' } }])
    left.abort()
  })

  it('leave no reservation when they fail or are hung up on', async () => {
    const world = await aWorld({ options })
    await world.channel({ models: 'm' })
    const alice = await world.user({ quota: 5 * HELD })
    world.upstream.answers({ status: 500, body: { error: { message: 'no' } } })
    await Promise.all(Array.from({ length: 20 }, (_, index) => ask(alice, index)()))
    const { promise, resolve } = Promise.withResolvers<Script>()
    world.upstream.answers(() => promise)
    const leaving = new AbortController()
    const left = Array.from({ length: 5 }, () => expect(ask(alice, 1, undefined, leaving.signal)()).rejects.toThrow())
    // None of them may arrive later and be handled normally.
    await expect.poll(() => world.upstream.requests.length).toBe(25)
    leaving.abort()
    await Promise.all(left)
    resolve({ status: 500, body: { error: { message: 'no' } } })
    world.upstream.answers({ body: chatAnswer('ab', { prompt: 30, completion: 10 }) })
    const { ledger } = world.gateway.inner
    const everything = { requestId: 'everything', userId: alice.id, tokenId: 0, quota: 5 * HELD }
    await expect.poll(() => Promise.resolve(ledger.hold(everything)).then((hold) => hold.release())).toBeUndefined()
    const all = { body: { max_tokens: 4 * HELD } }
    expect((await alice.asks('m', 'hello', all)).status).toBe(200)
    expect(await alice.quota()).toBe(5 * HELD - COST)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })
})

describe('a model whose output exceeds the reservation', () => {
  it('is expected to do so from then on: calls at once do not spend more than there is', async () => {
    const world = await aWorld({ options: { ...options, DefaultMaxOutput: 100, PreConsumedQuota: 1 } })
    await world.channel({ models: 'm' })
    // The vendor respects the requested output limit.
    world.upstream.answers(({ json }) => ({
      body: chatAnswer('ab', { prompt: 10, completion: Math.min(json.max_tokens ?? 3000, 3000) }),
    }))
    const alice = await world.user({ quota: 10_000 })
    await alice.asks('m', 'hello')
    expect(await alice.quota()).toBe(10_000 - 3010)
    const answers = await Promise.all(Array.from({ length: 5 }, () => alice.asks('m', 'hello')))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(2)
    expect(await alice.quota()).toBeGreaterThanOrEqual(0)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })
})

describe('calls at once by many keys with small limits of one account', () => {
  it.each([
    ['limits', { unlimited_quota: false, remain_quota: 300 }],
    ['budgets', { budgets: { minute: 300 } }],
  ])('reserve the whole cost from the account: %s', async (_, fields) => {
    const world = await aWorld({ options, config })
    await world.channel({ type: 14, models: 'm' })
    const { promise: all, resolve } = Promise.withResolvers<void>()
    setTimeout(resolve, 500)
    const usage = { input_tokens: 150_000, output_tokens: 100, server_tool_use: { web_search_requests: 10 } }
    const content = [{ type: 'text', text: 'found' }]
    world.upstream.answers(async () => {
      await all
      return {
        body: { id: 'm', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', content, usage },
      }
    })
    const mallory = await world.user({ quota: 60_000 })
    const keys: string[] = []
    for (let made = 0; made < 20; made += 1) keys.push((await world.token(mallory, fields)).key)
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 10 }]
    const call = { model: 'm', max_tokens: 100, tools, messages: [{ role: 'user', content: 'search' }] }
    const answers = await Promise.all(keys.map((key) => mallory.calls('/v1/messages', call, { key })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })
})
