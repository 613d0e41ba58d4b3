import { expect, it } from 'vitest'
import { aWarningLog } from '../../support/warnings.ts'
import { aShop, ordered, stateOf } from './shop.ts'

const UNSIGNED = 'a payment notice was refused'

it('a refused payment notice is logged at most once a minute, with the check that failed (docs/reference/wallet.md#notices)', async () => {
  const log = aWarningLog()
  const shop = await aShop({}, { log })
  const form = await ordered(shop)
  const order = form.out_trade_no
  await shop.epay.tells(form, { key: 'mistyped' })
  await shop.epay.tells(form, { key: 'mistyped' })
  await shop.epay.tells(form, { forge: (query) => `${query}&money=1` })
  expect(log.warnings).toEqual([{ message: UNSIGNED, fields: { failed: 'signature', order, pid: shop.epay.pid } }])
  shop.world.clock.advance(60_000)
  await shop.epay.tells(form, { forge: (query) => `${query}&money=1` })
  expect(log.warnings[1]).toEqual({ message: UNSIGNED, fields: { failed: 'the form', left_out: 2 } })
  shop.world.clock.advance(60_000)
  await shop.world.gateway.inner.db.deleteFrom('options').where('key', '=', 'EpayKey').execute()
  await shop.world.gateway.inner.settings.reload()
  await shop.epay.tells(form)
  expect(log.warnings[2]?.fields).toMatchObject({ failed: 'payment is not set up' })
})

it('forged notices do not hide a refused notice that the merchant has signed (docs/reference/wallet.md#notices)', async () => {
  const log = aWarningLog()
  const shop = await aShop({}, { log })
  const form = await ordered(shop)
  await shop.epay.tells(form, { key: 'a guess', fields: { out_trade_no: 'x'.repeat(5000) } })
  await shop.epay.tells(form, { fields: { pid: '1002' } })
  expect(log.warnings.map(({ fields }) => [fields.failed, fields.pid])).toEqual([
    ['signature', shop.epay.pid],
    ['merchant id', '1002'],
  ])
  expect(log.warnings[0]?.fields.order).toHaveLength(64)
})

it.each([
  ['without', (query: string) => query.replace('&sign_type=MD5', '')],
  ['with an empty', (query: string) => query.replace('sign_type=MD5', 'sign_type=')],
])(`a notice %s sign_type that is signed by MD5 is taken (docs/reference/wallet.md#notices)`, async (_, forge) => {
  const shop = await aShop()
  const form = await ordered(shop)
  expect(await shop.epay.tells(form, { forge })).toBe('success')
  expect((await stateOf(shop, form)).status).toBe('success')
})
