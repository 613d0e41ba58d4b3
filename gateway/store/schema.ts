import type { Generated, Insertable, Selectable } from 'kysely'
import type { VerdictCode } from '../../shared/api/verdict.ts'
import type { KeptBodiesTable } from './schema-bodies.ts'
import type {
  AuthenticatorsTable,
  InvitationsTable,
  PasskeysTable,
  PastIdentitiesTable,
  PendingNoticesTable,
  SessionsTable,
  SignInsTable,
} from './schema-entrance.ts'
import type { JobRunsTable } from './schema-jobs.ts'
import type { MidjourneysTable, TasksTable } from './schema-tasks.ts'
import type { ChannelHoursTable, LatencyHoursTable, QuotaDataTable, UsageHoursTable } from './schema-usage.ts'
import type { RedemptionsTable, TopUpsTable } from './schema-wallet.ts'

/**
 * Every table and column, in their names on the wire (docs/reference/tables.md#tables). Switches are 0 or 1. `*_time`
 * and `*_at` are unix seconds; drawing times are milliseconds. Quota is a whole number of quota units. A test compares
 * this file with what the migrations make.
 */
export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  authenticators: AuthenticatorsTable
  /** By SHA-256; a code that was used is gone. */
  recovery_codes: { code_hash: string; user_id: number }
  sign_ins: SignInsTable
  invitations: InvitationsTable
  passkeys: PasskeysTable
  past_identities: PastIdentitiesTable
  tokens: TokensTable
  channels: ChannelsTable
  options: OptionsTable
  option_changes: OptionChangesTable
  redemptions: RedemptionsTable
  logs: LogsTable
  ledger: LedgerTable
  ledger_sums: LedgerSumsTable
  ledger_reached: { generation: number; ledger_id: Generated<number>; is_current: Generated<number> }
  ledger_checks: LedgerChecksTable
  ledger_differences: LedgerDifferencesTable
  journal_anchor: { id: number; installation: string; sequence: number }
  midjourneys: MidjourneysTable
  tasks: TasksTable
  quota_data: QuotaDataTable
  usage_hours: UsageHoursTable
  latency_hours: LatencyHoursTable
  channel_hours: ChannelHoursTable
  top_ups: TopUpsTable
  setups: { id: number; version: string; initialized_at: number }
  channel_upstream_seen: {
    channel_id: number
    group: string
    client_type: string
    first_seen: number
    last_seen: number
  }
  locks: { name: string; owner: string; until: number }
  job_runs: JobRunsTable
  stored_responses: StoredResponsesTable
  kept_bodies: KeptBodiesTable
  conversations: ConversationsTable
  conversation_items: { conversation_id: string; position: number; id: string; content: string }
  channel_keys: ChannelKeysTable
  scheduled_prices: ScheduledPricesTable
  price_syncs: PriceSyncsTable
  /** The rates, as JSON, that an update from a catalogue has written last. */
  synced_prices: { model: string; rates: string }
  imports: {
    id: Generated<number>
    origin: string
    /** A fingerprint of the other installation, and the id there of the last row of its log that is here. */
    source: string
    logs_after: Generated<number>
    file_name: Generated<string>
    created_at: number
    username: Generated<string>
  }
  /** Rows of other installations, by a fingerprint each, and what they are here. */
  import_marks: { mark: string; own_id: number; import_id: number }
  /** How often an account was told of one thing in the window that ends at `until`. */
  notices: { user_id: number; type: string; sent: number; until: number }
  pending_notices: PendingNoticesTable
}

interface UsersTable {
  id: Generated<number>
  username: string
  /** argon2id hash; empty for accounts that cannot sign in by password. */
  password: Generated<string>
  display_name: Generated<string>
  role: Generated<number>
  status: Generated<number>
  email: Generated<string>
  github_id: Generated<string>
  oidc_id: Generated<string>
  wechat_id: Generated<string>
  telegram_id: Generated<string>
  linux_do_id: Generated<string>
  access_token_hash: Generated<string | null>
  quota: Generated<number>
  used_quota: Generated<number>
  request_count: Generated<number>
  group: Generated<string>
  aff_code: Generated<string | null>
  aff_count: Generated<number>
  aff_quota: Generated<number>
  aff_history: Generated<number>
  inviter_id: Generated<number>
  /** JSON text: the user's own settings. */
  setting: Generated<string>
  remark: Generated<string>
  created_at: number
  deleted_at: Generated<number | null>
}

