import type { CallerRows } from './callers.ts'
import type { Db } from './database.ts'
import type { Reader } from './reader.ts'
import type { TokenCharges } from './token-charges.ts'

/**
 * The database as everything beside the ledger knows it, whatever is behind it: no connection, no thread and no file of
 * one kind of database shows here. Rows are read and written over `db`; what the relay reads of every request has a
 * reading of its own.
 */
export interface Store {
  readonly db: Db
  /** Readings of unbounded cost, away from the relay. */
  readonly reader: Reader
  readonly callers: CallerRows
  readonly charges: TokenCharges
  /** Runs work that takes secrets out of rows: what it overwrites can be read nowhere any more, as far as the database allows. */
  scrubbed<T>(work: () => Promise<T>): Promise<T>
  /** Ends the readings, then the connections; after the ledger. */
  close(): Promise<void>
}
