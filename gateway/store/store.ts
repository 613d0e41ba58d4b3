import type { CallerRows } from './accounts/callers.ts'
import type { TokenCharges } from './ledger/token-charges.ts'
import type { Db } from './sqlite/database.ts'
import type { Reader } from './sqlite/reader.ts'

/**
 * Attributes the statements of a request to an account: a database on a server serves accounts in turn, so that no
 * account waits for all statements of another one. Does nothing on SQLite.
 */
export interface RequestScope {
  run<T>(work: () => T): T
  /** Call it within `run`, once the caller is known. */
  setAccount(accountId: number): void
}

/**
 * The database as everything except the ledger uses it, independent of the kind of database: no connections, threads or
 * files appear here. Rows are read and written through `db`; the reads of every relayed request have their own members.
 */
export interface Store {
  readonly db: Db
  readonly reader: Reader
  readonly callers: CallerRows
  readonly charges: TokenCharges
  readonly requests: RequestScope
  /**
   * Runs work that removes secrets from rows: as far as the database allows, the overwritten bytes cannot be read
   * afterwards.
   */
  scrubbed<T>(work: () => Promise<T>): Promise<T>
  /** Ends running reads, then closes the connections. Call it after closing the ledger. */
  close(): Promise<void>
}