interface TokensTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the 48-character key: what a call is looked up by. */
  key_hash: string
  /** The key itself, sealed. */
  key: string
  status: Generated<number>
  name: Generated<string>
  created_time: number
  accessed_time: Generated<number>
  /** -1 never. */
  expired_time: Generated<number>
  remain_quota: Generated<number>
  unlimited_quota: Generated<number>
  model_limits_enabled: Generated<number>
  model_limits: Generated<string>
  allow_ips: Generated<string>
  used_quota: Generated<number>
  group: Generated<string>
  deleted_at: Generated<number | null>
  /** 0 for none, like all limits that follow. */
  requests_per_minute: Generated<number>
  tokens_per_minute: Generated<number>
  /** Quota for each window. */
  budget_minute: Generated<number>
  budget_five_hours: Generated<number>
  budget_day: Generated<number>
  budget_week: Generated<number>
  budget_month: Generated<number>
  /** An IANA name; empty is UTC. */
  budget_time_zone: Generated<string>
  budget_warn_percent: Generated<number>
  /** 1 where equal requests may be answered with an answer it has had. */
  response_cache: Generated<number>
  /** 1 where the bodies of its calls are kept. */
  keep_bodies: Generated<number>
  /** 1 for a guest key, which always ends and has a limit. */
  is_guest: Generated<number>
}

interface ChannelsTable {
  id: Generated<number>
  type: Generated<number>
  /** Sealed. */
  key: string
  openai_organization: Generated<string>
  test_model: Generated<string>
  status: Generated<number>
  name: Generated<string>
  weight: Generated<number>
  created_time: number
  test_time: Generated<number>
  /** Milliseconds. */
  response_time: Generated<number>
  /** How the last test ended, as a verdict's code; empty where nobody knows. */
  test_code: Generated<'' | VerdictCode>
  /** The status the upstream refused it with; 0 for none. */
  test_status: Generated<number>
  test_message: Generated<string>
  base_url: Generated<string>
  other: Generated<string>
  /** US dollars. */
  balance: Generated<number>
  balance_updated_time: Generated<number>
  models: Generated<string>
  group: Generated<string>
  used_quota: Generated<number>
  model_mapping: Generated<string>
  max_input_tokens: Generated<number>
  status_code_mapping: Generated<string>
  priority: Generated<number>
  auto_ban: Generated<number>
  other_info: Generated<string>
  tag: Generated<string | null>
  /** Sealed where it is not empty, as the column that follows is. */
  setting: Generated<string>
  param_override: Generated<string>
}

interface OptionsTable {
  key: string
  /** Sealed where the option is secret and not empty. */
  value: string
  updated_at: number
  /** Who stored it last; empty where nobody has written it down. */
  updated_by: Generated<string>
}

interface OptionChangesTable {
  id: Generated<number>
  created_at: number
  /** 0 for the gateway itself. */
  user_id: number
  username: string
  /** What made the change: a person's edit, an import and so on. */
  origin: string
  key: string
  /** Whether the two values are here whole, are too long to be kept, or only say that a secret was set or cleared. */
  kept: string
  /** Characters of both values. */
  size: number
  before: string | null
  after: string | null
}

interface LogsTable {
  id: Generated<number>
  user_id: number
  created_at: number
  type: number
  content: Generated<string>
  username: Generated<string>
  token_name: Generated<string>
  model_name: Generated<string>
  quota: Generated<number>
  prompt_tokens: Generated<number>
  completion_tokens: Generated<number>
  /** Whole seconds. */
  use_time: Generated<number>
  is_stream: Generated<number>
  /** Channels that were asked after the first one. */
  retries: Generated<number>
  channel_id: Generated<number>
  token_id: Generated<number>
  group: Generated<string>
  ip: Generated<string>
  /** JSON text: the receipt. */
  other: Generated<string>
  request_id: Generated<string>
}

interface LedgerTable {
  id: Generated<number>
  created_at: number
  user_id: number
  token_id: Generated<number>
  channel_id: Generated<number>
  kind: string
  /** What the movement adds to the user's balance; a charge is negative. */
  amount: number
  ref_type: string
  ref_id: string
  /** The user's balance once this row is counted. */
  balance_after: number
  /** JSON: what the hours count a charge as that may be taken back; empty for all others. */
  counted_as: Generated<string>
}

