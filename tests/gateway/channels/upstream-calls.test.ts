import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatewayError } from '../../../gateway/base/errors.ts'
import { createHttpClient } from '../../../gateway/base/http-client.ts'
import { silentLogger } from '../../../gateway/base/logger.ts'
import { createBalance } from '../../../gateway/channels/balance.ts'
import { balanceCalls } from '../../../gateway/channels/balance-calls.ts'
import { createHealth } from '../../../gateway/channels/health.ts'
import { createModelList } from '../../../gateway/channels/models.ts'
import { channelStore } from '../../../gateway/store/channels.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import { clock, NOW, type Opened, openEmpty, settingsWith, upstream, workshop } from './workshop.ts'

const list = { data: [{ id: 'b' }, { id: 'models/a' }, { id: 'b' }] }
const client = createHttpClient(1_000)
let opened: Opened
let parts: ReturnType<typeof workshop>
let server: Awaited<ReturnType<typeof upstream>>

const make = (type: number, fields: object = {}) =>
  parts.editor.create({ type, name: 'one', key: 'sk-one', models: 'm', base_url: server.base, other: 'x', ...fields })
const first = async () => (await channelStore(opened.db).all())[0]!

beforeAll(async () => {
  opened = await openEmpty('sqlite')
  parts = workshop(opened.db)
  server = await upstream({})
})
beforeEach(async () => {
  for (const path of Object.keys(server.replies)) delete server.replies[path]
  server.heard.length = 0
  await parts.clear()
})
afterAll(async () => {
  await client.close()
  await server.close()
  await opened.close()
})

describe('the models of an upstream', () => {
  const models = () => createModelList({ db: opened.db, roster: parts.roster, fetchTrusted: client.fetchTrusted })
  const bearer = { authorization: 'Bearer sk-one' }

  it.each([
    [1, '/v1/models', bearer],
    [14, '/v1/models', { 'x-api-key': 'sk-one', 'anthropic-version': '2023-06-01', authorization: undefined }],
    [17, '/compatible-mode/v1/models', bearer],
    [24, '/v1beta/openai/models', bearer],
    [26, '/api/paas/v4/models', bearer],
    [45, '/api/v3/models', bearer],
    [46, '/v2/models', bearer],
  ])('of type %i are asked at %s with the right key', async (type, path, headers) => {
    server.replies[path] = { body: list }
    await make(type)
    expect(await models().ofChannel((await first()).id)).toEqual(['b', 'a'])
    for (const [name, value] of Object.entries(headers)) expect(server.heard[0]?.headers[name]).toBe(value)
  })

  it('can be asked before the channel exists, with the first of several keys', async () => {
    server.replies['/v1/models'] = { body: list }
    expect(await models().of({ type: 1, base_url: `${server.base}/`, key: ' sk-a\nsk-b' })).toEqual(['b', 'a'])
    expect(server.heard[0]?.headers.authorization).toBe('Bearer sk-a')
    await models().of({ type: 4, base_url: server.base, key: '' })
    expect(server.heard[1]?.headers.authorization).toBeUndefined()
  })

  it('go through the proxy of the channel', async () => {
    await make(1, { setting: '{"proxy":"http://127.0.0.1:1"}' })
    await expect(models().ofChannel((await first()).id)).rejects.toMatchObject({ key: 'models.fail' })
    expect(server.heard).toEqual([])
  })

  it.each([
    ['an error', { status: 403, body: {} }],
    ['a redirect', { status: 302, body: '', headers: { location: '/v1/models' } }],
    ['a page', { body: '<html>' }],
    ['another shape', { body: { models: [] } }],
    ['too much', { body: `{"data":[{"id":"${'x'.repeat(2 * 1024 * 1024)}"}]}` }],
  ])('fail on %s with one message', async (_what, reply) => {
    server.replies['/v1/models'] = reply
    await make(1)
    const error = await models()
      .ofChannel((await first()).id)
      .catch((refusal: unknown) => refusal)
    if (!(error instanceof GatewayError)) throw error
    const message = formatMessage('en', error.key, error.params)
    expect(message).toContain('failed to get model list')
    if ('status' in reply) expect(message).toContain(String(reply.status))
    expect(server.heard).toHaveLength(1)
  })

  it('are refused without a list, an address or a channel', async () => {
    await expect(models().of({ type: 3, base_url: server.base, key: 'k' })).rejects.toMatchObject({
      key: 'models.fail',
    })
    await expect(models().of({ type: 47, base_url: '', key: 'k' })).rejects.toMatchObject({ key: 'models.fail' })
    await expect(models().ofChannel(999_999)).rejects.toMatchObject({ key: 'channel.not_found' })
    await make(1)
    await channelStore(opened.db).update([(await first()).id], { key: 'v1.of.another.key' })
    await parts.roster.reload()
    await expect(models().ofChannel((await first()).id)).rejects.toMatchObject({ key: 'channel.need_key' })
    const metadata = models().of({ type: 1, base_url: 'http://169.254.169.254', key: 'k' })
    await expect(metadata).rejects.toMatchObject({ key: 'models.fail' })
    expect(server.heard).toEqual([])
  })
})

