import { expect, it } from 'vitest'
import { storedResponseStore } from '../../../../gateway/store/stored-responses.ts'
import { onEachDatabase } from '../../../support/databases.ts'

onEachDatabase('the table of stored responses', (db) => {
  const row = (id: string, user_id: number, created_at: number) => ({
    id,
    user_id,
    channel_id: 0,
    key_id: '',
    content: 'x',
    created_at,
  })
  const ids = async () => (await db().selectFrom('stored_responses').select('id').execute()).map(({ id }) => id).sort()

  it('keeps an id whose it is, finds it for its account alone, and no longer than wanted', async () => {
    const store = storedResponseStore(db())
    await store.add([])
    await store.add([row('resp_a', 1, 100)])
    await store.add([row('resp_a', 2, 200)])
    expect(await store.one(1, 'resp_a', 99)).toEqual(row('resp_a', 1, 100))
    expect(await store.one(2, 'resp_a', 0)).toBeUndefined()
    expect(await store.one(1, 'resp_a', 100)).toBeUndefined()
    await store.remove(2, 'resp_a')
    expect(await ids()).toEqual(['resp_a'])
    await store.remove(1, 'resp_a')
    expect(await ids()).toEqual([])
  })

  it('is swept of what is old and of what belongs to accounts that are gone', async () => {
    const store = storedResponseStore(db())
    const user = (id: number, deleted_at: number | null) => ({ id, username: `user ${id}`, created_at: 0, deleted_at })
    await db()
      .insertInto('users')
      .values([user(10, null), user(11, 5)])
      .execute()
    await store.add([row('young', 10, 200), row('old', 10, 100), row('gone', 11, 200), row('nobody', 12, 200)])
    await store.sweep(100)
    expect(await ids()).toEqual(['young'])
  })
})
