import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { userLookups } from '../../../../gateway/store/accounts/user-lookups.ts'
import { quickArgon2 } from '../../../support/quick-argon2.ts'
import { SQLITE } from '../../../support/tables.ts'
import { aWorld, PASSWORD, type World } from '../../../support/world.ts'

const FOREIGN = '$2a$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'

/** A gateway that records the algorithm of each hash that a password is checked against. */
async function withCounted() {
  const checked: string[] = []
  const argon2 = {
    hash: quickArgon2.hash,
    verify: (stored: string, password: string) => {
      checked.push(stored.split('$')[1] ?? '')
      return quickArgon2.verify(stored, password)
    },
  }
  return { world: await aWorld({ argon2, config: SQLITE }), checked }
}

const set = (world: World, id: number, fields: object) =>
  world.gateway.inner.db.updateTable('users').set(fields).where('id', '=', id).execute()

it('gives the same answer after the work of one password, no matter who has the name (docs/reference/accounts.md#login)', async () => {
  const { world, checked } = await withCounted()
  const { db } = world.gateway.inner
  const [plain, banned, gone, without] = [
    await world.user(),
    await world.user(),
    await world.user(),
    await world.user(),
  ]
  await set(world, plain.id, { email: 'plain@example.com' })
  await set(world, banned.id, { status: 2 })
  await set(world, gone.id, { deleted_at: 1 })
  await set(world, without.id, { password: '' })
  const tries = [
    ['nobody-at-all', 'wrong'],
    ['nobody@example.com', 'wrong'],
    ['n'.repeat(200), 'wrong'],
    [plain.username, 'wrong'],
    [plain.username, 'w'.repeat(128)],
    ['Plain@Example.com', 'wrong'],
    [banned.username, PASSWORD],
    [gone.username, PASSWORD],
    [without.username, PASSWORD],
    [without.username, ' '],
  ] as const
  const answers = []
  for (const [username, password] of tries) {
    checked.length = 0
    const { status, message, data } = await world.visitor.post('/api/user/login', { username, password })
    answers.push({ status, message, data, work: [...checked] })
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]).toMatchObject({
    message: 'Wrong username or password, or the account is banned',
    work: ['argon2id'],
  })
  // If one user has another gateway's hash, every login must cost as much as checking that hash; an index finds that
  // user.
  expect(await userLookups(db).costliestForeignPassword()).toBeUndefined()
  // Hashes that this gateway does not check must not slow down logins.
  for (const password of [FOREIGN.replace('$04$', '$14$'), FOREIGN.replace('$2a$', '$2x$'), FOREIGN.slice(0, -1)]) {
    await set(world, banned.id, { password })
    expect(await userLookups(db).costliestForeignPassword()).toBeUndefined()
  }
  await set(world, gone.id, { password: FOREIGN })
  expect(await userLookups(db).costliestForeignPassword()).toBe(FOREIGN)
  const costlier = FOREIGN.replace('$04$', '$12$')
  await set(world, banned.id, { password: costlier })
  expect(await userLookups(db).costliestForeignPassword()).toBe(costlier)
  await set(world, banned.id, { password: '' })
  const plan = await sql`explain query plan select password from users where password like '$2%' and
    substr(password, 3, 1) in ('a', 'b', 'y') and length(password) = 60 and
    substr(password, 5, 2) between '04' and '13' order by substr(password, 5, 2) desc limit 1`.execute(db)
  expect(JSON.stringify(plan.rows)).toContain('users_foreign_password')
  expect(JSON.stringify(plan.rows)).not.toContain('TEMP B-TREE')
  // Registration looks up a name regardless of case without scanning the users.
  const names =
    await sql`explain query plan select id from users where username = 'ann' or lower(username) in ('ann')`.execute(db)
  expect(JSON.stringify(names.rows)).not.toContain('SCAN')
  // An overlong password is refused by its length, before any lookup.
  checked.length = 0
  const long = (username: string) => world.visitor.post('/api/user/login', { username, password: 'w'.repeat(10_000) })
  const [known, unknown] = [await long(plain.username), await long('nobody-at-all')]
  expect([known.status, known.message]).toEqual([unknown.status, unknown.message])
  expect(new Set(checked).size).toBeLessThanOrEqual(1)
  expect(checked.length % 2).toBe(0)
  const failures = await db.selectFrom('sign_ins').select('user_id').where('succeeded', '=', 0).execute()
  expect(new Set(failures.map(({ user_id }) => user_id))).toEqual(new Set([plain.id, banned.id, without.id]))
})
