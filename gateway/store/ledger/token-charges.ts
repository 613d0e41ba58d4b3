import { type MaybePromise, whenKnown } from '../../base/maybe-promise.ts'
import { isSqlite } from '../match.ts'
import type { Db } from '../sqlite/database.ts'
import type { Prepare, Slot } from '../sqlite/prepared.ts'

/** Charges of tokens in the ledger: committed rows only, each lookup through an index. */
export interface TokenCharges {
  /** Max seconds per call of `sum`: an hour on SQLite, where a sum blocks the event loop; Infinity on PostgreSQL. */
  readonly maxSeconds: number
  /**
   * The newest row's id; 0 if there are no rows. Rows of other nodes with lower ids may still appear; later rows of
   * this node have higher ids.
   */
  newest(): MaybePromise<number>
  /**
   * Sum of the quota charged for requests that arrived in [`from`, `to`) (unix seconds), in rows with ids up to `upTo`.
   */
  sum(tokenId: number, from: number, to: number, upTo: number): MaybePromise<number>
  /** The time of the first charge at or after `from`, both in unix seconds; undefined without such a charge. */
  firstFrom(tokenId: number, from: number): MaybePromise<number | undefined>
  /** The id of the row with a request's charge; undefined until it is written. */
  rowOf(requestId: string): MaybePromise<number | undefined>
}

/** Synchronous if `prepare` returns synchronous queries. */
export function tokenCharges(db: Db, prepare: Prepare): TokenCharges {
  const sums = prepare((slot: Slot<{ tokenId: number; from: number; to: number; upTo: number }>) =>
    consumed(db)
      .select(({ fn }) => fn.sum<number | null>('amount').as('amount'))
      .where('token_id', '=', slot('tokenId'))
      .where('created_at', '>=', slot('from'))
      .where('created_at', '<', slot('to'))
      .where('id', '<=', slot('upTo')),
  )
  const first = prepare((slot: Slot<{ tokenId: number; from: number }>) =>
    consumed(db)
      .select('created_at')
      .where('token_id', '=', slot('tokenId'))
      .where('created_at', '>=', slot('from'))
      .orderBy('created_at')
      .limit(1),
  )
  const written = prepare((slot: Slot<{ requestId: string }>) =>
    consumed(db).select('id').where('ref_type', '=', 'request').where('ref_id', '=', slot('requestId')),
  )
  const newest = prepare(() => db.selectFrom('ledger').select('id').orderBy('id', 'desc').limit(1))
  return {
    maxSeconds: isSqlite(db) ? 3600 : Infinity,
    newest: () => whenKnown(newest.one({}), (row) => row?.id ?? 0),
    sum: (tokenId, from, to, upTo) => whenKnown(sums.one({ tokenId, from, to, upTo }), (row) => 0 - (row?.amount ?? 0)),
    firstFrom: (tokenId, from) => whenKnown(first.one({ tokenId, from }), (row) => row?.created_at),
    rowOf: (requestId) => whenKnown(written.one({ requestId }), (row) => row?.id),
  }
}

const consumed = (db: Db) => db.selectFrom('ledger').where('kind', '=', 'consume')
