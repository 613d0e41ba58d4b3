import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { type Client, dataOf } from '../../support/client.ts'
import { type Fields, signed, type Telling } from '../../support/epay.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aShop, ordered, type Shop, stateOf } from './shop.ts'

const QUOTA = 1_000_000

/** Expects no credit, and the order to be still pending. */
async function expectNothing(shop: Shop, form: Fields): Promise<void> {
  expect(await shop.alice.quota()).toBe(100)
  expect((await stateOf(shop, form)).status).toBe('pending')
  expect(await reconcile(shop.world.gateway.inner.db)).toEqual([])
}

describe('the notice of a payment provider (docs/reference/wallet.md#notices)', () => {
  it.each(['GET', 'POST'] as const)(
    'by %s credits the amount that was priced when the order was made',
    async (method) => {
      const shop = await aShop()
      const { world, epay, alice } = shop
      const form = await ordered(shop)
      for (const [key, value] of [
        ['Price', 100],
        ['QuotaPerUnit', 1],
        ['TopupGroupRatio', { default: 9 }],
      ] as const)
        await world.option(key, value as never)
      expect(await epay.tells(form, { method })).toBe('success')
      expect(await alice.quota()).toBe(QUOTA + 100)
      const { db } = world.gateway.inner
      expect(await stateOf(shop, form)).toMatchObject({
        status: 'success',
        provider_trade_no: `20260101${form.out_trade_no}`,
        quota: QUOTA,
      })
      const rows = await db.selectFrom('ledger').selectAll().where('kind', '=', 'topup').execute()
      expect(rows).toMatchObject([{ amount: QUOTA, ref_type: 'order', ref_id: form.out_trade_no }])
      const [row] = dataOf(await alice.get('/api/log/self?type=1')).items
      expect(row.content).toBe('Online top-up $1000000.000000, paid 14.60')
      const said = '在线充值 $1000000.000000，实付 14.60'
      const inChinese = async (who: Pick<Client, 'identity'>, path: string) => {
        const headers = { ...who.identity(), 'accept-language': 'zh' }
        return (await fetch(world.url + path, { headers })).text()
      }
      expect(await inChinese(alice, '/api/log/self?type=1')).toContain(said)
      expect(await inChinese(world.admin, '/api/log/?type=1')).toContain(said)
      for (const format of ['csv', 'json'])
        expect(await inChinese(alice, `/api/log/self/export?format=${format}&type=1`)).toContain(said)
      expect(await reconcile(db)).toEqual([])
    },
  )

  it.each<[string, Telling]>([
    ['signed with another key', { key: 'a guess' }],
    ['signed with no key', { key: '' }],
    ['of another merchant', { fields: { pid: '1002' } }],
    ['of no merchant', { fields: { pid: undefined } }],
    ['of an order that there is not', { fields: { out_trade_no: 'USR1NOxxxxxxxxxx1' } }],
    ['of no order', { fields: { out_trade_no: undefined } }],
    ['of a smaller amount', { fields: { money: '0.01' } }],
    ['of a larger amount', { fields: { money: '14.61' } }],
    ['of an amount that is less by a part of a cent', { fields: { money: '14.599' } }],
    ['of no amount', { fields: { money: undefined } }],
    ['of an amount in another form', { fields: { money: '1.46e1' } }],
    ['of a negative amount', { fields: { money: '-14.60' } }],
    ['signed in another way', { fields: { sign_type: 'RSA' } }],
    ['whose amount was changed behind the signature', { forge: (query) => query.replace('money=14.60', 'money=1.00') }],
    ['whose order was changed behind the signature', { forge: (query) => query.replace('NO', 'NX') }],
    ['with a field beside the signed ones', { forge: (query) => `${query}&extra=1` }],
    ['with a name that stands twice', { forge: (query) => `${query}&money=14.60` }],
    ['without a signature', { forge: (query) => query.replace(/&sign=\w+/, '') }],
    ['whose signature is cut', { forge: (query) => query.replace(/(&sign=\w{31})\w/, '$1') }],
    ['whose signature is empty', { forge: (query) => query.replace(/&sign=\w+/, '&sign=') }],
    ['with nothing', { forge: () => '' }],
  ])('%s is not believed and changes nothing', async (_, telling) => {
    const shop = await aShop()
    const form = await ordered(shop)
    for (const method of ['GET', 'POST'] as const)
      expect(await shop.epay.tells(form, { ...telling, method }), method).toBe('fail')
    await expectNothing(shop, form)
  })

  it.each(['TRADE_CLOSED', 'WAIT_BUYER_PAY', 'trade_success', ''])(
    'of the state “%s” is accepted, and credits nothing',
    async (state) => {
      const shop = await aShop()
      const form = await ordered(shop)
      expect(await shop.epay.tells(form, { fields: { trade_status: state } })).toBe('success')
      await expectNothing(shop, form)
      expect(await shop.epay.tells(form)).toBe('success')
      expect(await shop.alice.quota()).toBe(QUOTA + 100)
    },
  )

  it('takes the same amount however it is written', async () => {
    const shop = await aShop()
    for (const money of ['14.6', '14.600', '14.60'])
      expect(await shop.epay.tells(await ordered(shop), { fields: { money } })).toBe('success')
    expect(await shop.alice.quota()).toBe(3 * QUOTA + 100)
  })

  it.each(['PayAddress', 'EpayId', 'EpayKey'] as const)('is refused without %s, with any signature', async (key) => {
    const shop = await aShop()
    const form = await ordered(shop)
    const { db, settings } = shop.world.gateway.inner
    await db.deleteFrom('options').where('key', '=', key).execute()
    await settings.reload()
    for (const by of ['', shop.epay.key]) expect(await shop.epay.tells(form, { key: by })).toBe('fail')
    expect(await shop.epay.tells(form, { key: '', fields: { pid: '' } })).toBe('fail')
    await expectNothing(shop, form)
  })

  it('counts once, however often and however many at the same time', async () => {
    const shop = await aShop()
    const form = await ordered(shop)
    const answers = await Promise.all(Array.from({ length: 50 }, () => shop.epay.tells(form)))
    expect(new Set(answers)).toEqual(new Set(['success']))
    expect(await shop.epay.tells(form)).toBe('success')
    expect(await shop.alice.quota()).toBe(QUOTA + 100)
    expect(await reconcile(shop.world.gateway.inner.db)).toEqual([])
    expect(dataOf(await shop.alice.get('/api/log/self?type=1')).items).toHaveLength(1)
  })

  it('of one order that was paid twice is accepted, and credits once', async () => {
    const shop = await aShop()
    const form = await ordered(shop)
    await shop.epay.tells(form)
    expect(await shop.epay.tells(form, { fields: { trade_no: 'another payment' } })).toBe('success')
    expect(await shop.alice.quota()).toBe(QUOTA + 100)
    expect((await stateOf(shop, form)).provider_trade_no).toBe(`20260101${form.out_trade_no}`)
  })

  it('may come in any order, each to its own account', async () => {
    const shop = await aShop()
    const bob = { ...shop, alice: await shop.world.user() }
    const forms = [await ordered(shop), await ordered(bob, { amount: 1 }), await ordered(shop, { amount: 3 })]
    for (const form of forms.toReversed()) expect(await shop.epay.tells(form)).toBe('success')
    expect([await shop.alice.quota(), await bob.alice.quota()]).toEqual([2_500_100, 500_000])
  })

  it('credits an account that was deactivated meanwhile, and is refused where the account is gone', async () => {
    const shop = await aShop()
    const { world, epay, alice } = shop
    const [first, second] = [await ordered(shop), await ordered(shop)]
    dataOf(await alice.delete('/api/user/self'))
    expect(await epay.tells(first)).toBe('success')
    dataOf(await world.admin.delete(`/api/user/${alice.id}`))
    expect(await epay.tells(second)).toBe('fail')
    expect((await stateOf(shop, second)).status).toBe('pending')
  })

  it('is the only accepted request: large bodies, other forms and other methods are refused', async () => {
    const shop = await aShop()
    const form = await ordered(shop)
    const url = form.notify_url ?? ''
    const post = async (type: string, body: string) =>
      (await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })).text()
    const notice = shop.epay.notice(form)
    expect(await post('application/json', JSON.stringify(Object.fromEntries(new URLSearchParams(notice))))).toBe('fail')
    expect(await post('application/x-www-form-urlencoded', `${notice}&x=${'x'.repeat(20_000)}`)).toBe('fail')
    expect(
      await post('application/x-www-form-urlencoded', Array.from({ length: 100 }, (_, i) => `a${i}=`).join('&')),
    ).toBe('fail')
    expect((await fetch(`${url}?${notice}`, { method: 'PUT' })).status).toBe(404)
    await expectNothing(shop, form)
    expect(await (await fetch(`${url}/?${notice}`)).text(), 'with a slash').toBe('success')
  })

  it('is accepted from the merchant however many forged ones are sent, which are rate limited', async () => {
    const shop = await aShop({}, { config: { GLOBAL_API_RATE_LIMIT: '60' } })
    const form = await ordered(shop)
    const forged = () => fetch(`${form.notify_url}?${shop.epay.notice(form, { key: 'a guess' })}`)
    let refused = await forged()
    for (let turn = 0; turn < 60 && refused.status === 200; turn += 1) refused = await forged()
    expect([refused.status, await refused.text()]).toEqual([429, 'fail'])
    expect(await shop.epay.tells(form)).toBe('success')
    expect(await shop.alice.quota()).toBe(QUOTA + 100)
  })

  it('is taken under the host of the callback address, and under no other', async () => {
    const shop = await aShop({ CustomCallbackAddress: 'https://hook.example' })
    const form = await ordered(shop)
    const { port } = new URL(shop.world.url)
    const report = (host: string) =>
      new Promise<string>((resolve, reject) => {
        const path = `/api/user/epay/notify?${shop.epay.notice(form)}`
        request({ port, path, headers: { host } }, async (response) =>
          resolve(`${response.statusCode} ${await text(response)}`),
        )
          .on('error', reject)
          .end()
      })
    expect(await report('elsewhere.example')).toMatch(/^421 /)
    expect(await report('hook.example')).toBe('200 success')
  })
})