describe('the balance of an upstream', () => {
  const bench = async (values: Record<string, string> = {}) => {
    const settings = await settingsWith({ USDExchangeRate: '8', ...values })
    const shared = { db: opened.db, roster: parts.roster, settings, clock, log: silentLogger }
    return createBalance({ ...shared, health: createHealth(shared), fetchTrusted: client.fetchTrusted })
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
    server.replies[path] = { body }
    await make(type)
    expect(await (await bench()).one((await first()).id)).toBe(dollars)
    expect(await first()).toMatchObject({ balance: dollars, balance_updated_time: NOW })
    const key = type === 10 ? server.heard[0]?.headers['api-key'] : server.heard[0]?.headers.authorization
    expect(key).toBe(type === 10 ? 'sk-one' : 'Bearer sk-one')
  })

  it.each([
    [true, 'start_date=2025-06-01&end_date=2025-06-15'],
    [false, 'start_date=2025-03-07&end_date=2025-06-15'],
  ])('is the limit less the use, since the first of the month when they pay: %s', async (pays, span) => {
    server.replies['/v1/dashboard/billing/subscription'] = limit(pays)
    server.replies['/v1/dashboard/billing/usage'] = { body: { total_usage: 550 } }
    await make(1)
    expect(await (await bench()).one((await first()).id)).toBe(14.5)
    expect(server.heard[1]?.url).toBe(`/v1/dashboard/billing/usage?${span}`)
  })

  it('of a custom channel is found beside the path of its calls', async () => {
    server.replies['/p/v1/dashboard/billing/subscription'] = limit(true)
    server.replies['/p/v1/dashboard/billing/usage'] = { body: { total_usage: 0 } }
    await make(8, { base_url: `${server.base}/p/v1/chat/completions` })
    expect(await (await bench()).one((await first()).id)).toBe(20)
  })

  it('is unknown to other types and refuses what it cannot read', async () => {
    const { one } = await bench()
    await make(14)
    await expect(one((await first()).id)).rejects.toMatchObject({ key: 'channel.balance_na' })
    expect(server.heard).toEqual([])
    await parts.clear()
    await make(40)
    await expect(one((await first()).id)).rejects.toMatchObject({
      key: 'relay.upstreamStatus',
      params: { status: 404 },
    })
    server.replies['/v1/user/info'] = { body: { code: 1, data: { totalBalance: '5' } } }
    await expect(one((await first()).id)).rejects.toMatchObject({ key: 'relay.upstreamUnreadable' })
    expect((await first()).balance_updated_time).toBe(0)
    await expect(one(999_999)).rejects.toMatchObject({ key: 'channel.not_found' })
  })

  it('never asks anything but paths below the address of the channel', async () => {
    for (const call of Object.values(balanceCalls)) {
      const paths: string[] = []
      const ask = async (path: string) => void paths.push(path)
      await call(ask, NOW * 1000).catch(() => {})
      expect(paths.every((path) => path.startsWith('/') && !path.startsWith('//'))).toBe(true)
    }
  })

  it('of all enabled channels disables the empty ones, if that is allowed', async () => {
    server.replies['/v1/credits'] = { body: { data: { total_credits: 1, total_usage: 1 } } }
    await make(20, { name: 'empty' })
    await make(20, { name: 'kept', auto_ban: 0 })
    await make(40, { name: 'failing' })
    await make(14, { name: 'other' })
    const off = await bench()
    off.all()
    await off.idle()
    expect((await channelStore(opened.db).all()).map(({ status }) => status)).toEqual([1, 1, 1, 1])
    const { all, idle } = await bench({ AutomaticDisableChannelEnabled: 'true' })
    all()
    expect(() => all()).toThrow(GatewayError)
    await idle()
    const rows = await channelStore(opened.db).all()
    expect(rows.map(({ status }) => status)).toEqual([3, 1, 1, 1])
    expect(rows[0]?.other_info).toContain('Insufficient balance')
    all()
    await idle()
  })
})
