import { sql } from 'kysely'
import type { Migration } from './column.ts'

/**
 * Which request a drawing or a task was charged by, over which token and key of the channel; and what the poller and the
 * lists find rows by.
 */
export const drawingsAndTasks: Migration = {
  name: 'drawings and tasks',
  async up(db, dialect) {
    const whole = dialect === 'sqlite' ? sql`integer` : sql`bigint`
    for (const table of ['midjourneys', 'tasks'] as const) {
      await db.schema
        .alterTable(table)
        .addColumn('token_id', whole, (column) => column.notNull().defaultTo(0))
        .execute()
      for (const name of ['request_id', 'key_id'])
        await db.schema
          .alterTable(table)
          .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
          .execute()
      await db.schema.createIndex(`${table}_of_user`).on(table).columns(['user_id', 'id']).execute()
      await sql`create index ${sql.ref(`${table}_unfinished`)} on ${sql.table(table)} (id) where progress <> '100%'`.execute(
        db,
      )
    }
  },
}
