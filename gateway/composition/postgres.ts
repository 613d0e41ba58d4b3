/** The parts for PostgreSQL, loaded as one chunk, and only with `DATABASE_URL`. */
export { openPostgresLedger } from '../billing/postgres/postgres-ledger.ts'
export { examineServer } from '../store/postgres/examine-server.ts'
export { openPostgresStore } from '../store/postgres/postgres-store.ts'
