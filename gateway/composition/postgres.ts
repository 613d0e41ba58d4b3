/** The parts for PostgreSQL, loaded as one chunk, and only with `DATABASE_URL`. */
export { drainNode, FENCE_SECONDS, fenceNode, listNodes } from '../billing/postgres/membership.ts'
export { openPostgresLedger } from '../billing/postgres/postgres-ledger.ts'
export { openPostgresSide, readPostgres, refuseMovedDatabase, writeJournals } from '../move/postgres/postgres-side.ts'
export { openPostgresState } from '../shared-state/postgres/postgres-state.ts'
export { openConnections } from '../store/postgres/connections.ts'
export { openPostgresStore } from '../store/postgres/postgres-store.ts'
export { readServerReport } from '../store/postgres/server-report.ts'
