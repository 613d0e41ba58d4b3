import { expect, inject, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { readPostgres } from '../../../gateway/composition/postgres.ts'
import { BODIES, leftOut, movedTables } from '../../../gateway/move/moved-tables.ts'
import { readSqlite } from '../../../gateway/move/sqlite-side.ts'
import { aFolder } from '../../process/house.ts'
import { aClock } from '../../support/clock.ts'
import { aPostgresDatabase, layTables } from '../../support/tables.ts'

it('each table of both databases is moved, or left out for a reason', async () => {
  const folder = await aFolder()
  await layTables(folder)
  const url = await aPostgresDatabase(inject('postgres') ?? '')
  const sides = [readSqlite(folder), await readPostgres(url, { clock: aClock(), log: silentLogger })]
  const moved: unknown[] = []
  const found = new Set<string>()
  for (const { db, close } of sides) {
    const tables = await movedTables(db, false)
    moved.push(tables)
    const all = (await db.introspection.getTables()).map(({ name }) => name)
    for (const name of all) found.add(name)
    const names = [...tables.map(({ name }) => name), ...Object.keys(leftOut)]
    expect(all.filter((name) => !names.includes(name))).toEqual([])
    expect((await movedTables(db, true)).length).toBe(tables.length - BODIES.length)
    await close()
  }
  expect(moved[0]).toEqual(moved[1])
  // The marks are in no schema.
  expect(Object.keys(leftOut).filter((name) => !found.has(name))).toEqual(['move_progress'])
})
