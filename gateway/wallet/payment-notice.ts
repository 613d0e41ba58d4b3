import { orderStatus } from '../../shared/enums.ts'
import { centsOf } from '../../shared/money.ts'
import type { Clock } from '../base/clock.ts'
import { isSameSecret } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import { createRareWarning } from '../base/rare-warning.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import { type TopUpRow, topUpStore } from '../store/top-ups.ts'
import { isSigned, merchantIn } from './epay.ts'
import type { Orders } from './orders.ts'

type PaymentNoticesDeps = Readonly<{
  db: Db
  settings: Pick<Settings, 'get'>
  clock: Pick<Clock, 'monotonic'>
  log: Pick<Logger, 'error' | 'warn'>
  orders: Pick<Orders, 'credit'>
}>

/** The words of the Epay protocol: with anything but the first, the merchant tells again. */
export type NoticeAnswer = 'success' | 'fail'

/** What a merchant tells, by name. */
export type NoticeFields = Readonly<Record<string, string>>

/** What merchants tell of payments (docs/reference/wallet.md#notices). */
export interface PaymentNotices {
  /**
   * Believes what is signed, and returns once what follows from it is in the database; a second notice changes nothing. Which
   * check a refused one has failed goes into the log. Undefined fields could not be read.
   */
  take(fields: NoticeFields | undefined): Promise<NoticeAnswer>
  /** Whether the merchant that is set has signed it. */
  isGenuine(fields: NoticeFields): boolean
}

const PAID = 'TRADE_SUCCESS'
const UNSIGNED = 'a payment notice was refused'
const SIGNED_BY_ANOTHER = 'a payment notice for another merchant id was refused'
/** Characters of what anybody may send. */
const MAX_SAID = 64

/** The rules over one database. */
export function createPaymentNotices({ db, settings, clock, log, orders }: PaymentNoticesDeps): PaymentNotices {
  const warnRarely = createRareWarning({ log, clock })
  return {
    isGenuine: (fields) => failedCheck(fields, settings) === undefined,
    async take(fields) {
      const failed = failedCheck(fields, settings)
      if (!fields || failed) {
        // A message for each of the two: strangers, who sign nothing, push no line of the merchant's out.
        const message = failed === 'merchant id' ? SIGNED_BY_ANOTHER : UNSIGNED
        warnRarely(message, {
          failed,
          order: fields?.out_trade_no?.slice(0, MAX_SAID),
          pid: fields?.pid?.slice(0, MAX_SAID),
        })
        return 'fail'
      }
      if (fields.trade_status !== PAID) return 'success'
      const order = await topUpStore(db).byTradeNo(fields.out_trade_no ?? '')
      const tradeNo = fields.trade_no ?? ''
      const wrong = order ? mismatchOf(order, fields) : 'there is no such order'
      if (!order || wrong) {
        log.error('a payment does not fit its order', { order: fields.out_trade_no, tradeNo, wrong })
        return 'fail'
      }
      if (order.status !== orderStatus.paid && (await orders.credit(order, tradeNo))) return 'success'
      const { provider_trade_no: known } = (await topUpStore(db).byTradeNo(order.trade_no)) ?? order
      // Two payments for one order: who has paid twice is owed one of them by the merchant.
      if (known !== '' && known !== tradeNo)
        log.warn('an order was paid again', { order: order.trade_no, tradeNo, known })
      return 'success'
    },
  }
}

/** What of a notice does not hold, of what the merchant that is set would have signed. */
function failedCheck(fields: NoticeFields | undefined, settings: Pick<Settings, 'get'>): string | undefined {
  const merchant = merchantIn(settings)
  if (!merchant) return 'payment is not set up'
  if (!fields) return 'the form'
  if (!isSigned(fields, merchant.key)) return 'signature'
  return isSameSecret(fields.pid ?? '', merchant.id) ? undefined : 'merchant id'
}

/** Orders that are not ours to credit have no quota: those of an import. */
function mismatchOf({ provider, quota, money_cents }: TopUpRow, { money = '' }: NoticeFields): string | undefined {
  if (provider !== 'epay' || quota < 1) return 'it is not of this provider'
  return centsOf(money) === money_cents ? undefined : 'another amount was paid'
}
