import { wallet as calls } from '../../../shared/api/wallet.ts'
import { type TopUpFilter, topUpStore } from '../../store/ledger/top-ups.ts'
import { pageAtNumber } from '../../store/page.ts'
import type { Reader } from '../../store/sqlite/reader.ts'
import { managedOrderOf, orderViewOf } from '../../wallet/orders.ts'
import type { Wallet } from '../../wallet/wallet.ts'
import { managerOf } from '../account/user-admin.ts'
import type { ApiCaller } from '../actor.ts'
import { serve } from '../serve.ts'

type WalletApiDeps = Readonly<{
  /** Used for lists, which may be long. */
  reader: Pick<Reader, 'until'>
  wallet: Pick<Wallet, 'redeem' | 'orders'>
}>

/** Redemption and orders (docs/reference/wallet.md). */
export function walletApi({ reader, wallet: { redeem, orders } }: WalletApiDeps) {
  const page = async (filter: TopUpFilter, { p, page_size }: Part, caller: ApiCaller) => {
    const { rows, total } = await topUpStore(reader.until(caller)).page(filter, pageAtNumber(p, page_size))
    return { rows, extras: { total, page: p, page_size } }
  }
  return serve(calls, {
    redeem: ({ body, actor, caller }) => redeem({ ...actor, locale: caller.locale }, body.key),
    amount: ({ body, actor }) => orders.amount(actor.group, body.amount),
    pay: async ({ body, actor }) => {
      const { url, fields, tradeNo } = await orders.create(actor, body)
      return { data: fields, extras: { url, page: `/pay/${tradeNo}` } }
    },
    orders: async ({ query, actor, caller }) => {
      const own = { keyword: '', status: '', userId: actor.id, username: '' }
      const { rows, extras } = await page(own, query, caller)
      return { items: rows.map(orderViewOf), ...extras }
    },
    order: ({ params, actor }) => orders.own(actor.id, params.trade_no),
    allOrders: async ({ query, caller }) => {
      const { rows, extras } = await page({ ...query, userId: query.user_id }, query, caller)
      return { items: rows.map(managedOrderOf), ...extras }
    },
    complete: async ({ body, actor, caller }) => {
      await orders.complete(managerOf(actor, caller), body.trade_no)
      return null
    },
  })
}

type Part = Readonly<{ p: number; page_size: number }>
