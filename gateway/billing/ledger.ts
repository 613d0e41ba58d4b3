import type { Transaction } from 'kysely'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { NewLog, Schema } from '../store/schema.ts'

/**
 * The one module that may write balances (docs/reference/billing.md#ledger). It knows no SQL dialect: the SQLite
 * implementation is `sqlite-ledger.ts`; one over PostgreSQL for several nodes fits behind the same words. Quota is a
 * whole number of quota units everywhere.
 */
export interface Ledger {
  /**
   * Sets quota aside for one request on the user and, when it is limited, on the token: as much as is asked, or all that
   * is left. Throws a refusal of kind `exhausted` (codes `insufficient_user_quota`, `pre_consume_token_quota_failed`)
   * where that is less than the least, or `unavailable` while the disk refuses writes. The hold must be settled or
   * released. At once where what is needed to answer is in this process, as it is over SQLite, whose refusals are thrown;
   * a promise where another node is asked, which rejects with the same refusals.
   */
  hold(ask: HoldRequest): MaybePromise<Hold>
  /**
   * Movements that are no relayed request, each with its ledger row and what must happen together with it; several are one
   * transaction, in the order given.
   */
  move(...movements: readonly [Movement, ...Movement[]]): Promise<void>
  /**
   * Takes the charge of a request back, to the unit: balance, used quota of account, token and channel, the limit of the
   * token, and what the hour it was counted in has cost, in one transaction with a ledger row of its own. A request is
   * refunded once at most, whoever asks. Answers what was given back: 0 where nothing was charged, or where `together` says
   * that there is nothing to be done.
   */
  refund(refund: Refund): Promise<number>
  /** Changes a token's limit; `delta` is added to what remains. */
  changeToken(change: TokenLimitChange): Promise<void>
  /** Queues a log row that moves no money (an error, an administrator's act); written with the next commit. */
  note(row: NewLog): void
  /** Everything settled so far is in the database when this resolves (unless the disk takes no writes): what is read next is what was charged. */
  flush(): Promise<void>
  /** Forgets what is known of a token or user whose row was changed or removed elsewhere. */
  forget(account: { userId?: number; tokenId?: number }): void
  /** True while the disk takes writes. */
  healthy(): boolean
  close(): Promise<void>
}

export type HoldRequest = Readonly<{
  requestId: string
  userId: number
  tokenId: number
  /** What is wanted; 0 needs no balance. */
  quota: number
  /** What must be there; all that is wanted where absent. */
  minQuota?: number
  /** Whoever follows low balances is told where the account has less than this once it is charged; never where absent. */
  remindBelow?: number
}>

/** Quota set aside for one request. */
export interface Hold {
  /** What is set aside by now. */
  readonly quota: number
  /**
   * Sets more aside: what is wanted, or all that is left. False, with nothing set aside, where that is less than `least`
   * (all that is wanted unless said) or the hold is closed. Always at once, since a stream asks between two chunks: a
   * ledger of several nodes keeps enough at hand for the streams it has.
   */
  extend(wanted: number, min?: number): boolean
  /** Writes down what has been delivered so far; a crash charges the last checkpoint (at most one every few seconds). */
  checkpoint(charge: Charge): void
  /**
   * Charges once; durable against the death of the process when it returns, or where it returns a promise, when that is
   * kept: no last byte goes out before. Closed and charged in memory from the call on. Does nothing after the first settle
   * or release.
   */
  settle(charge: Charge): MaybePromise<void>
  /** Gives everything back, but for what a checkpoint says has been delivered, for which nobody waits. Does nothing once settled. */
  release(): void
}

/** What one request costs in the end, and the log row that goes with it (null where consumption is not logged). */
export type Charge = Readonly<{
  quota: number
  channelId: number
  at: number
  log: NewLog | null
  /** Prompt and completion together, for limits of tokens a minute. */
  tokens?: number
  /** What usage by hour is kept under, whether or not there is a log row, and how long it took; -1 where nobody knows. */
  use?: Readonly<{ username: string; model: string; tookMs: number; firstByteMs: number }>
  /** Channels that were asked in vain before, once for each attempt; none where absent. */
  failedChannels?: readonly number[]
  /** It may be taken back: its ledger row says what the hours count it as, so that they lose what is given back. */
  isRefundable?: boolean
}>

export type MovementKind = 'grant' | 'admin' | 'redeem' | 'topup' | 'invite' | 'transfer'

export type Movement = Readonly<{
  kind: MovementKind
  userId: number
  /** What is added to the balance; negative takes. */
  amount: number
  /** Where it comes from; the same kind and reference never count twice. */
  refType: string
  refId: string
  log?: NewLog
  /** Runs inside the same transaction, before the movement; throwing undoes everything. */
  together?: (transaction: Transaction<Schema>) => Promise<void>
}>

/** A charge that is taken back. */
export type Refund = Readonly<{
  /** The request that was charged. */
  requestId: string
  /** The log row that goes with it, made of what is given back. */
  log: (amount: number) => NewLog
  /**
   * Runs inside the same transaction, before the money moves; answers whether the charge is to be taken back. False or a
   * throw leaves the money alone.
   */
  together: (transaction: Transaction<Schema>) => Promise<boolean>
}>

export type TokenLimitChange = Readonly<{
  tokenId: number
  delta: number
  unlimited?: boolean
  together?: (transaction: Transaction<Schema>) => Promise<void>
}>
