import { sql } from 'kysely'
import type { Migration } from './column.ts'

/** Whether equal requests of a token may be answered with an answer it has had. */
export const responseCache: Migration = {
  name: 'response-cache',
  async up(db, dialect) {
    const whole = dialect === 'sqlite' ? sql`integer` : sql`bigint`
    await db.schema
      .alterTable('tokens')
      .addColumn('response_cache', whole, (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
