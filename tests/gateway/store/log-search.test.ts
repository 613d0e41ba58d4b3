import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { migrate } from '../../../gateway/store/migrate.ts'
import { migrations } from '../../../gateway/store/migrations/index.ts'
import type { Schema } from '../../../gateway/store/schema.ts'

it('rows from before tell after the migration how often a request was tried', async () => {
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  const before = migrations.findIndex(({ name }) => name === 'log-search')
  await migrate(db, 'sqlite', 1, migrations.slice(0, before))
  const others = {
    twice: JSON.stringify({ admin_info: { use_channel: ['7', '8', '9'] } }),
    once: JSON.stringify({ admin_info: { use_channel: ['7'], tried: [{ channel: 7, reason: 'a","b' }] } }),
    broken: '{"admin_info":{"use_channel":["7","8"]',
    foreign: JSON.stringify({ said: '"use_channel":["7","8"]' }),
    none: '',
  }
  const rows = Object.entries(others).map(([content, other]) => ({
    content,
    other,
    user_id: 1,
    created_at: 1,
    type: 2,
  }))
  await db.insertInto('logs').values(rows).execute()
  await migrate(db, 'sqlite', 2)
  const found = await db.selectFrom('logs').select(['content', 'retries']).orderBy('id').execute()
  expect(Object.fromEntries(found.map(({ content, retries }) => [content, retries]))).toEqual({
    ...{ twice: 2, once: 0, broken: 0, foreign: 0, none: 0 },
  })
  await db.destroy()
})
