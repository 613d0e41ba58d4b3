import type { NewLog } from '../store/schema/schema.ts'

/**
 * Log rows that move no money: changes by users, actions of the gateway, failed requests. They are written in the order
 * they were recorded, with the next commit of the ledger.
 */
export type AuditLog = Readonly<{
  record(row: NewLog): void
}>
