import { sql } from 'kysely'
import type { Migration } from './column.ts'

/** Limits of API tokens besides their quota, and the way to what each token was charged since a given time. */
export const tokenLimits: Migration = {
  name: 'token-limits',
  async up(db, dialect) {
    const whole = dialect === 'sqlite' ? sql`integer` : sql`bigint`
    const tokens = () => db.schema.alterTable('tokens')
    for (const [name, fallback] of limits)
      await tokens()
        .addColumn(name, whole, (column) => column.notNull().defaultTo(fallback))
        .execute()
    await tokens()
      .addColumn('budget_time_zone', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    // Sums are answered from it alone.
    await sql`create index ledger_token on ledger (token_id, created_at, kind, amount)`.execute(db)
  },
}

const limits = [
  ['requests_per_minute', 0],
  ['tokens_per_minute', 0],
  ['budget_minute', 0],
  ['budget_five_hours', 0],
  ['budget_day', 0],
  ['budget_week', 0],
  ['budget_month', 0],
  ['budget_warn_percent', 80],
] as const
