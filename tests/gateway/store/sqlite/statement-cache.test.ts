import Database from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { cachedStatements } from '../../../../gateway/store/sqlite/statement-cache.ts'

type Things = { things: { id: number; name: string } }

let connection: Database.Database
let db: Kysely<Things>
beforeEach(async () => {
  connection = new Database(':memory:')
  db = new Kysely<Things>({ dialect: new SqliteDialect({ database: cachedStatements(connection) }) })
  await sql`create table things (id integer primary key, name text not null)`.execute(db)
  await db
    .insertInto('things')
    .values([1, 2, 3].map((id) => ({ id, name: `thing ${id}` })))
    .execute()
  return () => db.destroy()
})

const named = (id: number) => db.selectFrom('things').selectAll().where('id', '=', id).executeTakeFirst()

describe('statements of the database', () => {
  it('are compiled once, whatever their values', async () => {
    const prepare = vi.spyOn(connection, 'prepare')
    expect([await named(1), await named(2), await named(4)]).toEqual([
      { id: 1, name: 'thing 1' },
      { id: 2, name: 'thing 2' },
      undefined,
    ])
    expect(prepare).toHaveBeenCalledOnce()
  })

  it('see a table as it is now', async () => {
    await named(1)
    await sql`alter table things add column size integer not null default 7`.execute(db)
    expect(await named(1)).toEqual({ id: 1, name: 'thing 1', size: 7 })
  })

  it('do not disturb one another where one is still being read', () => {
    const slow = cachedStatements(connection)
    const rows = slow.prepare('select id from things').iterate([])
    rows.next()
    expect(slow.prepare('select id from things').all([])).toHaveLength(3)
    expect([...rows]).toHaveLength(2)
  })

  it('are kept in bounds: two hundred, and none that inserts thousands of rows', async () => {
    const prepare = vi.spyOn(connection, 'prepare')
    const kept = cachedStatements(connection)
    for (let turn = 0; turn < 2; turn += 1) for (let id = 0; id < 201; id += 1) kept.prepare(`select ${id}`)
    expect(prepare).toHaveBeenCalledTimes(402)
    prepare.mockClear()
    const long = `select 1 -- ${'x'.repeat(4000)}`
    kept.prepare(long)
    kept.prepare(long)
    expect(prepare).toHaveBeenCalledTimes(2)
  })
})
