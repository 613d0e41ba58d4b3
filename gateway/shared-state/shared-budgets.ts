/**
 * The budgets of tokens that several nodes charge (docs/growth.md#limits). Each node publishes what it has reserved of
 * a token, so that all together never reserve more than there is.
 */
export interface SharedBudgets {
  /**
   * Publishes the quota of a token that this node has reserved, or charged without having written it yet. Returns what
   * the others have published, and the charges after a ledger row. Publications of one token run one after another on
   * all nodes: the later of two knows the earlier one.
   */
  publish(tokenId: number, quota: number, afterRow: number): Promise<Published>
  /** Returns the id of a ledger row up to which no row can still appear, as of at most `maxAgeMs` ago. */
  finalRow(maxAgeMs: number): Promise<number>
  /** True once nothing can be published any more. */
  readonly isClosed: boolean
}

/** `at` is when a request arrived, in unix seconds. */
export type WrittenCharge = Readonly<{ id: number; requestId: string; at: number; quota: number }>
type Published = Readonly<{ others: number; charges: readonly WrittenCharge[] }>
