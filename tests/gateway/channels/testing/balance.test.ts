import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { createHealth } from '../../../../gateway/channels/health/health.ts'
import { createBalance } from '../../../../gateway/channels/testing/balance.ts'
import { balanceCalls } from '../../../../gateway/channels/testing/balance-calls.ts'
import { createRuns } from '../../../../gateway/channels/testing/runs.ts'
import { createFailureWindow } from '../../../../gateway/shared-state/failure-window.ts'
import { channelStore } from '../../../../gateway/store/channels/channels.ts'
import { atAVendor } from '../at-a-vendor.ts'
import { clock, NOW, settingsWith } from '../workshop.ts'

const { fetchTrusted, db, parts, server, make, first } = atAVendor()

describe('the balance of an upstream', () => {
  const bench = async (values: Record<string, string> = {}) => {
    const settings = await settingsWith({ USDExchangeRate: '8', ...values })
    const shared = { db: db(), registry: parts().registry, settings, clock, log: silentLogger }
    const runs = createRuns(shared)
    return createBalance({
      ...shared,
      runs,
      health: createHealth({ ...shared, failures: createFailureWindow(clock) }),
      fetchTrusted,
    })
  }
  const limit = (has_payment_method: boolean) => ({ body: { hard_limit_usd: 20, has_payment_method } })

  it.each([
    [10, '/api/report/getUserOverview', { data: { totalPoints: 12.5 } }, 12.5],
    [12, '/dashboard/billing/credit_grants', { total_remaining: '3.5' }, 3.5],
    [13, '/dashboard/billing/credit_grants', { total_available: 4 }, 4],
    [20, '/v1/credits', { data: { total_credits: 10, total_usage: 2.5 } }, 7.5],
    [25, '/v1/users/me/balance', { data: { available_balance: 16 } }, 2],
    [40, '/v1/user/info', { code: 20_000, data: { totalBalance: '80' } }, 10],
    [43, '/user/balance', { balance_infos: [{ currency: 'CNY', total_balance: '4.00' }] }, 0.5],
    [43, '/user/balance', { balance_infos: [{ currency: 'USD', total_balance: '4.00' }] }, 4],
  ])('of type %i is read from %s and stored in dollars', async (type, path, body, dollars) => {
    server().replies[path] = { body }
    await make(type)
    expect(await (await bench()).one((await first()).id)).toBe(dollars)
    expect(await first()).toMatchObject({ balance: dollars, balance_updated_time: NOW })
    const key = type === 10 ? server().heard[0]?.headers['api-key'] : server().heard[0]?.headers.authorization
    expect(key).toBe(type === 10 ? 'sk-one' : 'Bearer sk-one')
  })

  it.each([
    [true, 'start_date=2025-06-01&end_date=2025-06-15'],
    [false, 'start_date=2025-03-07&end_date=2025-06-15'],
  ])('is the limit less the use, since the first of the month when they pay: %s', async (pays, span) => {
    server().replies['/v1/dashboard/billing/subscription'] = limit(pays)
    server().replies['/v1/dashboard/billing/usage'] = { body: { total_usage: 550 } }
    await make(1)
    expect(await (await bench()).one((await first()).id)).toBe(14.5)
    expect(server().heard[1]?.url).toBe(`/v1/dashboard/billing/usage?${span}`)
  })

  it('of a custom channel is found next to the path of its calls', async () => {
    server().replies['/p/v1/dashboard/billing/subscription'] = limit(true)
    server().replies['/p/v1/dashboard/billing/usage'] = { body: { total_usage: 0 } }
    await make(8, { base_url: `${server().base}/p/v1/chat/completions` })
    expect(await (await bench()).one((await first()).id)).toBe(20)
  })

  it('is unknown for other types, and an unreadable response is refused', async () => {
    const { one } = await bench()
    await make(14)
    await expect(one((await first()).id)).rejects.toMatchObject({ key: 'channel.balance_na' })
    expect(server().heard).toEqual([])
    await parts().clear()
    await make(40)
    await expect(one((await first()).id)).rejects.toMatchObject({
      key: 'relay.upstreamStatus',
      params: { status: 404 },
    })
    server().replies['/v1/user/info'] = { body: { code: 1, data: { totalBalance: '5' } } }
    await expect(one((await first()).id)).rejects.toMatchObject({ key: 'relay.upstreamUnreadable' })
    expect((await first()).balance_updated_time).toBe(0)
    await expect(one(999_999)).rejects.toMatchObject({ key: 'channel.not_found' })
  })

  it.each([
    [20, '/v1/credits', { data: { total_credits: 1e308, total_usage: -1e308 } }],
    [20, '/v1/credits', { data: { total_credits: 2e12, total_usage: 0 } }],
    [43, '/user/balance', { balance_infos: Array.from({ length: 100_000 }, () => 0) }],
  ])('of type %i is not stored where no account has as much: %s', async (type, path, body) => {
    server().replies[path] = { body }
    await make(type)
    const { id } = await first()
    await expect((await bench()).one(id)).rejects.toMatchObject({ key: 'relay.upstreamUnreadable' })
    expect(await first()).toMatchObject({ balance: 0, balance_updated_time: 0 })
  })

  it('never sends requests except to paths below the address of the channel', async () => {
    for (const call of Object.values(balanceCalls)) {
      const paths: string[] = []
      const ask = async (path: string) => void paths.push(path)
      await call(ask, NOW * 1000).catch(() => {})
      expect(paths.every((path) => path.startsWith('/') && !path.startsWith('//'))).toBe(true)
    }
  })

  it('of all enabled channels disables the empty ones, if that is allowed', async () => {
    server().replies['/v1/credits'] = { body: { data: { total_credits: 1, total_usage: 1 } } }
    await make(20, { name: 'empty' })
    await make(20, { name: 'kept', auto_ban: 0 })
    await make(40, { name: 'failing' })
    await make(14, { name: 'other' })
    const off = await bench()
    off.all('en')
    await off.idle()
    expect((await channelStore(db()).all()).map(({ status }) => status)).toEqual([1, 1, 1, 1])
    const { all, idle } = await bench({ AutomaticDisableChannelEnabled: 'true' })
    all('en')
    expect(() => all('en')).toThrow(expect.objectContaining({ key: 'channel.balance_running' }))
    await idle()
    const rows = await channelStore(db()).all()
    expect(rows.map(({ status }) => status)).toEqual([3, 1, 1, 1])
    expect(rows[0]?.other_info).toContain('Balance exhausted: 0.00 USD left')
    all('en')
    await idle()
  })
})
