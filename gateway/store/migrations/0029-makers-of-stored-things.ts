import { sql } from 'kysely'
import type { Migration } from './column.ts'

/** Which token made an answer or a conversation that is kept; 0 for what is older, and for none. */
export const makersOfStoredThings: Migration = {
  name: 'makers-of-stored-things',
  async up(db, dialect) {
    const whole = dialect === 'sqlite' ? sql`integer` : sql`bigint`
    for (const table of ['stored_responses', 'conversations'])
      await db.schema
        .alterTable(table)
        .addColumn('token_id', whole, (column) => column.notNull().defaultTo(0))
        .execute()
  },
}
