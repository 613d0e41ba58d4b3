import type { Generated } from 'kysely'

/** Codes that are worth quota (docs/reference/wallet.md#redemption-codes). */
export interface RedemptionsTable {
  id: Generated<number>
  /** Who has made it. */
  user_id: number
  /** As people type it: administrators copy it whenever they want. */
  key: string
  status: Generated<number>
  name: Generated<string>
  quota: Generated<number>
  created_time: number
  redeemed_time: Generated<number>
  used_user_id: Generated<number>
  /** 0 never. */
  expired_time: Generated<number>
  deleted_at: Generated<number | null>
}

/** Orders of quota that are paid for online (docs/reference/wallet.md#orders). */
export interface TopUpsTable {
  id: Generated<number>
  user_id: number
  /** Whole US dollars, rounded down; what is credited is `quota`. */
  amount: number
  /** What is to be paid, in hundredths of the merchant's currency. */
  money_cents: Generated<number>
  trade_no: string
  create_time: number
  status: Generated<string>
  quota: Generated<number>
  payment_method: Generated<string>
  provider: Generated<string>
  complete_time: Generated<number>
  provider_trade_no: Generated<string>
  /** Tells an order that is sent twice; empty for none. */
  request_key: Generated<string>
}
