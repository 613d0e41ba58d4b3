import { sql } from 'kysely'
import { build, columnsFor, type Migration } from './column.ts'

/** What the ledger adds up to for each account, how far it has been added up, and what the checks against it found. */
export const ledgerChecks: Migration = {
  name: 'ledger-checks',
  async up(db, dialect) {
    const { id, whole, text, strict } = columnsFor(dialect)
    await build(
      db.schema.createTable('ledger_sums'),
      whole('generation'),
      text('account', undefined, (column) => column.check(sql`account in ('user', 'token', 'channel')`)),
      whole('id'),
      whole('amount', 0),
      whole('used', 0),
      whole('requests', 0),
      (table) => table.addPrimaryKeyConstraint('ledger_sums_key', ['generation', 'account', 'id'] as never),
      // One tree in place of two: every slice of a verification writes thousands of these rows.
      (table) => (dialect === 'sqlite' ? table.modifyEnd(sql`strict, without rowid`) : table),
    ).execute()
    await build(
      db.schema.createTable('ledger_reached'),
      whole('generation', undefined, (column) => column.primaryKey()),
      whole('ledger_id', 0),
      whole('is_current', 0),
      strict,
    ).execute()
    await build(
      db.schema.createTable('ledger_checks'),
      id,
      text('scope'),
      text('started_by'),
      text('username', ''),
      text('state'),
      whole('started_at'),
      whole('ended_at'),
      whole('took_ms', 0),
      whole('ledger_rows', 0),
      whole('accounts', 0),
      whole('differences', 0),
      strict,
    ).execute()
    await build(
      db.schema.createTable('ledger_differences'),
      id,
      text('account'),
      whole('account_id'),
      text('column_name'),
      text('recorded'),
      text('summed'),
      text('gap'),
      whole('found_at'),
      whole('seen_at'),
      whole('acknowledged_at', 0),
      text('acknowledged_by', ''),
      (table) =>
        table.addUniqueConstraint('ledger_differences_once', ['account', 'account_id', 'column_name', 'gap'] as never),
      strict,
    ).execute()
  },
}
