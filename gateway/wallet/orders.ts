import type { ManagedOrder, NewOrder, OrderView } from '../../shared/api/wallet.ts'
import { logType, orderStatus } from '../../shared/enums.ts'
import { moneyText } from '../../shared/money.ts'
import { type Manager, requireManager } from '../accounts/guards/managing.ts'
import { requireAbove } from '../accounts/user-actions.ts'
import { managerRow } from '../audit/log-rows.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { randomKey } from '../base/ids.ts'
import { logMessage } from '../base/localized-message.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Ledger, Movement } from '../billing/ledger.ts'
import type { Settings } from '../settings/settings.ts'
import { userStore } from '../store/accounts/users.ts'
import { type ListedTopUp, type TopUpRow, topUpStore } from '../store/ledger/top-ups.ts'
import type { Db } from '../store/sqlite/database.ts'
import { canSend, formOf, merchantIn, type PaymentForm } from './epay.ts'
import { payableOf } from './payable.ts'

export type OrdersDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'move'>
  settings: Pick<Settings, 'get' | 'serverAddress'>
  clock: Clock
  log: Pick<Logger, 'error'>
  show: (quota: number) => string
}>

type Buyer = Readonly<{ id: number; group: string }>

/** Orders of quota that are paid online (docs/reference/wallet.md#orders). */
export interface Orders {
  /** The price of an amount, with two decimals. */
  amount(group: string, amount: number): string
  /** Creates an order, or finds the one created with the same idempotency key, and returns its payment form. */
  create(by: Buyer, order: NewOrder): Promise<PaymentForm & Readonly<{ tradeNo: string }>>
  own(userId: number, tradeNo: string): Promise<OrderView>
  /** Returns the status of an order, with its form if it awaits payment; undefined if there is no such order. */
  toPay(tradeNo: string): Promise<Readonly<{ status: string; form?: PaymentForm | undefined }> | undefined>
  /** Credits a paid order once; returns false if it was credited before. Throws as the ledger does. */
  credit(order: TopUpRow, providerTradeNo: string, by?: Manager): Promise<boolean>
  /**
   * Manually credits an order whose payment notice did not arrive; only for accounts below the caller's role, so that
   * administrators cannot credit themselves.
   */
  complete(by: Manager, tradeNo: string): Promise<void>
  /** Expires orders not paid within a day; returns how many. */
  expireOld(): Promise<number>
}

const RANDOM_PART = 10
/** Seconds an order waits for payment; one paid later is still credited. */
const MAX_WAIT = 86_400

/** The price is fixed when the order is created. */
export function createOrders(deps: OrdersDeps): Orders {
  const { db, settings, clock } = deps
  const orders = topUpStore(db)
  const credit = createCredit(deps)
  return {
    amount: (group, amount) => moneyText(payableOf(amount, group, settings).cents),
    async create(by, request) {
      const merchant = merchantIn(settings)
      if (!merchant) throw refuse('invalid', 'pay.unconfigured')
      if (!canSend(settings)) throw refuse('invalid', 'pay.no_address')
      const row = (await orders.byRequestKey(by.id, request.idempotency_key)) ?? (await add(deps, by, request))
      if (row.status !== orderStatus.pending) throw refuse('invalid', 'pay.order')
      return { ...formOf(row, merchant, settings), tradeNo: row.trade_no }
    },
    async own(userId, tradeNo) {
      const row = await orders.byTradeNo(tradeNo)
      if (row?.user_id !== userId) throw refuse('missing', 'pay.order_not_found')
      return orderViewOf(row)
    },
    async toPay(tradeNo) {
      const row = await orders.byTradeNo(tradeNo)
      const merchant = merchantIn(settings)
      if (!row) return undefined
      const isOpen = row.status === orderStatus.pending && merchant !== undefined && canSend(settings)
      return { status: row.status, form: isOpen ? formOf(row, merchant, settings) : undefined }
    },
    credit,
    async complete(by, tradeNo) {
      const row = await orders.byTradeNo(tradeNo)
      if (!row) throw refuse('missing', 'pay.order_not_found')
      const buyer = await userStore(db).evenDeactivated(row.user_id)
      if (buyer) requireAbove(by, buyer, 'user.higher_write')
      if (row.quota < 1 || row.status === orderStatus.paid || !(await credit(row, '', by)))
        throw refuse('invalid', 'pay.order_done')
    },
    expireOld: () => orders.expire(unixSeconds(clock) - MAX_WAIT),
  }
}

