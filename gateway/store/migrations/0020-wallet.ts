import { sql } from 'kysely'
import type { Migration } from './column.ts'

/**
 * Money of orders as a whole number of cents in place of a fraction, the key by which an order that is asked for twice is
 * one, and what lists and the ending of orders look by.
 */
export const wallet: Migration = {
  name: 'wallet',
  async up(db, dialect) {
    const whole = dialect === 'sqlite' ? sql`integer` : sql`bigint`
    const topUps = () => db.schema.alterTable('top_ups')
    await topUps()
      .addColumn('money_cents', whole, (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update top_ups set money_cents = cast(round(money * 100) as ${whole})
      where money between 0 and 1000000000`.execute(db)
    await topUps().dropColumn('money').execute()
    await topUps()
      .addColumn('request_key', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await sql`create unique index top_ups_request on top_ups (user_id, request_key) where request_key <> ''`.execute(db)
    await db.schema.createIndex('top_ups_state').on('top_ups').columns(['status', 'create_time']).execute()
    await db.schema.createIndex('redemptions_name').on('redemptions').column('name').execute()
  },
}
