import type { Migration } from './column.ts'

/** What the hours count a charge as that may be taken back, beside its row in the ledger. */
export const hoursThatAgree: Migration = {
  name: 'hours-that-agree',
  async up(db) {
    await db.schema
      .alterTable('ledger')
      .addColumn('counted_as', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
