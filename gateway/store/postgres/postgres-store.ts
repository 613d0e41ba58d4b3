import { Kysely } from 'kysely'
import type { Logger } from '../../base/log/logger.ts'
import { callerRows } from '../accounts/callers.ts'
import { tokenCharges } from '../ledger/token-charges.ts'
import type { Schema } from '../schema/schema.ts'
import type { Store } from '../store.ts'
import { type Connections, openConnections } from './connections.ts'
import { plugins, serialDialect } from './dialect.ts'
import { createFairPool, FAIR_CONNECTIONS } from './fair-pool.ts'
import { migrateOnce } from './migrate-once.ts'
import { preparedOver } from './prepared.ts'
import { createPostgresReader } from './reader.ts'

/** Connections of a node: for its transactions, for charges and the relay's reads, and for the console's long reads. */
const MAX_CONNECTIONS = { transactions: FAIR_CONNECTIONS, relay: 3, reads: 2 }
/** Max run time of a statement, above that of the slowest job. */
const STATEMENT_MS = 60_000

/**
 * Opens the store over a PostgreSQL database and migrates its schema. Throws `CannotStart` if the database is not
 * available, or newer than this release.
 */
export async function openPostgresStore(
  url: string,
  nowSeconds: number,
  log: Logger,
): Promise<{ store: Store; connections: Connections }> {
  await migrateOnce(url, nowSeconds, log)
  const open = (max: number) => openConnections({ url, max, statementMs: STATEMENT_MS }, log)
  const transactions = open(MAX_CONNECTIONS.transactions)
  const relay = open(MAX_CONNECTIONS.relay)
  const connections = {
    ...relay,
    reset() {
      relay.reset()
      transactions.reset()
    },
  }
  const { pool, scope } = createFairPool(transactions)
  const db = new Kysely<Schema>({ dialect: serialDialect(pool), plugins })
  const reader = createPostgresReader(url, MAX_CONNECTIONS.reads, log)
  const prepare = preparedOver(connections)
  const store = {
    db,
    reader,
    callers: callerRows(db, prepare),
    charges: tokenCharges(db, prepare),
    requests: scope,
    // PostgreSQL removes overwritten rows when it vacuums, and its log and replicas have them longer.
    scrubbed: <T>(work: () => Promise<T>) => work(),
    async close() {
      await reader.close()
      await relay.end()
      await db.destroy()
    },
  }
  return { store, connections }
}
