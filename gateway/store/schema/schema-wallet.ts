import type { Generated } from 'kysely'

/** Redemption codes (docs/reference/wallet.md#redemption-codes). */
export interface RedemptionsTable {
  id: Generated<number>
  /** The account that created the code. */
  user_id: number
  /** In plain text, because administrators can copy it at any time. */
  key: string
  status: Generated<number>
  name: Generated<string>
  quota: Generated<number>
  created_time: number
  redeemed_time: Generated<number>
  used_user_id: Generated<number>
  /** 0 means never. */
  expired_time: Generated<number>
  deleted_at: Generated<number | null>
}

/** Orders of quota paid for online (docs/reference/wallet.md#orders). */
export interface TopUpsTable {
  id: Generated<number>
  user_id: number
  /** Whole US dollars, rounded down; the amount credited is `quota`. */
  amount: number
  /** Amount to pay, in hundredths of the merchant's currency. */
  money_cents: Generated<number>
  trade_no: string
  create_time: number
  status: Generated<string>
  quota: Generated<number>
  payment_method: Generated<string>
  provider: Generated<string>
  complete_time: Generated<number>
  provider_trade_no: Generated<string>
  /** Idempotency key that identifies a repeated order; empty if there is none. */
  request_key: Generated<string>
}
