import type { Generated } from 'kysely'

/** What was charged, by hour, user and model; to the unit what the ledger says of the time since it is kept. */
export interface QuotaDataTable {
  id: Generated<number>
  user_id: number
  username: Generated<string>
  model_name: Generated<string>
  /** Start of the hour. */
  created_at: number
  /** Prompt and completion together. */
  token_used: Generated<number>
  count: Generated<number>
  quota: Generated<number>
}

/** Usage by hour of one subject. */
export interface UsageHoursTable {
  /** 'all', 'user', 'token' or 'model'. */
  kind: string
  /** Start of the hour. */
  created_at: number
  /** Id of the user or token, name of the model; empty for all. */
  subject: string
  /** Requests that were charged. */
  count: Generated<number>
  /** Requests that failed; 0 for models, whose names callers would make up. */
  errors: Generated<number>
  quota: Generated<number>
  token_used: Generated<number>
}

/** How many charged requests of an hour took about so long. */
export interface LatencyHoursTable {
  /** 'whole' from arrival to end, 'first' to the first byte of a stream. */
  measure: string
  created_at: number
  /** See `bucketOf`. */
  bucket: number
  count: Generated<number>
}

/** How often a channel served and failed in an hour, whether or not usage is kept. */
export interface ChannelHoursTable {
  /** Start of the hour. */
  created_at: number
  channel_id: number
  served: Generated<number>
  /** Requests it was asked in vain, also where another channel served. */
  failed: Generated<number>
}
