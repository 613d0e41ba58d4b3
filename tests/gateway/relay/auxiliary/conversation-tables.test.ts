import { expect, it } from 'vitest'
import { removeExpired } from '../../../../gateway/relay/stored/stored-responses.ts'
import { conversationItemStore } from '../../../../gateway/store/requests/conversation-items.ts'
import { conversationStore } from '../../../../gateway/store/requests/conversations.ts'
import { aClock } from '../../../support/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'

onEachDatabase('the tables of conversations', (db) => {
  const of = (userId: number) => ({ userId, tokenId: 0, isGuest: false })
  const add = (id: string, user_id: number, created_at: number) =>
    conversationStore(db()).add({ id, user_id, token_id: 0, metadata: '', created_at })
  const FREE = { size: 100_000, accountSize: 100_000 }
  const append = (id: string, userId: number, ids: readonly string[], now = 150, max = FREE) => {
    const items = ids.map((item) => ({ id: item, parts: [item], size: 10 }))
    return conversationItemStore(db()).append({ owner: of(userId), id, now, since: 0, max }, items)
  }
  const removeAll = async (id: string) => {
    while ((await conversationStore(db()).removeOne(id, 100)) > 0);
  }
  const idsOf = async (id: string) =>
    (
      await conversationItemStore(db()).at(
        id,
        Array.from({ length: 5000 }, (_, index) => index),
        false,
      )
    ).map((item) => item.id)

  it('store items in order, each id once, and their size', async () => {
    const store = conversationStore(db())
    await add('a', 1, 100)
    expect([...((await append('a', 1, ['one', 'two'])) ?? [])]).toEqual([])
    expect([...((await append('a', 1, ['two', 'three'])) ?? [])]).toEqual(['two'])
    expect(await append('a', 2, ['other'])).toBeUndefined()
    expect(await idsOf('a')).toEqual(['one', 'two', 'three'])
    expect(await store.one(of(1), 'a', 149)).toMatchObject({ size: 30, reached: 3, used_at: 150 })
    expect(await store.one(of(1), 'a', 150)).toBeUndefined()
    expect(await store.one(of(2), 'a', 0)).toBeUndefined()
    await conversationItemStore(db()).removeItem('a', 'two', 10)
    await conversationItemStore(db()).removeItem('a', 'two', 10)
    await append('a', 1, ['four'])
    expect(await idsOf('a')).toEqual(['one', 'three', 'four'])
    expect(await store.totals(1, 0)).toEqual({ count: 1, size: 30 })
    expect(await store.totals(2, 0)).toEqual({ count: 0, size: 0 })
    // Expired ones do not count.
    expect(await store.totals(1, 150)).toEqual({ count: 0, size: 0 })
    expect(await store.close(of(2), 'a')).toBe(false)
    expect(await store.close(of(1), 'a')).toBe(true)
    expect(await store.one(of(1), 'a', 0)).toBeUndefined()
    expect(await append('a', 1, ['five'])).toBeUndefined()
    const removed: number[] = []
    while (removed.at(-1) !== 0) removed.push(await store.removeOne('a', 2))
    expect(removed).toEqual([2, 1, 1, 0])
    expect([await idsOf('a'), await store.totals(1, 0)]).toEqual([[], { count: 0, size: 0 }])
  })

  it('are never longer than they may be, nor all of an account, however many add at once', async () => {
    await add('one', 3, 100)
    await add('two', 3, 100)
    const max = { size: 30, accountSize: 50 }
    const tries = Array.from({ length: 20 }, (_, index) => append(index % 2 ? 'one' : 'two', 3, [`${index}`], 150, max))
    const added = (await Promise.all(tries)).filter((result) => result !== undefined)
    expect(added).toHaveLength(5)
    expect(await conversationStore(db()).totals(3, 0)).toEqual({ count: 2, size: 50 })
    for (const id of ['one', 'two']) await removeAll(id)
  })

  it('lose nothing when two turns add at once', async () => {
    await add('both', 1, 100)
    const turns = Array.from({ length: 20 }, (_, index) => append('both', 1, [`${index} asked`, `${index} said`]))
    await Promise.all(turns)
    const ids = await idsOf('both')
    expect(new Set(ids).size).toBe(40)
    for (let at = 0; at < 40; at += 2) expect(ids[at]?.split(' ')[0]).toBe(ids[at + 1]?.split(' ')[0])
    await removeAll('both')
  })

  it('count metadata toward the size, and forget replaced metadata', async () => {
    const store = conversationStore(db())
    await store.add({ id: 'about', user_id: 4, token_id: 0, metadata: 'x'.repeat(100), created_at: 100 })
    await append('about', 4, ['one'])
    expect(await store.totals(4, 0)).toEqual({ count: 1, size: 110 })
    await store.setMetadata(of(4), 'about', 'x'.repeat(40))
    expect(await store.totals(4, 0)).toEqual({ count: 1, size: 50 })
    await removeAll('about')
  })

  it('store long items in several transactions, and none of them after the conversation was closed', async () => {
    const items = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        id: `${index}`,
        parts: ['x'.repeat(900_000), 'y'.repeat(900_000)],
        size: 10,
      }))
    const appendLong = (id: string) =>
      conversationItemStore(db()).append({ owner: of(5), id, now: 150, since: 0, max: FREE }, items(4))
    await add('long', 5, 100)
    await add('closed', 5, 100)
    await appendLong('long')
    expect(await idsOf('long')).toEqual(['0', '1', '2', '3'])
    const appending = appendLong('closed')
    while ((await idsOf('closed')).length === 0) await new Promise((resolve) => setImmediate(resolve))
    await conversationStore(db()).close(of(5), 'closed')
    await removeAll('closed')
    await appending
    expect(await idsOf('closed')).toEqual([])
    await removeAll('long')
  })

  it('have the rest of a long item in parts, which are read and deleted with it', async () => {
    const items = conversationItemStore(db())
    const store = conversationStore(db())
    await add('parts', 6, 100)
    await append('parts', 6, ['first'])
    const parts = Array.from({ length: 11 }, (_, index) => String.fromCharCode(97 + index).repeat(900_000))
    await items.append({ owner: of(6), id: 'parts', now: 150, since: 0, max: FREE }, [{ id: 'long', parts, size: 10 }])
    await append('parts', 6, ['last'])
    const sizes = await items.sizes('parts', { isNewestFirst: true, limit: 2 })
    expect(sizes.map(({ bytes }) => bytes)).toEqual([4, 11 * 900_000])
    expect((await items.at('parts', [1, 2, 3], false)).map((item) => item.parts)).toEqual([['first'], parts, ['last']])
    await items.removeItem('parts', 'long', 10)
    expect(await items.size('parts', 'long')).toBeUndefined()
    expect(await db().selectFrom('conversation_parts').select('part').execute()).toEqual([])

    for (const id of ['again', 'and again'])
      await items.append({ owner: of(6), id: 'parts', now: 150, since: 0, max: FREE }, [{ id, parts, size: 10 }])
    await store.close(of(6), 'parts')
    const deleted: number[] = []
    while (deleted.at(-1) !== 0) deleted.push(await store.removeOne('parts', 500))
    expect(deleted).toEqual([8, 8, 4, 4, 1, 0])
    expect(await db().selectFrom('conversation_parts').select('part').execute()).toEqual([])
  })

  it('are deleted a few MiB at a time', async () => {
    const store = conversationStore(db())
    await add('wide', 7, 100)
    const wide = Array.from({ length: 40 }, (_, index) => ({ id: `${index}`, parts: ['x'.repeat(900_000)], size: 10 }))
    await conversationItemStore(db()).append({ owner: of(7), id: 'wide', now: 100, since: 0, max: FREE }, wide)
    const deleted: number[] = []
    while (deleted.at(-1) !== 0) deleted.push(await store.removeOld(100, 500))
    expect(deleted).toEqual([9, 9, 9, 9, 4, 1, 0])
  })

  it('are purged of expired conversations and of those of deleted accounts, with all items', async () => {
    const store = conversationStore(db())
    const user = (id: number, deleted_at: number | null) => ({
      id,
      username: `talker ${id}`,
      created_at: 0,
      deleted_at,
    })
    await db()
      .insertInto('users')
      .values([user(20, null), user(21, 5)])
      .execute()
    const many = Array.from({ length: 1200 }, (_, index) => `item ${index}`)
    for (const [id, owner, at] of [
      ['young', 20, 200],
      ['old', 20, 100],
      ['gone', 21, 200],
      ['nobody', 22, 200],
    ] as const) {
      await add(id, owner, at)
      await append(id, owner, many, at)
    }
    await removeExpired({ store, clock: aClock(0), signal: new AbortController().signal }, 100)
    const left = await db().selectFrom('conversations').select('id').execute()
    expect(left).toEqual([{ id: 'young' }])
    const items = await db().selectFrom('conversation_items').select('conversation_id').distinct().execute()
    expect(items).toEqual([{ conversation_id: 'young' }])
    expect(await idsOf('young')).toEqual(many)
  })
})
