import { build, columnsFor, type Migration } from './column.ts'

/** Public keys of passkeys, by which people log in without a password. */
export const passkeys: Migration = {
  name: 'passkeys',
  async up(db, dialect) {
    const { id, whole, text, optionalWhole, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('passkeys'),
      id,
      text('credential_id', undefined, (column) => column.unique()),
      whole('user_id'),
      text('user_handle'),
      text('name'),
      text('public_key'),
      whole('counter', 0),
      text('transports', ''),
      text('rp_id'),
      whole('backed_up', 0),
      whole('created_at'),
      optionalWhole('last_used_at'),
      strict,
    ).execute()
    await db.schema.createIndex('passkeys_user').on('passkeys').column('user_id').execute()
  },
}
