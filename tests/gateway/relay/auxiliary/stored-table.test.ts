import { expect, it } from 'vitest'
import { removeExpired } from '../../../../gateway/relay/stored/stored-responses.ts'
import { storedResponseStore } from '../../../../gateway/store/requests/stored-responses.ts'
import { aClock } from '../../../support/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'

onEachDatabase('the table of stored responses', (db) => {
  const of = (userId: number) => ({ userId, tokenId: 0, isGuest: false })
  const row = (id: string, user_id: number, created_at: number) => ({
    id,
    user_id,
    token_id: 0,
    channel_id: 0,
    key_id: '',
    content: 'x',
    created_at,
  })
  const ids = async () => (await db().selectFrom('stored_responses').select('id').execute()).map(({ id }) => id).sort()

  it('stores an id with its account, finds it only for that account, and no longer than configured', async () => {
    const store = storedResponseStore(db())
    await store.add([])
    await store.add([row('resp_a', 1, 100)])
    await store.add([row('resp_a', 2, 200)])
    expect(await store.one(of(1), 'resp_a', 99)).toEqual(row('resp_a', 1, 100))
    expect(await store.one(of(2), 'resp_a', 0)).toBeUndefined()
    expect(await store.one(of(1), 'resp_a', 100)).toBeUndefined()
    await store.remove(of(2), 'resp_a')
    expect(await ids()).toEqual(['resp_a'])
    await store.remove(of(1), 'resp_a')
    expect(await ids()).toEqual([])
  })

  it('is purged of expired ids and of those of deleted accounts', async () => {
    const store = storedResponseStore(db())
    const user = (id: number, deleted_at: number | null) => ({ id, username: `user ${id}`, created_at: 0, deleted_at })
    await db()
      .insertInto('users')
      .values([user(10, null), user(11, 5)])
      .execute()
    await store.add([row('young', 10, 200), row('old', 10, 100), row('gone', 11, 200), row('nobody', 12, 200)])
    await removeExpired({ store, clock: aClock(0), signal: new AbortController().signal }, 100)
    expect(await ids()).toEqual(['young'])
    await db().deleteFrom('stored_responses').execute()
  })

  it('is swept in steps of hundreds, others in between, and no further than it is let', async () => {
    const store = storedResponseStore(db())
    const many = (name: string, user: number, at: number) =>
      Array.from({ length: 1200 }, (_, index) => row(`${name} ${index}`, user, at))
    const fill = async () => {
      for (const rows of [many('old', 10, 100), many('gone', 11, 200), many('young', 10, 200)]) await store.add(rows)
    }
    const sizes: number[] = []
    const ending = new AbortController()
    const counted =
      <A extends number>(remove: (which: A, limit: number) => Promise<number>) =>
      async (which: A, limit: number) => {
        sizes.push(await remove(which, limit))
        if (sizes.length === 2 && !isWhole) ending.abort()
        return sizes.at(-1) ?? 0
      }
    let isWhole = false
    const watched = { ...store, removeOld: counted(store.removeOld), removeOf: counted(store.removeOf) }
    await fill()
    await removeExpired({ store: watched, clock: aClock(0), signal: ending.signal }, 100)
    expect(sizes).toHaveLength(2)
    isWhole = true
    await removeExpired({ store: watched, clock: aClock(0), signal: new AbortController().signal }, 100)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2400)
    expect(await ids()).toHaveLength(1200)
  })

  it('is swept a few MiB at a time', async () => {
    const store = storedResponseStore(db())
    const rows = (user: number, at: number) =>
      Array.from({ length: 20 }, (_, index) => ({
        ...row(`${user} ${index}`, user, at),
        content: 'x'.repeat(1024 ** 2),
      }))
    await store.add(rows(10, 100))
    await store.add(rows(11, 200))
    const removed: number[] = []
    while (removed.at(-1) !== 0) removed.push(await store.removeOld(100, 500))
    while (removed.filter((count) => count === 0).length < 2) removed.push(await store.removeOf(11, 500))
    expect(removed).toEqual([8, 8, 4, 0, 8, 8, 4, 0])
    await db().deleteFrom('stored_responses').execute()
  })
})
