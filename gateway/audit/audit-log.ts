import type { NewLog } from '../store/schema/schema.ts'

/**
 * The rows of the log that move no money: what people changed, what the gateway itself did, failed requests. They are written
 * in the order they were recorded, with the next commit of the ledger.
 */
export type AuditLog = Readonly<{
  record(row: NewLog): void
}>
