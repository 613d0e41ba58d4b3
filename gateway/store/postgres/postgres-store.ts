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
import { inTurnOf, preparedOver } from './prepared.ts'
import { createPostgresReader } from './reader.ts'

/**
 * Max connections of a node: for statements of accounts in turn, for looking up keys, for charges and shared state, and
 * for long reads.
 */
const MAX_CONNECTIONS = { inTurn: FAIR_CONNECTIONS, keys: 2, node: 2, reads: 2 }
/** Max run time of a statement, above that of the slowest job. */
const STATEMENT_MS = 60_000

/**
 * Opens the store over a PostgreSQL database and migrates its schema. Throws `CannotStart` if the database is not
 * available, belongs to another program, or is newer than this release.
 */
export async function openPostgresStore(
  url: string,
  nowSeconds: number,
  log: Logger,
): Promise<{ store: Store; connections: Connections }> {
  await migrateOnce(url, nowSeconds, log)
  const open = (max: number) => openConnections({ url, max, statementMs: STATEMENT_MS }, log)
  const inTurn = open(MAX_CONNECTIONS.inTurn)
  const keys = open(MAX_CONNECTIONS.keys)
  const node = open(MAX_CONNECTIONS.node)
  const connections = { ...node, reset: () => [inTurn, keys, node].forEach((one) => void one.reset()) }
  const { pool, scope } = createFairPool(inTurn)
  const db = new Kysely<Schema>({ dialect: serialDialect(pool), plugins })
  const reader = createPostgresReader(url, MAX_CONNECTIONS.reads, log)
  const store = {
    db,
    reader,
    callers: callerRows(db, preparedOver(keys)),
    charges: tokenCharges(db, inTurnOf(db)),
    requests: scope,
    // PostgreSQL removes overwritten rows when it vacuums; its log and its replicas retain them longer.
    scrubbed: <T>(work: () => Promise<T>) => work(),
    async close() {
      await reader.close()
      await keys.end()
      await node.end()
      await db.destroy()
    },
  }
  return { store, connections }
}
