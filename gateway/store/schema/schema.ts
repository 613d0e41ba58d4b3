import type { Generated, Insertable, Selectable } from 'kysely'
import type { VerdictCode } from '../../../shared/api/verdict.ts'
import type { KeptBodiesTable } from './schema-bodies.ts'
import type { JobRunsTable } from './schema-jobs.ts'
import type {
  AuthenticatorsTable,
  InvitationsTable,
  PasskeysTable,
  PastIdentitiesTable,
  PendingNoticesTable,
  SessionsTable,
  SignInsTable,
} from './schema-logins.ts'
import type { MidjourneysTable, TasksTable } from './schema-tasks.ts'
import type { ChannelHoursTable, LatencyHoursTable, QuotaDataTable, UsageHoursTable } from './schema-usage.ts'
import type { RedemptionsTable, TopUpsTable } from './schema-wallet.ts'

/**
 * Every table and column, named as in the database (docs/reference/tables.md#tables). Switches are 0 or 1. `*_time` and
 * `*_at` are unix seconds, except that drawing times are milliseconds. Quota is an integer number of quota units. A
 * test compares this file with the migrations.
 */
export interface Schema {
  users: UsersTable
  sessions: SessionsTable
  authenticators: AuthenticatorsTable
  /** SHA-256 of each unused code; a used code is deleted. */
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
  /** The rest of a long item's content, from part 1. */
  conversation_parts: { conversation_id: string; position: number; part: number; content: string }
  channel_keys: ChannelKeysTable
  scheduled_prices: ScheduledPricesTable
  price_syncs: PriceSyncsTable
  /** JSON: the rates last written by catalogue updates and their scheduled prices. */
  synced_prices: { model: string; rates: string }
  imports: {
    id: Generated<number>
    origin: string
    /**
     * `source` identifies the other installation; `logs_after` is the id there of the last imported log row.
     */
    source: string
    logs_after: Generated<number>
    file_name: Generated<string>
    created_at: number
    username: Generated<string>
  }
  /**
   * Maps fingerprints of imported rows to their ids here; 0 for users that were not imported. `facts` are hashes that
   * identify a user in a later copy.
   */
  import_marks: { mark: string; own_id: number; import_id: number; facts: Generated<string> }
  /** Number of notices sent to an account in the window that ends at `until`. */
  notices: { user_id: number; type: string; sent: number; until: number }
  pending_notices: PendingNoticesTable
}

interface UsersTable {
  id: Generated<number>
  username: string
  /** argon2id hash, or bcrypt hash if imported; empty for accounts that cannot log in by password. */
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
  /** JSON. */
  setting: Generated<string>
  remark: Generated<string>
  created_at: number
  deleted_at: Generated<number | null>
}

interface TokensTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the key without `sk-`, used to look the key up. */
  key_hash: string
  /** Encrypted. */
  key: string
  status: Generated<number>
  name: Generated<string>
  created_time: number
  accessed_time: Generated<number>
  /** -1 means never. */
  expired_time: Generated<number>
  remain_quota: Generated<number>
  unlimited_quota: Generated<number>
  model_limits_enabled: Generated<number>
  model_limits: Generated<string>
  allow_ips: Generated<string>
  used_quota: Generated<number>
  group: Generated<string>
  deleted_at: Generated<number | null>
  /** 0 means unlimited, as for all limits below. */
  requests_per_minute: Generated<number>
  tokens_per_minute: Generated<number>
  /** Quota per window. */
  budget_minute: Generated<number>
  budget_five_hours: Generated<number>
  budget_day: Generated<number>
  budget_week: Generated<number>
  budget_month: Generated<number>
  /** IANA name; empty means UTC. */
  budget_time_zone: Generated<string>
  budget_warn_percent: Generated<number>
  /** 1 if identical requests may get a cached response. */
  response_cache: Generated<number>
  /** 1 if request and response bodies are stored. */
  keep_bodies: Generated<number>
  /** 1 for a guest key, which always has an expiry and a quota. */
  is_guest: Generated<number>
}

interface ChannelsTable {
  id: Generated<number>
  type: Generated<number>
  /** Encrypted. */
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
  /** Verdict code of the last test; empty if unknown. */
  test_code: Generated<'' | VerdictCode>
  /** HTTP status with which the upstream rejected the test; 0 if none. */
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
  /** Encrypted unless empty, like `param_override`. */
  setting: Generated<string>
  param_override: Generated<string>
}

