import type { Migration } from '../../gateway/store/migrations/column.ts'
import { FIRST_VERSION, migrations } from '../../gateway/store/migrations/index.ts'

/**
 * Starts the gateway as a later release would: with a migration that only adds, and takes a while on many log rows;
 * with `NEXT=contract` also with one after which this release cannot use the database.
 */
const expand: Migration = {
  name: 'expand',
  async up(db) {
    const { schema } = db
    await schema
      .alterTable('channels')
      .addColumn('region', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await schema
      .createTable('digests')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .execute()
    await db
      .insertInto('digests')
      .columns(['id'])
      .expression(db.selectFrom('logs').select('id').orderBy('content'))
      .execute()
    await schema.createIndex('logs_content').on('logs').column('content').execute()
  },
}
const contract: Migration = {
  name: 'contract',
  leastVersion: FIRST_VERSION + migrations.length,
  up: (db) => db.schema.dropIndex('logs_content').execute(),
}
const later = process.env.NEXT === 'contract' ? [expand, contract] : [expand]
;(migrations as Migration[]).push(...later)
const gateway = new URL('../../gateway/headless.mjs', import.meta.url)
await import(gateway.href)
