import { beforeEach, expect, it } from 'vitest'
import { sessionStore } from '../../../../gateway/store/accounts/sessions.ts'
import { setupStore } from '../../../../gateway/store/accounts/setups.ts'
import { type NewUser, userStore } from '../../../../gateway/store/accounts/users.ts'
import { onEachDatabase } from '../../../support/databases.ts'

const newUser = (username: string, fields: Partial<NewUser> = {}): NewUser => ({
  username,
  created_at: 1_700_000_000,
  ...fields,
})

onEachDatabase('the users table', (db) => {
  const store = () => userStore(db())
  const namesOf = (rows: readonly { username: string }[]) => rows.map(({ username }) => username).sort()
  beforeEach(() => db().deleteFrom('users').execute())

  it('finds a user by name before one by e-mail address, whose case counts for nothing', async () => {
    await store().add(newUser('ann@example.com', { role: 1 }))
    await store().add(newUser('bob', { email: 'Ann@Example.com' }))
    await store().add(newUser('nobody', { email: '' }))
    expect((await store().bySignInName('ann@example.com'))?.username).toBe('ann@example.com')
    expect((await store().bySignInName('ANN@example.COM'))?.username).toBe('bob')
    expect(await store().bySignInName('Bob')).toBeUndefined()
    expect(await store().bySignInName('')).toBeUndefined()
  })

  it('reserves the names of deleted users, and shows their rows only on request', async () => {
    await store().add(newUser('gone', { deleted_at: 5, role: 100, access_token_hash: 'hash' }))
    await store().add(newUser('here', { role: 100 }))
    const [gone] = await db().selectFrom('users').selectAll().where('username', '=', 'gone').execute()
    const id = gone?.id ?? 0
    const taken = [await store().isTaken('gone'), await store().isTaken('Gone'), await store().isTaken('gone', id)]
    expect(taken).toEqual([true, true, false])
    expect([await store().byId(id), await store().byAccessToken('hash')]).toEqual([undefined, undefined])
    expect((await store().evenDeactivated(id))?.username).toBe('gone')
    expect(namesOf(await store().withRole(100))).toEqual(['here'])
    expect([await store().anyWithRole(100), await store().anyWithRole(10)]).toEqual([true, false])
    await expect(store().add(newUser('gone'))).rejects.toThrow()
  })

  it('assigns an id before its row exists, which no other user gets', async () => {
    const id = await store().nextId(newUser('root'))
    expect(await store().isTaken('root')).toBe(false)
    await store().add({ ...newUser('root'), id })
    await store().add(newUser('next'))
    const next = await db().selectFrom('users').select('id').where('username', '=', 'next').executeTakeFirstOrThrow()
    expect(next.id).toBeGreaterThan(id)
    expect((await store().byId(id))?.username).toBe('root')
  })
})

onEachDatabase('sessions and the first setup', (db) => {
  const sessions = () => sessionStore(db())
  const session = (id_hash: string, fields: object = {}) => ({
    id_hash,
    user_id: 1,
    ip: '::1',
    user_agent: 'a browser',
    created_at: 10,
    last_seen_at: 10,
    expires_at: 100,
    ...fields,
  })

  it('knows where a user is signed in from, until the session ends', async () => {
    await sessions().add(session('one'))
    await sessions().add(session('nobody yet', { user_id: null }))
    expect(await sessions().byHash('one')).toMatchObject({ user_id: 1, data: expect.any(String) })
    expect(await sessions().byHash('nobody yet')).toMatchObject({ user_id: null })
    expect([await sessions().knows(1, '::1', 99), await sessions().knows(1, '::1', 100)]).toEqual([true, false])
    await sessions().touch('one', 50, 200)
    expect(await sessions().byHash('one')).toMatchObject({ last_seen_at: 50, expires_at: 200, created_at: 10 })
    expect(await sessions().knows(1, '::1', 100)).toBe(true)
  })

  it('removes ended entries, the oldest first, some at a time', async () => {
    for (const [name, expires_at] of [
      ['a', 3],
      ['b', 1],
      ['c', 2],
      ['d', 9],
    ] as const)
      await sessions().add(session(name, { user_id: 2, expires_at }))
    expect(await sessions().removeExpired(3, 2)).toBe(2)
    expect([await sessions().byHash('b'), await sessions().byHash('c')]).toEqual([undefined, undefined])
    expect([await sessions().removeExpired(3, 2), await sessions().removeExpired(3, 2)]).toEqual([1, 0])
    await sessions().remove('one')
    await sessions().removeOf(2)
    expect(await db().selectFrom('sessions').select('id_hash').execute()).toEqual([{ id_hash: 'nobody yet' }])
  })

  it('is set up once', async () => {
    const setups = setupStore(db())
    expect(await setups.isDone()).toBe(false)
    await setups.add('1.0.0', 7)
    expect(await setups.isDone()).toBe(true)
    await expect(setups.add('1.0.0', 8)).rejects.toThrow()
  })
})
