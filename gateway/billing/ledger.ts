import type { Transaction } from 'kysely'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { NewLog, Schema } from '../store/schema/schema.ts'

/**
 * The interface of writes of balances, except those of an import (docs/reference/billing.md#ledger). Independent of the
 * SQL dialect: `sqlite-ledger.ts` implements it for a single process, `postgres/postgres-ledger.ts` for one of several
 * nodes. Quota is a whole number of quota units everywhere.
 */
export interface Ledger {
  /**
   * Reserves quota for one request on the user and, if it is limited, on the token: as much as requested, or all that
   * is left. Throws `exhausted` (codes `insufficient_user_quota`, `pre_consume_token_quota_failed`) if that is less
   * than the minimum, `unavailable` while the disk does not accept writes, or `unauthenticated` if the account does not
   * exist. The hold must be settled or released. Synchronous if this process has all it needs, as over SQLite; a
   * promise that rejects with the same errors if quota must be leased from the database first.
   */
  hold(request: HoldRequest): MaybePromise<Hold>
  /**
   * Books movements other than relayed requests, each with its ledger row and its `together`; several are one
   * transaction, in the order given.
   */
  move(...movements: readonly [Movement, ...Movement[]]): Promise<void>
  /**
   * Refunds the full charge of a request: the balance, the used quota of account, token and channel, the token's limit,
   * and the cost in the hour it was counted in, in one transaction with its own ledger row. A request is refunded at
   * most once. Returns the amount refunded: 0 if nothing was charged or `together` returned false.
   */
  refund(refund: Refund): Promise<number>
  /** Changes a token's limit; `delta` is added to what remains. */
  changeToken(change: TokenLimitChange): Promise<void>
  /**
   * Resolves once everything settled so far is in the database (unless the disk does not accept writes), so that later
   * reads include all charges.
   */
  flush(): Promise<void>
  /** Drops the cached state of a token or user, or of all, whose rows were changed or deleted elsewhere. */
  forget(account: { userId?: number; tokenId?: number } | 'all'): void
  healthy(): boolean
  close(): Promise<void>
}

export type HoldRequest = Readonly<{
  requestId: string
  userId: number
  tokenId: number
  /** The amount to reserve; 0 requires no balance. */
  quota: number
  /** The minimum to reserve; defaults to `quota`. */
  minQuota?: number
  /** The most that the request may spend, such as the rest of a budget; the account reserves `quota` all the same. */
  maxQuota?: number
  /** A low-balance reminder is triggered if the account has less than this after the charge; never if absent. */
  remindBelow?: number
}>

export interface Hold {
  /** The amount that the request may spend so far. */
  readonly quota: number
  /**
   * Reserves more: `wanted`, or all that is left. Returns false, reserving nothing more, if that is less than `min`
   * (default `wanted`) or the hold is closed. Always synchronous, since streams call it between two chunks; one of
   * several nodes uses only the quota that it has leased.
   */
  extend(wanted: number, min?: number): boolean
  /** Whether the last extension failed because the account, and not only the token, cannot pay for more. */
  readonly isAccountShort: boolean
  /** Records what has been delivered so far; a crash charges the last checkpoint (at most one every few seconds). */
  checkpoint(charge: Charge): void
  /** Withdraws the last checkpoint: nothing is owed for it after all. */
  withdraw(): void
  /**
   * Charges once. The charge survives a crash of the process once this returns or, if it returns a promise, once that
   * resolves; the last byte must not be sent before. The hold is closed, and the charge deducted in memory,
   * immediately. Does nothing after the first settle or release.
   */
  settle(charge: Charge): MaybePromise<void>
  /**
   * Releases the reservation, except what a checkpoint recorded as delivered, which is settled without waiting. Does
   * nothing once settled.
   */
  release(): void
}

/** The final cost of a request, and its log row (null if consumption is not logged). */
export type Charge = Readonly<{
  quota: number
  channelId: number
  at: number
  log: NewLog | null
  /** Prompt and completion tokens, for limits on tokens per minute. */
  tokens?: number
  /** The names under which hourly usage is counted, with or without a log row, and the durations; -1 if unknown. */
  use?: Readonly<{ username: string; model: string; tookMs: number; firstByteMs: number }>
  /** Channels that failed before, once per attempt; none if absent. */
  failedChannels?: readonly number[]
  /** The charge may be refunded: its ledger row stores what it is counted under, so that the hour can be corrected. */
  isRefundable?: boolean
}>

export type MovementKind = 'grant' | 'admin' | 'redeem' | 'topup' | 'invite' | 'transfer'

export type Movement = Readonly<{
  kind: MovementKind
  userId: number
  /** Added to the balance; negative deducts. */
  amount: number
  /** The source; the same kind and reference are never booked twice. */
  refType: string
  refId: string
  log?: NewLog
  /** Runs inside the same transaction, before the movement; throwing rolls everything back. */
  together?: (transaction: Transaction<Schema>) => Promise<void>
}>

export type Refund = Readonly<{
  requestId: string
  /** When the task was submitted, in unix seconds. */
  orderedAt: number
  log: (amount: number) => NewLog
  /**
   * Runs inside the same transaction, before the money moves; returns whether to refund. No money moves if it returns
   * false or throws.
   */
  together: (transaction: Transaction<Schema>) => Promise<boolean>
}>

export type TokenLimitChange = Readonly<{
  tokenId: number
  delta: number
  unlimited?: boolean
  together?: (transaction: Transaction<Schema>) => Promise<void>
}>

/** A settled request, or (with `charge` null) only a log row, waiting to be written. */
export type CommitEntry = Readonly<{
  /** Position in the journal; 0 for rows that move no money and are not journalled. */
  sequence: number
  requestId: string
  userId: number
  tokenId: number
  /**
   * Whether the token was limited at settlement: only then is the charge deducted from its remaining quota, even if the
   * limit has changed since.
   */
  limited: boolean
  charge: Charge | null
  note: NewLog | null
  /** Whether hourly usage was disabled when this was settled or noted. */
  isUncounted?: boolean
}>
