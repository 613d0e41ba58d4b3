import { sql } from 'kysely'
import type { Migration } from './column.ts'

/** Which API tokens are guest keys, made in one step for somebody on the local network. */
export const guestKeys: Migration = {
  name: 'guest-keys',
  async up(db, dialect) {
    const flag = dialect === 'sqlite' ? sql`integer` : sql`bigint`
    await db.schema
      .alterTable('tokens')
      .addColumn('is_guest', flag, (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
