import { describe, expect, it } from 'vitest'
import { unixSeconds } from '../../../gateway/base/clock.ts'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { signatureOf } from '../../../gateway/wallet/epay.ts'
import { createOrders } from '../../../gateway/wallet/orders.ts'
import { dataOf } from '../../support/client.ts'
import { signed } from '../../support/epay.ts'
import { reconcile } from '../../support/reconcile.ts'
import type { Options, Person } from '../../support/world.ts'
import { aShop, order, ordered, stateOf } from './shop.ts'

describe('the price of an amount (docs/reference/wallet.md#amounts)', () => {
  it.each<[string, Options, number, string, number]>([
    ['the price of a dollar times the dollars', {}, 10, '73.00', 5_000_000],
    ['exactly, where binary fractions are not', { Price: 1.005 }, 1, '1.01', 500_000],
    ['half a cent up', { Price: 0.125 }, 1, '0.13', 500_000],
    ['times the ratio of the group', { TopupGroupRatio: { default: 0.9 } }, 10, '65.70', 5_000_000],
    ['whole where the group has no ratio', { TopupGroupRatio: { vip: 0.5 } }, 1, '7.30', 500_000],
    ['whole where the ratio is 0', { TopupGroupRatio: { default: 0 } }, 1, '7.30', 500_000],
    ['by the quota of a dollar', { QuotaPerUnit: 1000 }, 3, '21.90', 3000],
    ['of quota, where amounts are not in currency', { DisplayInCurrencyEnabled: false }, 750_000, '10.95', 750_000],
    [
      'of quota to the unit',
      { DisplayInCurrencyEnabled: false, MinTopUp: 1, QuotaPerUnit: 300_000, Price: 1 },
      301_500,
      '1.01',
      301_500,
    ],
  ])('is %s', async (_, options, amount, money, quota) => {
    const shop = await aShop(options)
    const reply = await shop.alice.post('/api/user/amount', { amount, top_up_code: 'ignored' })
    expect(reply.body).toEqual({ success: true, message: 'success', data: money })
    const form = await ordered(shop, { amount })
    expect(form.money).toBe(money)
    expect(await stateOf(shop, form)).toMatchObject({ quota, money_cents: Math.round(Number(money) * 100) })
  })

  it('is shown in whole dollars, rounded down, where it was requested in quota', async () => {
    const shop = await aShop({ DisplayInCurrencyEnabled: false })
    await ordered(shop, { amount: 1_499_999 })
    const [told] = dataOf(await shop.alice.get('/api/user/topup/self')).items
    expect(told).toMatchObject({ amount: 2, quota: 1_499_999, money: '21.90' })
  })

  it.each<[string, Options, unknown, string | RegExp]>([
    ['less than the least', { MinTopUp: 5 }, 4, 'The amount must not be less than 5'],
    [
      'less than the least, in quota',
      { MinTopUp: 2, DisplayInCurrencyEnabled: false },
      999_999,
      'The amount must not be less than 1000000',
    ],
    ['a part of a dollar', {}, 1.5, /amount/],
    ['nothing', {}, 0, /amount/],
    ['less than nothing', {}, -5, /amount/],
    ['a text', {}, '5', /amount/],
    ['more than a million dollars', {}, 1_000_001, 'Invalid parameters'],
    ['what costs less than a cent', { Price: 0.001 }, 1, 'The amount to pay is too low'],
  ])('is refused for %s, with the reason in data', async (_, options, amount, why) => {
    const { alice, world } = await aShop(options)
    for (const path of ['/api/user/amount', '/api/user/pay']) {
      const reply = await alice.post(path, { amount, payment_method: 'zfb' })
      expect(reply.status).toBe(200)
      expect(reply.body).toMatchObject({ success: false, message: 'error' })
      expect(reply.data).toMatch(why)
    }
    expect(await world.gateway.inner.db.selectFrom('top_ups').selectAll().execute()).toEqual([])
  })
})

