import type { Generated } from 'kysely'

/** Charged usage by hour, user and model; matches the ledger exactly for the time since recording began. */
export interface QuotaDataTable {
  id: Generated<number>
  user_id: number
  username: Generated<string>
  model_name: Generated<string>
  /** Start of the hour. */
  created_at: number
  /** Prompt and completion tokens. */
  token_used: Generated<number>
  count: Generated<number>
  quota: Generated<number>
}

export interface UsageHoursTable {
  /** 'all', 'user', 'token' or 'model'. */
  kind: string
  created_at: number
  /** Id of the user or token, or model name; empty for `all`. */
  subject: string
  /** Charged requests. */
  count: Generated<number>
  /** Failed requests; 0 for models, because callers could make up names. */
  errors: Generated<number>
  quota: Generated<number>
  token_used: Generated<number>
}

/** Histogram of durations of an hour's charged requests. */
export interface LatencyHoursTable {
  /** `whole` from arrival to end, `first` to the first byte of a stream. */
  measure: string
  created_at: number
  bucket: number
  count: Generated<number>
}

/** Recorded even if hourly usage is not. */
export interface ChannelHoursTable {
  created_at: number
  channel_id: number
  served: Generated<number>
  /** Failed requests, including those that another channel then served. */
  failed: Generated<number>
}