interface OptionsTable {
  key: string
  /** Encrypted if the option is secret and not empty. */
  value: string
  updated_at: number
  /** Who last stored the option; empty if unknown. */
  updated_by: Generated<string>
}

interface OptionChangesTable {
  id: Generated<number>
  created_at: number
  /** 0 for the gateway itself. */
  user_id: number
  username: string
  /** How the change was made, such as an edit or an import. */
  origin: string
  key: string
  /** Whether both values are stored whole, were too long to store, or only record that a secret was set or cleared. */
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
  /** Seconds. */
  use_time: Generated<number>
  is_stream: Generated<number>
  /** Number of attempts after the first. */
  retries: Generated<number>
  channel_id: Generated<number>
  token_id: Generated<number>
  group: Generated<string>
  ip: Generated<string>
  /** JSON: the receipt of a charge, or other facts. */
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
  /** Negative for a charge. */
  amount: number
  ref_type: string
  ref_id: string
  /** The user's balance after this row. */
  balance_after: number
  /** JSON: for a charge that may be refunded, how the hourly tables counted it; empty for other rows. */
  counted_as: Generated<string>
}

/** Sums of an account's ledger rows. */
interface LedgerSumsTable {
  /** 0 sums deleted rows and usage before the ledger; higher ones also sum all rows up to `ledger_reached`. */
  generation: number
  account: string
  id: number
  amount: Generated<number>
  used: Generated<number>
  requests: Generated<number>
}

interface LedgerChecksTable {
  id: Generated<number>
  scope: string
  started_by: string
  /** Who started it; empty for the gateway itself. */
  username: Generated<string>
  state: string
  started_at: number
  ended_at: number
  took_ms: Generated<number>
  ledger_rows: Generated<number>
  accounts: Generated<number>
  differences: Generated<number>
}

/**
 * A balance that differs from the ledger. The same gap in the same column is stored once, however often it is found.
 */
interface LedgerDifferencesTable {
  id: Generated<number>
  account: string
  account_id: number
  column_name: string
  /** Integers as text, like `summed` and `gap`, because a sum may exceed a safe integer. */
  recorded: string
  summed: string
  gap: string
  found_at: number
  seen_at: number
  /** 0 until an administrator acknowledges it. */
  acknowledged_at: Generated<number>
  acknowledged_by: Generated<string>
}

interface StoredResponsesTable {
  id: string
  user_id: number
  /** The token that created it; 0 if none. */
  token_id: Generated<number>
  /** The channel whose provider stores the response; 0 if it is stored here. */
  channel_id: Generated<number>
  /** Fingerprint of the key that created it, for a channel with several keys; otherwise empty. */
  key_id: Generated<string>
  /** Encrypted JSON: the response and its input; empty if the provider stores them. */
  content: Generated<string>
  created_at: number
}

interface ConversationsTable {
  id: string
  user_id: number
  /** The token that created it; 0 if none. */
  token_id: Generated<number>
  /** Encrypted JSON; empty if none. */
  metadata: Generated<string>
  /** Characters of its metadata, plus the sizes of its items. */
  size: Generated<number>
  /** Position of the last item ever added. */
  reached: Generated<number>
  created_at: number
  used_at: number
}

interface ChannelKeysTable {
  channel_id: number
  key_id: string
  /** 2 if disabled by an administrator, 3 if disabled by the system; an enabled key has no row. */
  status: number
  reason: Generated<string>
  status_time: Generated<number>
}

interface ScheduledPricesTable {
  id: Generated<number>
  model: string
  /** JSON: the model's new prices. */
  rates: string
  valid_from: number
  note: Generated<string>
  /** Format of the catalogue it comes from; empty if entered by a person. */
  format: Generated<string>
  state: Generated<'pending' | 'applied' | 'cancelled' | 'failed'>
  username: Generated<string>
  created_at: number
  /** When it was applied, cancelled or given up; 0 while pending. */
  done_at: Generated<number>
}

/** One price update from a catalogue; undoing it deletes the row. */
interface PriceSyncsTable {
  id: Generated<number>
  format: string
  origin: Generated<string>
  /** JSON: by model, the prices before and after, and those written by an earlier update. */
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