describe('an order (docs/reference/wallet.md#orders)', () => {
  it('is sold, and its form shown, only while there is a server address that the provider can be given', async () => {
    const shop = await aShop()
    const page = (await order(shop.alice)).body.page
    const form = async () => (await (await fetch(shop.world.url + page)).text()).includes('<form')
    expect(await form()).toBe(true)
    await shop.world.option('ServerAddress', '')
    const reply = await order(shop.alice)
    expect([reply.status, reply.success]).toEqual([200, false])
    expect(reply.data).toMatch(/^Payment needs the public address of this gateway\./)
    expect(await form()).toBe(false)
  })

  it('is written down before the form for it goes out, which the provider takes', async () => {
    const shop = await aShop({ ServerAddress: 'https://gate.example', CustomCallbackAddress: 'https://hook.example' })
    const reply = await order(shop.alice)
    const { out_trade_no: tradeNo = '', sign, ...form } = reply.data
    expect(reply.body.url).toBe(`${shop.epay.url}/submit.php`)
    expect(tradeNo).toMatch(
      new RegExp(`^USR${shop.alice.id}NO[0-9a-zA-Z]{10}${unixSeconds(shop.world.clock)}`.slice(0, -3)),
    )
    expect(form).toEqual({
      pid: '1001',
      type: 'alipay',
      name: 'TUC2',
      money: '14.60',
      device: 'pc',
      notify_url: 'https://hook.example/api/user/epay/notify',
      return_url: 'https://gate.example/log',
      sign_type: 'MD5',
    })
    expect(sign).toBe(signed(reply.data, shop.epay.key))
    const sent = await fetch(reply.body.url, { method: 'POST', body: new URLSearchParams(reply.data) })
    expect([sent.status, shop.epay.taken.has(tradeNo)]).toEqual([200, true])
    expect(await stateOf(shop, reply.data)).toMatchObject({
      user_id: shop.alice.id,
      amount: 2,
      quota: 1_000_000,
      money_cents: 1460,
      status: 'pending',
      payment_method: 'zfb',
    })
  })

  it('is signed as the protocol has it', () => {
    const fields = {
      pid: '1001',
      type: 'alipay',
      out_trade_no: 'A1',
      notify_url: 'http://n',
      name: 'TUC1',
      money: '7.30',
      device: 'pc',
      return_url: 'http://r',
    }
    expect(signatureOf({ ...fields, empty: '', sign: 'x', sign_type: 'MD5' }, 'key')).toBe(signed(fields, 'key'))
    expect(signatureOf(fields, 'key')).toBe(KNOWN)
  })

  it('names the method as the provider does, and accepts only offered methods', async () => {
    const shop = await aShop({
      PayMethods: [
        { name: 'W', type: 'wx' },
        { name: 'Card', type: 'usdt' },
      ],
    })
    expect((await ordered(shop, { payment_method: 'wx' })).type).toBe('wxpay')
    expect((await ordered(shop, { payment_method: 'usdt' })).type).toBe('usdt')
    expect((await order(shop.alice, { payment_method: 'zfb' })).data).toBe('This payment method is not available')
  })

  it.each(['PayAddress', 'EpayId', 'EpayKey'] as const)('is not taken without %s', async (key) => {
    const { alice, world } = await aShop()
    const { db } = world.gateway.inner
    await db.deleteFrom('options').where('key', '=', key).execute()
    await world.gateway.inner.settings.reload()
    expect((await order(alice)).data).toBe('Payment is not configured on this server')
    expect(await db.selectFrom('top_ups').selectAll().execute()).toEqual([])
  })

  it('that is sent twice with one key is one order, also at the same time', async () => {
    const { alice, world } = await aShop()
    const fields = { idempotency_key: 'one-click' }
    const forms = await Promise.all(Array.from({ length: 5 }, async () => dataOf(await order(alice, fields))))
    expect(new Set(forms.map(({ out_trade_no }) => out_trade_no)).size).toBe(1)
    const bob = await world.user()
    expect(dataOf(await order(bob, fields)).out_trade_no).not.toBe(forms[0].out_trade_no)
  })

  it('is seen by its owner, and by administrators who search for it', async () => {
    const shop = await aShop()
    const form = await ordered(shop)
    const bob = await shop.world.user()
    const { epay, alice, world } = shop
    const tradeNo = form.out_trade_no
    const own = { trade_no: tradeNo, money: '14.60', quota: 1_000_000, status: 'pending', complete_time: 0 }
    expect(dataOf(await alice.get('/api/user/topup/self')).items).toMatchObject([own])
    expect(dataOf(await alice.get(`/api/user/topup/self/${tradeNo}`))).toMatchObject(own)
    expect(dataOf(await bob.get('/api/user/topup/self')).items).toEqual([])
    expect((await bob.get(`/api/user/topup/self/${tradeNo}`)).message).toBe('Order not found')
    expect((await bob.get('/api/user/topup')).success).toBe(false)
    await epay.tells(form)
    const found = async (query: string) => dataOf(await world.admin.get(`/api/user/topup?${query}`)).items
    const all = [{ ...own, status: 'success', username: alice.username, provider_trade_no: `20260101${tradeNo}` }]
    delete (all[0] as Partial<typeof own>).complete_time
    for (const query of [
      '',
      'status=success',
      `user_id=${alice.id}`,
      `username=${alice.username}`,
      'keyword=USR',
      'keyword=20260101',
    ])
      expect(await found(query), query).toMatchObject(all)
    for (const query of ['status=pending', `user_id=${bob.id}`, `username=${bob.username}`, 'keyword=%25'])
      expect(await found(query), query).toEqual([])
  })

  it('that is not paid within a day expires, and is credited when it is paid after all', async () => {
    const shop = await aShop()
    const { world, epay, alice } = shop
    const [late, later] = [await ordered(shop), await ordered(shop)]
    const { db, ledger, settings } = world.gateway.inner
    const { expireOld } = createOrders({ db, ledger, settings, clock: world.clock, log: silentLogger, show: String })
    world.clock.advanceSeconds(86_399)
    await expireOld()
    expect((await stateOf(shop, late)).status).toBe('pending')
    world.clock.advanceSeconds(3)
    const young = await ordered(shop)
    await expireOld()
    const states = await Promise.all([late, later, young].map((form) => stateOf(shop, form)))
    expect(states.map(({ status }) => status)).toEqual(['expired', 'expired', 'pending'])
    expect(await epay.tells(late)).toBe('success')
    expect((await stateOf(shop, late)).status).toBe('success')
    expect(await alice.quota()).toBe(1_000_100)
  })
})

