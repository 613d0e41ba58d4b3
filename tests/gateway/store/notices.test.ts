import { beforeEach, expect, it } from 'vitest'
import { noticeStore } from '../../../gateway/store/notices.ts'
import { onEachDatabase } from '../../support/databases.ts'

onEachDatabase('the table of notices', (db) => {
  const take = (most: number, now: number, type = 'a', userId = 1) =>
    noticeStore(db()).take({ userId, type, most, seconds: 100 }, now)
  beforeEach(async () => void (await db().deleteFrom('notices').execute()))

  it('has room for so many of one thing in a window, which begins with the first', async () => {
    expect(await take(2, 1000)).toEqual({ isGranted: true, isFull: false, until: 1100 })
    expect(await take(2, 1099)).toEqual({ isGranted: true, isFull: true, until: 1100 })
    expect(await take(2, 1099)).toEqual({ isGranted: false, isFull: true, until: 1100 })
    expect(await take(2, 1100)).toEqual({ isGranted: true, isFull: false, until: 1200 })
    expect(await take(1, 1100, 'b')).toMatchObject({ isGranted: true })
    expect(await take(1, 1100, 'a', 2)).toMatchObject({ isGranted: true })
  })

  it('grants no more to many who ask at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => take(3, 1000)))
    expect(all.filter(({ isGranted }) => isGranted)).toHaveLength(3)
  })

  it('forgets what no longer counts', async () => {
    await take(1, 1000)
    await take(1, 1050, 'b')
    await noticeStore(db()).removeEnded(1100)
    expect(await db().selectFrom('notices').select('type').execute()).toEqual([{ type: 'b' }])
  })
})