/** What rows of the ledger add up to for one account. */
interface LedgerSumsTable {
  /** 0 holds the rows that retention has removed; each greater one all rows up to its `ledger_reached`. */
  generation: number
  account: string
  id: number
  amount: Generated<number>
  used: Generated<number>
  requests: Generated<number>
}

/** One comparison of the balances with the ledger. */
interface LedgerChecksTable {
  id: Generated<number>
  scope: string
  started_by: string
  /** Who asked for it; empty for the gateway itself. */
  username: Generated<string>
  state: string
  started_at: number
  ended_at: number
  took_ms: Generated<number>
  ledger_rows: Generated<number>
  accounts: Generated<number>
  differences: Generated<number>
}

/** A balance that says something else than the ledger; the same gap of the same column is one row however often it is found. */
interface LedgerDifferencesTable {
  id: Generated<number>
  account: string
  account_id: number
  column_name: string
  /** Whole numbers as text, like the two that follow: a sum may be wider than a number. */
  recorded: string
  summed: string
  gap: string
  found_at: number
  seen_at: number
  /** 0 until an administrator has taken note. */
  acknowledged_at: Generated<number>
  acknowledged_by: Generated<string>
}

interface StoredResponsesTable {
  /** The response's own id. */
  id: string
  user_id: number
  /** The token that made it; 0 for none. */
  token_id: Generated<number>
  /** The channel whose vendor keeps the response; 0 where it is kept here. */
  channel_id: Generated<number>
  /** The key it was made with, of a channel with several; empty otherwise. */
  key_id: Generated<string>
  /** Sealed JSON: the response and the input it answers; empty where a vendor keeps them. */
  content: Generated<string>
  created_at: number
}

interface ConversationsTable {
  id: string
  user_id: number
  /** The token that made it; 0 for none. */
  token_id: Generated<number>
  /** Sealed JSON; empty for none. */
  metadata: Generated<string>
  /** Characters of all its items. */
  size: Generated<number>
  /** The position of the last item that was ever added. */
  reached: Generated<number>
  created_at: number
  used_at: number
}

interface ChannelKeysTable {
  channel_id: number
  /** The key's fingerprint. */
  key_id: string
  /** 2 switched off by hand, 3 by the system; a key that is on has no row. */
  status: number
  reason: Generated<string>
  /** Unix seconds. */
  status_time: Generated<number>
}

interface ScheduledPricesTable {
  id: Generated<number>
  model: string
  /** JSON: what the price maps are to say of the model. */
  rates: string
  valid_from: number
  note: Generated<string>
  /** Of the catalogue it comes from; empty where a person has entered it. */
  format: Generated<string>
  state: Generated<'pending' | 'applied' | 'cancelled' | 'failed'>
  username: Generated<string>
  created_at: number
  /** When it was put in force, cancelled or given up; 0 while it is pending. */
  done_at: Generated<number>
}

/** One update of prices from a catalogue; one that has been undone is gone. */
interface PriceSyncsTable {
  id: Generated<number>
  format: string
  origin: Generated<string>
  /** JSON: by model, what the price maps said before and after, and what an earlier update had written. */
  changes: string
  models: number
  username: Generated<string>
  created_at: number
}

export type UserRow = Selectable<UsersTable>
export type TokenRow = Selectable<TokensTable>
export type ChannelRow = Selectable<ChannelsTable>
export type SessionRow = Selectable<SessionsTable>
export type ChannelKeyRow = Selectable<ChannelKeysTable>
export type StoredResponseRow = Selectable<StoredResponsesTable>
export type ConversationRow = Selectable<ConversationsTable>
export type LedgerCheckRow = Selectable<LedgerChecksTable>
export type LedgerDifferenceRow = Selectable<LedgerDifferencesTable>
export type OptionChangeRow = Selectable<OptionChangesTable>
export type ScheduledPriceRow = Selectable<ScheduledPricesTable>
export type PriceSyncRow = Selectable<PriceSyncsTable>
export type LogRow = Selectable<LogsTable>
export type NewLedger = Omit<Insertable<LedgerTable>, 'id'>
export type NewLog = Omit<Insertable<LogsTable>, 'id'>
