import type { Generated } from 'kysely'

/** Codes that are worth quota; nothing but an import writes to it in this release. */
export interface RedemptionsTable {
  id: Generated<number>
  user_id: number
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

/** Usage by hour; nothing in this release writes to it. */
export interface QuotaDataTable {
  id: Generated<number>
  user_id: number
  username: Generated<string>
  model_name: Generated<string>
  /** Start of the hour. */
  created_at: number
  token_used: Generated<number>
  count: Generated<number>
  quota: Generated<number>
}

/** Payments; nothing in this release writes to it. */
export interface TopUpsTable {
  id: Generated<number>
  user_id: number
  /** US dollars. */
  amount: number
  money: number
  trade_no: string
  create_time: number
  status: Generated<string>
  quota: Generated<number>
  payment_method: Generated<string>
  provider: Generated<string>
  complete_time: Generated<number>
  provider_trade_no: Generated<string>
}
