import type { ImportCounts, ImportOrigin, ImportTable } from '../../shared/api/import.ts'
import type { OptionWrite } from '../store/options.ts'
import type { TokenPatch } from '../store/tokens.ts'
import type { NewUser } from '../store/users.ts'
import type { Remarks } from './remarks.ts'

/** A user that comes: the row without what the ledger writes. */
export type PlannedUser = Readonly<{
  /** The id there. */
  theirId: number
  mark: string
  row: NewUser
  quota: number
  used: number
  requests: number
  /** The id there of who invited; 0 for nobody. */
  inviter: number
}>

/** A token that comes; `owner` is the user's id there, `key` is without `sk-`. */
export type PlannedToken = Readonly<{
  theirId: number
  owner: number
  key: string
  row: TokenPatch & Readonly<{ remain_quota: number; unlimited_quota: number; created_time: number }>
  used: number
}>

/** The columns of a channel that come, as the channel editor would write them. */
export type ChannelColumns = Readonly<{
  type: number
  name: string
  status: number
  models: string
  group: string
  base_url: string
  other: string
  openai_organization: string
  test_model: string
  model_mapping: string
  status_code_mapping: string
  setting: string
  param_override: string
  other_info: string
  priority: number
  weight: number
  auto_ban: number
  tag: string | null
  created_time: number
  test_time: number
  response_time: number
  balance: number
  balance_updated_time: number
}>

/** A channel that comes; `key` is the column's text, several keys one a line. */
export type PlannedChannel = Readonly<{
  /** The id there; 0 where there is none. */
  theirId: number
  mark: string
  columns: ChannelColumns
  key: string
  used: number
}>

/** A redemption code that comes; the ids of its people are those there. */
export type PlannedCode = Readonly<{
  key: string
  status: number
  name: string
  quota: number
  created_time: number
  redeemed_time: number
  expired_time: number
  by: number
  usedBy: number
}>

/** A top-up that comes. */
export type PlannedTopUp = Readonly<{
  owner: number
  amount: number
  money_cents: number
  trade_no: string
  create_time: number
  status: string
}>

/** All that would be written, but for the usage log, which is read while it is written. */
export type ImportPlan = Readonly<{
  origin: ImportOrigin
  /** The fingerprint of the installation it comes from. */
  source: string
  users: readonly PlannedUser[]
  tokens: readonly PlannedToken[]
  channels: readonly PlannedChannel[]
  options: readonly OptionWrite[]
  redemptions: readonly PlannedCode[]
  topUps: readonly PlannedTopUp[]
  /** Users there that are accounts here already: their ids there and here. */
  known: ReadonlyMap<number, number>
  /** Channels there that are here already, likewise. */
  knownChannels: ReadonlyMap<number, number>
  /** Whether the usage log follows, and after which of its rows. */
  logs: Readonly<{ follow: boolean; after: number }>
  counts: readonly ImportCounts[]
  remarks: Remarks
  /** Environment variables that nobody has given. */
  variables: readonly string[]
}>

/** A tally of one table's rows. */
export type ImportTally = { -readonly [K in keyof ImportCounts]: ImportCounts[K] }

/** A tally at nothing. */
export const tallyOf = (table: ImportTable, found = 0): ImportTally => ({
  table,
  found,
  comes: 0,
  known: 0,
  deleted: 0,
  left_out: 0,
})

/** Whether a plan has anything to write. */
export const hasWork = ({ counts }: Pick<ImportPlan, 'counts'>): boolean => counts.some(({ comes }) => comes > 0)
