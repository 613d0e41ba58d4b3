import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { expect, it } from 'vitest'
import { migrate } from '../../../gateway/store/migrate.ts'
import { migrations } from '../../../gateway/store/migrations/index.ts'
import type { Schema } from '../../../gateway/store/schema.ts'

it('orders from before have their money in whole cents after the migration (docs/reference/wallet.md#orders)', async () => {
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  const before = migrations.findIndex(({ name }) => name === 'wallet')
  await migrate(db, 'sqlite', 1, migrations.slice(0, before))
  for (const [place, money] of [5.5, 7.3, 0.29, 1.005, 0, -1, 1e300].entries())
    await sql`insert into top_ups (user_id, amount, money, trade_no, create_time) values (1, 1, ${money}, ${place}, 1)`.execute(
      db,
    )
  await migrate(db, 'sqlite', 2)
  const found = await db.selectFrom('top_ups').select('money_cents').orderBy('id').execute()
  expect(found.map(({ money_cents: cents }) => cents)).toEqual([550, 730, 29, 100, 0, 0, 0])
  await db.destroy()
})
