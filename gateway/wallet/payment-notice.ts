import { orderStatus } from '../../shared/enums.ts'
import { centsOf } from '../../shared/money.ts'
import type { Clock } from '../base/clock.ts'
import { isSameSecret } from '../base/ids.ts'
import type { Logger } from '../base/log/logger.ts'
import { createRareWarning } from '../base/log/rare-warning.ts'
import type { Settings } from '../settings/settings.ts'
import { type TopUpRow, topUpStore } from '../store/ledger/top-ups.ts'
import type { Db } from '../store/sqlite/database.ts'
import { isSigned, merchantIn } from './epay.ts'
import type { Orders } from './orders.ts'

type PaymentNoticesDeps = Readonly<{
  db: Db
  settings: Pick<Settings, 'get'>
  clock: Pick<Clock, 'monotonic'>
  log: Pick<Logger, 'error' | 'warn'>
  orders: Pick<Orders, 'credit'>
}>

/** The responses of the Epay protocol: after `fail`, the merchant sends the notice again. */
export type NoticeAnswer = 'success' | 'fail'

export type NoticeFields = Readonly<Record<string, string>>

/** Payment notices from merchants (docs/reference/wallet.md#notices). */
export interface PaymentNotices {
  /**
   * Accepts a signed notice, and resolves once its effects are in the database; a repeated notice changes nothing. Logs
   * which check a rejected notice failed. Undefined fields could not be parsed.
   */
  take(fields: NoticeFields | undefined): Promise<NoticeAnswer>
  /** Whether the configured merchant signed these fields. */
  isGenuine(fields: NoticeFields): boolean
}

const PAID = 'TRADE_SUCCESS'
const UNSIGNED = 'a payment notice was refused'
const SIGNED_BY_ANOTHER = 'a payment notice for another merchant id was refused'
/** Max logged characters of fields that anyone may send. */
const MAX_LOGGED = 64

export function createPaymentNotices({ db, settings, clock, log, orders }: PaymentNoticesDeps): PaymentNotices {
  const warnRarely = createRareWarning({ log, clock })
  return {
    isGenuine: (fields) => failedCheck(fields, settings) === undefined,
    async take(fields) {
      const failed = failedCheck(fields, settings)
      if (!fields || failed) {
        // Warnings are limited per message, so unsigned notices cannot suppress warnings about a merchant's notices.
        const message = failed === 'merchant id' ? SIGNED_BY_ANOTHER : UNSIGNED
        warnRarely(message, {
          failed,
          order: fields?.out_trade_no?.slice(0, MAX_LOGGED),
          pid: fields?.pid?.slice(0, MAX_LOGGED),
        })
        return 'fail'
      }
      if (fields.trade_status !== PAID) return 'success'
      const order = await topUpStore(db).byTradeNo(fields.out_trade_no ?? '')
      const tradeNo = fields.trade_no ?? ''
      const mismatch = order ? mismatchOf(order, fields) : 'there is no such order'
      if (!order || mismatch) {
        log.error('a payment does not fit its order', { order: fields.out_trade_no, tradeNo, wrong: mismatch })
        return 'fail'
      }
      if (order.status !== orderStatus.paid && (await orders.credit(order, tradeNo))) return 'success'
      const { provider_trade_no: known } = (await topUpStore(db).byTradeNo(order.trade_no)) ?? order
      // Two payments for one order: the merchant owes the payer a refund.
      if (known !== '' && known !== tradeNo)
        log.warn('an order was paid again', { order: order.trade_no, tradeNo, known })
      return 'success'
    },
  }
}

/** Returns the check a notice fails, against the configured merchant; undefined if it passes all. */
function failedCheck(fields: NoticeFields | undefined, settings: Pick<Settings, 'get'>): string | undefined {
  const merchant = merchantIn(settings)
  if (!merchant) return 'payment is not set up'
  if (!fields) return 'the form'
  if (!isSigned(fields, merchant.key)) return 'signature'
  return isSameSecret(fields.pid ?? '', merchant.id) ? undefined : 'merchant id'
}

/** Imported orders have no quota and cannot be credited. */
function mismatchOf({ provider, quota, money_cents }: TopUpRow, { money = '' }: NoticeFields): string | undefined {
  if (provider !== 'epay' || quota < 1) return 'it is not of this provider'
  return centsOf(money) === money_cents ? undefined : 'another amount was paid'
}
