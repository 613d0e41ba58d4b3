import type { ImportCounts, ImportOrigin, ImportTable } from '../../shared/api/import.ts'
import type { TokenPatch } from '../store/accounts/tokens.ts'
import type { NewUser } from '../store/accounts/users.ts'
import type { OptionWrite } from '../store/options.ts'
import type { Remarks } from './remarks.ts'

/** A user to import: the row without what the ledger writes. */
export type PlannedUser = Readonly<{
  /** The id in the file. */
  theirId: number
  mark: string
  facts: string
  row: NewUser
  quota: number
  used: number
  requests: number
  /** The inviter's id in the file; 0 for none. */
  inviter: number
}>

/** Recorded for a user who is not imported now; `ownId` is the id here, 0 if the user never was imported. */
export type PlannedMark = Readonly<{ mark: string; ownId: number; facts: string }>

/** A token to import; `owner` is the user's id in the file, `key` is without `sk-`. */
export type PlannedToken = Readonly<{
  theirId: number
  owner: number
  key: string
  row: TokenPatch & Readonly<{ remain_quota: number; unlimited_quota: number; created_time: number }>
  used: number
}>

/** The imported columns of a channel, as the channel editor would write them. */
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

/**
 * A channel to import; `key` is the column's text: one key per line, or a JSON array of several Google service
 * accounts.
 */
export type PlannedChannel = Readonly<{
  /** The id in the file; 0 if there is none. */
  theirId: number
  mark: string
  columns: ChannelColumns
  key: string
  used: number
}>

/** A redemption code to import; its user ids are those in the file. */
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

export type PlannedTopUp = Readonly<{
  owner: number
  amount: number
  money_cents: number
  trade_no: string
  create_time: number
  status: string
}>

/** Everything to be written, except the usage log, which is read only while it is imported. */
export type ImportPlan = Readonly<{
  origin: ImportOrigin
  /** Identifies the installation the file comes from. */
  source: string
  users: readonly PlannedUser[]
  marks: readonly PlannedMark[]
  tokens: readonly PlannedToken[]
  channels: readonly PlannedChannel[]
  options: readonly OptionWrite[]
  redemptions: readonly PlannedCode[]
  topUps: readonly PlannedTopUp[]
  /** Maps ids in the file to ids here, for users that already exist. */
  known: ReadonlyMap<number, number>
  /** Maps ids in the file to ids here, for tokens that already exist. */
  knownTokens: ReadonlyMap<number, number>
  /** Maps ids in the file to ids here, for channels that already exist. */
  knownChannels: ReadonlyMap<number, number>
  /** Whether to import the usage log, and after which of its rows. */
  logs: Readonly<{ follow: boolean; after: number }>
  counts: readonly ImportCounts[]
  remarks: Remarks
  /** Environment variables without a value. */
  variables: readonly string[]
}>

export type ImportTally = { -readonly [K in keyof ImportCounts]: ImportCounts[K] }

export const tallyOf = (table: ImportTable, found = 0): ImportTally => ({
  table,
  found,
  comes: 0,
  known: 0,
  deleted: 0,
  left_out: 0,
})

export const hasWork = ({ counts }: Pick<ImportPlan, 'counts'>): boolean => counts.some(({ comes }) => comes > 0)
