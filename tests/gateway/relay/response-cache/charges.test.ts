import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiptOf } from '../../../../shared/receipt.ts'
import { chatAnswer } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { callRelay } from '../../../support/relay-client.ts'
import { fraction, nearest, product } from '../../billing/fraction.ts'
import { aCachedFixture, asVendor, type CachedFixture, cacheOf, zero } from './cached-fixture.ts'

let fixture: CachedFixture
const asks = (body: unknown, key = fixture.key) => callRelay(`${fixture.world.url}/v1/chat/completions`, body, { key })
const asked = () => fixture.world.upstream.requests.length

beforeAll(async () => {
  fixture = await aCachedFixture()
})
beforeEach(() => asVendor(fixture.world))

async function lastRow() {
  const { db, ledger } = fixture.world.gateway.inner
  await ledger.flush()
  const row = await db.selectFrom('logs').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  return { ...row, facts: JSON.parse(row.other) }
}

/**
 * The full, unrounded cost of a request by model: 333 prompt and 77 completion tokens, 40 of the former read from a
 * vendor's cache at half price.
 */
const exact = {
  m: product(fraction('390')),
  odd: product(fraction('0.33337'), fraction('674.9')),
  call: product(fraction('0.0031'), fraction('500000')),
} as const
const vendorSays = chatAnswer('hi', { prompt: 333, completion: 77, cached: 40 })

describe('a hit costs its share of the price (docs/reference/cache.md#price-of-a-hit)', () => {
  beforeAll(() => fixture.world.option('CacheRatio', { m: 0.5, odd: 0.5 }))
  beforeEach(() => {
    fixture.world.upstream.reset()
    fixture.world.upstream.answers({ body: vendorSays })
  })

  const cases = (['m', 'odd', 'call'] as const).flatMap((model) =>
    ['0', '0.5', '1', '0.333', '0.000001'].map((ratio) => [model, ratio] as const),
  )
  it.each(cases)('%s × %s, exactly, as in its receipt', async (model, ratio) => {
    await fixture.world.option('ResponseCacheHitRatio', Number(ratio))
    const body = zero(`cost of ${model} × ${ratio}`, { model })
    await asks(body)
    const full = await lastRow()
    expect(full.quota).toBe(Number(nearest(exact[model])))
    fixture.world.clock.advanceSeconds(5)
    const before = await fixture.alice.quota()

    expect(cacheOf(await asks(body))).toBe('hit')

    const row = await lastRow()
    const share = Number(nearest(product(exact[model], fraction(ratio))))
    const charge = ratio === '0' ? 0 : Math.max(share, 1)
    expect({
      charge: row.quota,
      moved: before - (await fixture.alice.quota()),
      receipt: receiptOf(row)?.charge,
    }).toEqual({
      charge,
      moved: charge,
      receipt: charge,
    })
    expect(row).toMatchObject({
      type: 2,
      channel_id: 0,
      prompt_tokens: 333,
      completion_tokens: 77,
      token_id: fixture.tokenId,
    })
    expect(row.facts).toMatchObject({
      cache_hit: true,
      cache_hit_ratio: Number(ratio),
      cache_hit_age: 5,
      usage_source: 'upstream',
    })
    expect([row.facts.admin_info.use_channel, row.content]).toEqual([
      [],
      expect.stringContaining(`cache hit × ${Number(ratio)}`),
    ])
    expect(full.facts.cache_hit).toBeUndefined()
    expect(receiptOf(full)).toMatchObject({ charge: full.quota, hitRatio: null })
  })

  it('moves no channel, and the books agree', async () => {
    const { inner } = fixture.world.gateway
    await fixture.world.option('ResponseCacheHitRatio', 1)
    const used = async () =>
      (await inner.db.selectFrom('channels').select('used_quota').where('id', '=', 1).executeTakeFirstOrThrow())
        .used_quota
    await asks(zero('books'))
    await inner.ledger.flush()
    const before = await used()
    await asks(zero('books'))
    await inner.ledger.flush()
    expect(await used()).toBe(before)
    expect(await reconcile(inner.db)).toEqual([])
  })

  it('counts in the budgets and the quota of its token', async () => {
    await fixture.world.option('ResponseCacheHitRatio', 0.5)
    const fields = { response_cache: true, unlimited_quota: false, remain_quota: 1000, budgets: { day: 1000 } }
    const { key, id } = await fixture.world.token(fixture.alice, { ...fields })
    const body = zero('budget', { max_tokens: 100 })
    await asks(body, key)
    expect(cacheOf(await asks(body, key))).toBe('hit')
    const token = dataOf(await fixture.alice.get(`/api/token/${id}`))
    expect([token.remain_quota, token.budget_use[0].used]).toEqual([1000 - 390 - 195, 390 + 195])
  })

  it('uses a channel where the remaining quota pays only for a shorter answer', async () => {
    await fixture.world.option('ResponseCacheHitRatio', 1)
    const { key, id } = await fixture.world.token(fixture.alice, {
      response_cache: true,
      unlimited_quota: false,
      remain_quota: 5000,
    })
    const body = zero('short')
    await asks(body, key)
    const { inner } = fixture.world.gateway
    await inner.ledger.changeToken({ tokenId: id, delta: -5000 + 390 + 100 })
    const answer = await asks(body, key)
    expect([answer.status, cacheOf(answer), asked()]).toEqual([200, 'miss', 2])
    expect(
      fixture.world.upstream.last().json.max_tokens ?? fixture.world.upstream.last().json.max_completion_tokens,
    ).toBeLessThan(100)
    await inner.ledger.changeToken({ tokenId: id, delta: 100_000 })
    expect((await asks(body, key)).text, 'the longer answer stayed').toContain('hi')
  })
})

