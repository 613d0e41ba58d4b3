import { z } from 'zod'
import { call } from './call.ts'
import { MAX_QUOTA, pageNumber, pageSize, queryNumber, queryText } from './fields.ts'

/** A quota order as its owner sees it (docs/reference/wallet.md#orders). */
const orderView = z
  .object({
    id: z.int(),
    trade_no: z.string(),
    amount: z.int().describe('Whole US dollars, rounded down.'),
    money: z.string().describe('The amount to pay, with two decimals.'),
    quota: z.int().describe('The amount credited, as fixed when the order was created.'),
    payment_method: z.string(),
    status: z.string().describe('pending, success or expired. An expired order is still credited if it is paid.'),
    create_time: z.int(),
    complete_time: z.int().describe('0 until it is paid.'),
  })
  .meta({ id: 'Order' })
export type OrderView = z.infer<typeof orderView>

const managedOrder = z
  .object({
    ...orderView.shape,
    user_id: z.int(),
    username: z.string().describe('Empty for an account that was removed.'),
    provider_trade_no: z.string().describe("The payment provider's number; empty until it is known."),
  })
  .meta({ id: 'ManagedOrder' })
export type ManagedOrder = z.infer<typeof managedOrder>

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), total: z.int(), page: z.int(), page_size: z.int() })
const part = { p: pageNumber, page_size: pageSize }

const amount = z
  .int()
  .min(1)
  .max(MAX_QUOTA)
  .describe('Whole US dollars if `display_in_currency` of the status is true, else quota.')
const topUpCode = z.unknown().optional().describe('Accepted, but ignored.')

const order = z.object({
  amount,
  top_up_code: topUpCode,
  payment_method: z.string().max(100).describe('The type of one of `pay_methods`.'),
  idempotency_key: z
    .string()
    .max(64)
    .default('')
    .describe('A repeated order with the same key returns the existing one.'),
})
export type NewOrder = z.output<typeof order>

/** Top-ups: redemption codes and paid orders (docs/reference/wallet.md). */
export const wallet = {
  redeem: call({
    method: 'POST',
    path: '/api/user/topup',
    summary: 'Redeems a code, and returns the quota that was added to your balance.',
    access: 'user',
    limit: 'per-user',
    body: z.object({ key: z.string().max(500).default('') }),
    answer: z.int(),
  }),
  amount: call({
    method: 'POST',
    path: '/api/user/amount',
    summary: 'Returns the price of an amount of quota when you pay online, with two decimals.',
    access: 'user',
    messageInData: true,
    onDemo: 'open',
    body: z.object({ amount, top_up_code: topUpCode }),
    answer: z.string(),
  }),
  pay: call({
    method: 'POST',
    path: '/api/user/pay',
    summary: 'Creates an order, and returns the form to post to the payment provider.',
    access: 'user',
    limit: 'per-user',
    messageInData: true,
    body: order,
    answer: z.record(z.string(), z.string()).describe('The fields of the form.'),
    extras: z.object({
      url: z.string().describe('The address to which the form is posted.'),
      page: z.string().describe('A path of this gateway whose page posts the form automatically.'),
    }),
  }),
  orders: call({
    method: 'GET',
    path: '/api/user/topup/self',
    summary: 'Lists your own orders, newest first.',
    access: 'user',
    query: z.object(part),
    answer: pageOf(orderView),
  }),
  order: call({
    method: 'GET',
    path: '/api/user/topup/self/:trade_no',
    summary: 'Returns one of your own orders.',
    access: 'user',
    params: z.object({ trade_no: z.string().max(255) }),
    answer: orderView,
  }),
  allOrders: call({
    method: 'GET',
    path: '/api/user/topup',
    summary: 'Lists the orders of all accounts, newest first.',
    access: 'admin',
    query: z.object({
      ...part,
      keyword: queryText().describe("The beginning of the gateway's or the provider's trade number."),
      status: queryText().describe('pending, success or expired; empty for all.'),
      user_id: queryNumber(),
      username: queryText(),
    }),
    answer: pageOf(managedOrder),
  }),
  complete: call({
    method: 'POST',
    path: '/api/user/topup/complete',
    summary: 'Credits an order that was paid, but not reported by the payment provider.',
    access: 'admin',
    isInPerson: true,
    body: z.object({ trade_no: z.string().min(1).max(255) }),
    answer: z.null(),
  }),
}
