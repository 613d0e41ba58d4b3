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

/** Drawings; nothing in this release writes to it. */
export interface MidjourneysTable {
  id: Generated<number>
  code: Generated<number>
  user_id: number
  action: Generated<string>
  mj_id: Generated<string>
  prompt: Generated<string>
  prompt_en: Generated<string>
  description: Generated<string>
  state: Generated<string>
  /** Milliseconds, like the two that follow. */
  submit_time: Generated<number>
  start_time: Generated<number>
  finish_time: Generated<number>
  image_url: Generated<string>
  status: Generated<string>
  progress: Generated<string>
  fail_reason: Generated<string>
  channel_id: Generated<number>
  quota: Generated<number>
  buttons: Generated<string>
  properties: Generated<string>
}

/** Work that vendors do in the background; nothing in this release writes to it. */
export interface TasksTable {
  id: Generated<number>
  created_at: number
  updated_at: number
  task_id: Generated<string>
  platform: Generated<string>
  user_id: number
  channel_id: Generated<number>
  quota: Generated<number>
  action: Generated<string>
  status: Generated<string>
  fail_reason: Generated<string>
  submit_time: Generated<number>
  start_time: Generated<number>
  finish_time: Generated<number>
  progress: Generated<string>
  properties: Generated<string>
  data: Generated<string>
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