describe('the pages around a payment (docs/reference/wallet.md#leaving-for-the-provider)', () => {
  it('redirect to the provider with the form of the order, for every visitor', async () => {
    const shop = await aShop()
    const reply = await shop.alice.post('/api/user/pay', { amount: 2, payment_method: 'zfb' })
    const page = await fetch(shop.world.url + reply.body.page, { headers: { 'accept-language': 'en' } })
    const html = await page.text()
    expect(html).toContain(`<form method="post" action="${shop.epay.url}/submit.php">`)
    for (const [name, value] of Object.entries(reply.data as Fields))
      expect(html).toContain(`<input type="hidden" name="${name}" value="${value}" />`)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toMatch(
      /default-src 'none'; script-src 'sha256-[\w+/=]+'; .*form-action http: https:; frame-ancestors 'none'/,
    )
    expect(page.headers.get('cache-control')).toBe('no-store')
    await shop.epay.tells(reply.data)
    const after = await (await fetch(shop.world.url + reply.body.page, { headers: { 'accept-language': 'en' } })).text()
    expect(after).not.toContain('<form')
    expect(after).toContain('The payment was received')
    expect((await fetch(`${shop.world.url}/pay/USR1NOaaaaaaaaaa1`)).status).toBe(404)
  })

  it('show a returning payer without a login the state of the order, if the query has the provider’s signature', async () => {
    const shop = await aShop()
    const form = await ordered(shop)
    const back = async (query: string, headers: Record<string, string> = {}) =>
      (await fetch(`${shop.world.url}/log?${query}`, { headers: { 'accept-language': 'en', ...headers } })).text()
    const query = shop.epay.notice(form)
    expect(await back(query)).toContain('has not been confirmed yet')
    await shop.epay.tells(form)
    expect(await back(query)).toContain('The payment was received')
    const otherwise = query.replace(/sign=(\w)/, (_, first: string) => `sign=${first === '0' ? 1 : 0}`)
    expect(await back(otherwise), 'not signed').not.toContain('The payment was received')
    const { cookie = '' } = shop.alice.identity()
    expect(await back(query, { cookie }), 'the console tells it').not.toContain('The payment was received')
    expect(signed(form, shop.epay.key)).toBe(form.sign)
  })
})
