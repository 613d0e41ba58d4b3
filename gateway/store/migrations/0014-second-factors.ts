import { build, columnsFor, type Migration } from './column.ts'

/** What beside a password lets somebody in, and who came in when. */
export const secondFactors: Migration = {
  name: 'second factors',
  async up(db, dialect) {
    const { id, whole, text, optionalWhole, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('authenticators'),
      whole('user_id', undefined, (column) => column.primaryKey()),
      text('secret'),
      whole('created_at'),
      optionalWhole('confirmed_at'),
      whole('last_step', 0),
      strict,
    ).execute()
    await build(
      db.schema.createTable('recovery_codes'),
      text('code_hash', undefined, (column) => column.primaryKey()),
      whole('user_id'),
      strict,
    ).execute()
    await db.schema.createIndex('recovery_codes_user').on('recovery_codes').column('user_id').execute()
    await build(
      db.schema.createTable('sign_ins'),
      id,
      whole('user_id'),
      whole('created_at'),
      text('way'),
      whole('succeeded'),
      text('ip', ''),
      text('user_agent', ''),
      strict,
    ).execute()
    await db.schema.createIndex('sign_ins_user').on('sign_ins').columns(['user_id', 'id']).execute()
  },
}
