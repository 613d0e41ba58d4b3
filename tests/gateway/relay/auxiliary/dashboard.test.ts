import { describe, expect, it } from 'vitest'
import { aWorld, type Options, type Wanted } from '../../../support/world.ts'
import { onTheWire } from '../delivery/wire.ts'

const QPU = 500_000
const paths = (part: string) => [`/v1/dashboard/billing/${part}`, `/dashboard/billing/${part}`]

async function asked(options: Options, token: object, part: string, wanted: Wanted = {}) {
  const world = await aWorld({ ...wanted, options })
  const user = await world.user({ quota: 10 * QPU })
  const { key } = await world.token(user, token)
  const { db } = world.gateway.inner
  await db.updateTable('tokens').set({ used_quota: QPU }).where('user_id', '=', user.id).execute()
  await db
    .updateTable('users')
    .set({ used_quota: 3 * QPU })
    .where('id', '=', user.id)
    .execute()
  const answers = await Promise.all(paths(part).map((path) => onTheWire(world, path, { method: 'GET', key })))
  expect(answers[0]?.text).toBe(answers[1]?.text)
  return JSON.parse(answers[0]?.text ?? '')
}

const limited = { unlimited_quota: false, remain_quota: 4 * QPU, expired_time: 1_900_000_000 }
const limits = (usd: number) => ({ soft_limit_usd: usd, hard_limit_usd: usd, system_hard_limit_usd: usd })

describe('the billing dashboard (docs/reference/endpoints.md#billing-dashboard)', () => {
  it.each<[Options, object, object]>([
    [{}, limited, { ...limits(5), access_until: 1_900_000_000 }],
    [{ DisplayInCurrencyEnabled: false }, limited, { ...limits(5 * QPU), access_until: 1_900_000_000 }],
    [{}, { expired_time: -1 }, { ...limits(100_000_000), access_until: 0 }],
    [{ DisplayTokenStatEnabled: false }, limited, { ...limits(13), access_until: 0 }],
    [{ DisplayTokenStatEnabled: false, DisplayInCurrencyEnabled: false }, {}, { ...limits(13 * QPU), access_until: 0 }],
  ])('subscription with %o for a token %o', async (options, token, figures) => {
    const told = await asked(options, token, 'subscription')
    expect(told).toEqual({ object: 'billing_subscription', has_payment_method: true, ...figures })
  })

  it.each<[Options, number]>([
    [{}, 100],
    [{ DisplayInCurrencyEnabled: false }, 100 * QPU],
    [{ DisplayTokenStatEnabled: false }, 300],
  ])('usage with %o', async (options, total_usage) => {
    expect(await asked(options, limited, 'usage')).toEqual({ object: 'list', total_usage })
  })

  it('includes a charge of a moment ago', async () => {
    const world = await aWorld({ options: { ModelPrice: { 'gpt-4o': 0.5 } } })
    await world.channel()
    await world.admin.asks('gpt-4o', 'hi')
    const key = await world.admin.key()
    const { text } = await onTheWire(world, '/v1/dashboard/billing/usage', { method: 'GET', key })
    expect(JSON.parse(text)).toEqual({ object: 'list', total_usage: 50 })
  })

  it('refuses as every other route does', async () => {
    const world = await aWorld()
    const user = await world.user()
    const { key } = await world.token(user, { allow_ips: '203.0.113.1' })
    for (const path of paths('usage')) {
      expect((await onTheWire(world, path, { method: 'GET' })).status).toBe(401)
      expect((await onTheWire(world, path, { method: 'GET', key })).error.code).toBe('ip_not_allowed')
      expect((await onTheWire(world, path, { method: 'POST', key })).status).toBe(404)
    }
    expect((await onTheWire(world, '/dashboard/billing/credit_grants', { method: 'GET', key })).status).toBe(404)
  })

  it('reports with status 200 failures after the key was accepted', async () => {
    const world = await aWorld({ options: { DisplayTokenStatEnabled: false } })
    const user = await world.user()
    const key = await user.key()
    await onTheWire(world, '/v1/models', { method: 'GET', key })
    await world.gateway.inner.db.deleteFrom('users').where('id', '=', user.id).execute()
    const answer = await onTheWire(world, '/v1/dashboard/billing/usage', { method: 'GET', key })
    expect([answer.status, answer.error.type]).toEqual([200, 'switchyard_error'])
    expect(answer.error.message).toContain('no longer exists')
  })

  it('counts against the limit of the caller’s network, unlike the relayed calls', async () => {
    const world = await aWorld({ config: { GLOBAL_API_RATE_LIMIT: '20' } })
    const key = await world.admin.key()
    const ask = (path: string) =>
      onTheWire(world, path, { method: 'GET', key, headers: { 'x-forwarded-for': '198.51.100.7' } })
    let last = await ask('/v1/dashboard/billing/usage')
    for (let call = 0; call < 40 && last.status === 200; call += 1) last = await ask('/v1/dashboard/billing/usage')
    expect(last.status).toBe(429)
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
    expect((await ask('/dashboard/billing/subscription')).status).toBe(429)
    expect((await ask('/v1/models')).status).toBe(200)
  })
})
