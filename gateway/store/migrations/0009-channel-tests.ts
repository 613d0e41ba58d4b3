import { sql } from 'kysely'
import type { Migration } from './column.ts'

/** How a channel's last test ended; of tests before this nobody has written it down. */
export const channelTests: Migration = {
  name: 'channel-tests',
  async up(db, dialect) {
    const whole = dialect === 'sqlite' ? sql`integer` : sql`bigint`
    const channels = () => db.schema.alterTable('channels')
    for (const name of ['test_code', 'test_message'])
      await channels()
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
        .execute()
    await channels()
      .addColumn('test_status', whole, (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