async function add({ db, settings, clock, log }: OrdersDeps, by: Buyer, request: NewOrder): Promise<TopUpRow> {
  const isOffered = settings.get('PayMethods').some(({ name, type }) => name !== '' && type === request.payment_method)
  if (!isOffered) throw refuse('invalid', 'pay.method')
  const { dollars, quota, cents } = payableOf(request.amount, by.group, settings)
  const orders = topUpStore(db)
  const now = unixSeconds(clock)
  const tradeNo = `USR${by.id}NO${randomKey(RANDOM_PART)}${now}`
  const row = {
    user_id: by.id,
    amount: dollars,
    quota,
    money_cents: cents,
    trade_no: tradeNo,
    create_time: now,
    payment_method: request.payment_method,
    request_key: request.idempotency_key,
  }
  try {
    await orders.add(row)
  } catch (cause) {
    // Of two concurrent requests with the same key, the first one creates the order.
    const first = await orders.byRequestKey(by.id, request.idempotency_key)
    if (first) return first
    log.error('an order could not be written', { error: cause })
    throw refuse('invalid', 'pay.order', {}, { cause })
  }
  const created = await orders.byTradeNo(tradeNo)
  if (!created) throw refuse('invalid', 'pay.order')
  return created
}

/** Order, balance, ledger and log change in one transaction, so that an order is credited only once. */
function createCredit({ db, ledger, clock, show }: OrdersDeps): Orders['credit'] {
  return async (order, providerTradeNo, by) => {
    const done = new Error('the order was credited before')
    const movement: Movement = {
      kind: 'topup',
      userId: order.user_id,
      amount: order.quota,
      refType: 'order',
      refId: order.trade_no,
      async together(transaction) {
        if (by) await requireManager(transaction, by)
        const isCredited = await topUpStore(transaction).pay(order.trade_no, providerTradeNo, unixSeconds(clock))
        if (!isCredited) throw done
        if (by)
          await transaction
            .insertInto('logs')
            .values(auditOf(order, by, clock))
            .execute()
      },
      log: {
        user_id: order.user_id,
        username: (await userStore(db).evenDeactivated(order.user_id))?.username ?? '',
        created_at: unixSeconds(clock),
        type: logType.topUp,
        // The language of the account is unknown here, so the row stores message keys.
        ...logMessage([
          { key: 'log.topup', params: { amount: show(order.quota), money: moneyText(order.money_cents) } },
        ]),
      },
    }
    try {
      await ledger.move(movement)
      return true
    } catch (error) {
      if (error === done) return false
      throw error
    }
  }
}

function auditOf({ trade_no, user_id, quota, money_cents }: TopUpRow, by: Manager, clock: Clock) {
  const facts = { order: { trade_no, user: user_id, quota, money: moneyText(money_cents) } }
  return managerRow(by, 'log.order_completed', clock, { order: trade_no, user: user_id }, facts)
}

export const orderViewOf = (row: TopUpRow): OrderView => ({
  id: row.id,
  trade_no: row.trade_no,
  amount: row.amount,
  money: moneyText(row.money_cents),
  quota: row.quota,
  payment_method: row.payment_method,
  status: row.status,
  create_time: row.create_time,
  complete_time: row.complete_time,
})

export const managedOrderOf = (row: ListedTopUp): ManagedOrder => ({
  ...orderViewOf(row),
  user_id: row.user_id,
  username: row.username ?? '',
  provider_trade_no: row.provider_trade_no,
})