describe('a hit is checked as any request is (docs/reference/cache.md#cached-requests)', () => {
  const kept = async (fields: object = {}) => {
    await fixture.world.option('ResponseCacheHitRatio', 0)
    const token = await fixture.world.token(fixture.alice, { response_cache: true, ...fields })
    const body = zero(`checked ${token.id}`)
    expect(cacheOf(await asks(body, token.key))).toBe('stored')
    return { ...token, body }
  }

  it.each([
    ['disabled', async (id: number) => fixture.alice.put('/api/token?status_only=true', { id, status: 2 }), 401],
    ['deleted', async (id: number) => fixture.alice.delete(`/api/token/${id}`), 401],
    ['given another key', async (id: number) => fixture.alice.post(`/api/token/${id}/key`), 401],
    [
      'for other models',
      async (id: number) => fixture.alice.put('/api/token', { id, model_limits_enabled: true, model_limits: 'odd' }),
      403,
    ],
    ['for other addresses', async (id: number) => fixture.alice.put('/api/token', { id, allow_ips: '10.0.0.1' }), 403],
  ])('a token that is %s', async (_, change, status) => {
    const { id, key, body } = await kept()
    dataOf(await change(id))
    const refused = await asks(body, key)
    expect([refused.status, cacheOf(refused), asked()]).toEqual([status, null, 1])
  })

  it('a token that has expired, that is used up, that sends too many requests', async () => {
    const { db, ledger } = fixture.world.gateway.inner
    const now = Math.floor(fixture.world.clock.now() / 1000)
    const short = await kept({ expired_time: now + 60 })
    const poor = await kept({ unlimited_quota: false, remain_quota: 100_000 })
    const often = await kept({ requests_per_minute: 2 })
    expect(cacheOf(await asks(often.body, often.key))).toBe('hit')
    expect((await asks(often.body, often.key)).status).toBe(429)
    await ledger.flush()
    const { remain_quota } = await db
      .selectFrom('tokens')
      .select('remain_quota')
      .where('id', '=', poor.id)
      .executeTakeFirstOrThrow()
    await ledger.changeToken({ tokenId: poor.id, delta: -remain_quota })
    expect((await asks(poor.body, poor.key)).status).toBe(403)
    fixture.world.clock.advanceSeconds(61)
    expect((await asks(short.body, short.key)).status).toBe(401)
    expect(asked()).toBe(3)
  })

  it('a model that no channel offers any more', async () => {
    const id = await fixture.world.channel({ models: 'gone' })
    await fixture.world.option('ModelRatio', { gone: 1, m: 1 })
    const body = zero('gone', { model: 'gone' })
    await asks(body)
    expect(cacheOf(await asks(body))).toBe('hit')
    dataOf(await fixture.world.admin.put('/api/channel', { id, status: 2 }))
    expect((await asks(body)).status).toBe(503)
  })

  it('leaves no word of itself with cooldowns, affinity or the clients of a channel', async () => {
    const { body, key } = await kept()
    const { db, registry } = fixture.world.gateway.inner
    const before = await db.selectFrom('channel_upstream_seen').selectAll().execute()
    expect(cacheOf(await asks(body, key))).toBe('hit')
    expect([await db.selectFrom('channel_upstream_seen').selectAll().execute(), registry.channel(1)?.status]).toEqual([
      before,
      1,
    ])
  })
})
