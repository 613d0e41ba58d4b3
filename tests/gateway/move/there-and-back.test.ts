import { expect, it } from 'vitest'
import { reconcile } from '../../support/reconcile.ts'
import { unequal } from '../billing/postgres/node.ts'
import { aFilledWorld, aNewFolder, anEmptyDatabase, moving, sumsOf, withDatabase, withFolder } from './moving.ts'

it('moves all rows there and back, with equal rows, hashes and books', async () => {
  const { folder } = await aFilledWorld()
  const before = await withFolder(folder, sumsOf)
  const empty = Object.entries(before).filter(([, { rows }]) => rows === 0)
  expect(empty, 'tables without rows').toEqual([])
  const url = await anEmptyDatabase()
  const lines = await moving({ DATA_DIR: folder }, { '--to': url })
  expect(lines).toContainEqual(expect.stringMatching(/^Moved: \d+ rows from .+ to postgres:/))
  expect(lines).toContain('Texts in which U+0000 was replaced: 700')
  await withDatabase(url, async (there) => {
    expect(await sumsOf(there)).toEqual(before)
    expect(await unequal(there.db)).toEqual([])
    const { id } = await there.db
      .insertInto('redemptions')
      .values({ user_id: 1, key: 'new', created_time: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    // 2 were made, and one behind them was removed before the move.
    expect(id).toBe(4)
    await there.db.deleteFrom('redemptions').where('id', '=', id).execute()
  })
  const back = await aNewFolder()
  const node = await aNewFolder()
  await moving({ DATA_DIR: node, DATABASE_URL: url }, { '--to': back })
  await withFolder(back, async (here) => {
    expect(await sumsOf(here)).toEqual(before)
    const { id } = await here.db
      .insertInto('redemptions')
      .values({ user_id: 1, key: 'new', created_time: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(id).toBe(5)
    expect(await reconcile(here.db)).toEqual([])
  })
})