describe('an order that is credited by hand (docs/reference/wallet.md#orders)', () => {
  it('is credited once, with a row naming the administrator; a later notice of the provider changes nothing', async () => {
    const shop = await aShop()
    const { world, epay, alice } = shop
    const form = await ordered(shop)
    const complete = (who: Pick<Person, 'post'>) =>
      who.post('/api/user/topup/complete', { trade_no: form.out_trade_no })
    expect((await complete(alice)).success).toBe(false)
    const replies = await Promise.all(Array.from({ length: 10 }, () => complete(world.admin)))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(await epay.tells(form)).toBe('success')
    expect(await alice.quota()).toBe(1_000_100)
    const rows = dataOf(await world.admin.get('/api/log?type=3')).items
    const told = rows.filter(({ content }: { content: string }) => content.includes(form.out_trade_no ?? '-'))
    expect(told).toMatchObject([
      { content: `root credited the order ${form.out_trade_no} of user ${alice.id} by hand` },
    ])
    expect(JSON.parse(told[0].other).admin_info.order).toMatchObject({
      user: alice.id,
      quota: 1_000_000,
      money: '14.60',
    })
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('is of an account below one’s own: no administrator credits themselves or another one', async () => {
    const shop = await aShop()
    const { world } = shop
    const [one, other] = [await world.user({ role: 10 }), await world.user({ role: 10 })]
    const form = await ordered({ ...shop, alice: one })
    for (const who of [one, other])
      expect(await who.post('/api/user/topup/complete', { trade_no: form.out_trade_no })).toMatchObject({
        success: false,
        message: 'You cannot change a user with the same or a higher role',
      })
    dataOf(await world.admin.post('/api/user/topup/complete', { trade_no: form.out_trade_no }))
  })

  it('cannot be an imported one, nor one that does not exist', async () => {
    const { world, alice } = await aShop()
    const { db } = world.gateway.inner
    await db
      .insertInto('top_ups')
      .values({ user_id: alice.id, amount: 5, trade_no: 'old', create_time: 1, status: 'expired' })
      .execute()
    const complete = async (trade_no: string) =>
      (await world.admin.post('/api/user/topup/complete', { trade_no })).message
    expect(await complete('old')).toBe('This order has been credited already, or cannot be credited')
    expect(await complete('none')).toBe('Order not found')
  })
})

/** MD5 of the protocol's line followed by `key`, computed with another program. */
const KNOWN = 'f4d46f26d7d26d8437973e5b1efd83b4'
