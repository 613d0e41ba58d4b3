import type { NewLog } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

const ROWS_A_STATEMENT = 500

/** Writes audit rows of the log, within the transaction of the audited action. All rows must have the same columns. */
export async function addAuditRows(transaction: Db, rows: readonly NewLog[]): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_A_STATEMENT)
    await transaction
      .insertInto('logs')
      .values(rows.slice(start, start + ROWS_A_STATEMENT))
      .execute()
}
