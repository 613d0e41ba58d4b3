import { expect, it } from 'vitest'
import { SIBLING_HASH, siblingDatabase } from '../../support/sibling-database.ts'
import { aWorld } from '../../support/world.ts'
import { importing } from './importing.ts'

it('takes names that differ only in their case for the same: one that is here, and one that came just before', async () => {
  const world = await aWorld()
  const users = ['ROOT', 'Ann', 'ann'].map((username, at) => ({
    id: at + 5,
    username,
    password: SIBLING_HASH,
    role: 1,
    quota: 1,
    aff_code: `c${at}`,
  }))
  await importing(world).imported(await siblingDatabase('new-api', { users }))
  const rows = await world.gateway.inner.db.selectFrom('users').select('username').orderBy('id').execute()
  expect(rows.map(({ username }) => username)).toEqual(['root', 'ROOT-2', 'Ann', 'ann-2'])
})
