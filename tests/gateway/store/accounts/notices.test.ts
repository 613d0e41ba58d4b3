import { randomBytes } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { createVault } from '../../../../gateway/base/secrets/ciphers.ts'
import { createStoredLetters } from '../../../../gateway/notify/stored-letters.ts'
import { noticeStore } from '../../../../gateway/store/accounts/notices.ts'
import { aClock } from '../../../support/clock.ts'
import { onEachDatabase } from '../../../support/databases.ts'

onEachDatabase('the table of notices', (db) => {
  const take = (max: number, now: number, type = 'a', userId = 1) =>
    noticeStore(db()).take({ userId, type, max, seconds: 100 }, now)
  beforeEach(async () => void (await db().deleteFrom('notices').execute()))

  it('allows a limited number of one kind in a window, which begins with the first', async () => {
    expect(await take(2, 1000)).toEqual({ isGranted: true, isFull: false, until: 1100 })
    expect(await take(2, 1099)).toEqual({ isGranted: true, isFull: true, until: 1100 })
    expect(await take(2, 1099)).toEqual({ isGranted: false, isFull: true, until: 1100 })
    expect(await take(2, 1100)).toEqual({ isGranted: true, isFull: false, until: 1200 })
    expect(await take(1, 1100, 'b')).toMatchObject({ isGranted: true })
    expect(await take(1, 1100, 'a', 2)).toMatchObject({ isGranted: true })
  })

  it('allows no more for many simultaneous requests', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => take(3, 1000)))
    expect(all.filter(({ isGranted }) => isGranted)).toHaveLength(3)
  })

  it('deletes entries that no longer count', async () => {
    await take(1, 1000)
    await take(1, 1050, 'b')
    await noticeStore(db()).removeEnded(1100)
    expect(await db().selectFrom('notices').select('type').execute()).toEqual([{ type: 'b' }])
  })

  it('stores pending notices, sealed, for the next process: with their attempts, while their account is active', async () => {
    const clock = aClock(1_000_000)
    const vault = createVault(randomBytes(32))
    const kept = createStoredLetters({ db: db(), vault, clock, log: silentLogger })
    const account = (username: string, status: number) => ({ username, status, display_name: '', created_at: 1 })
    await db()
      .insertInto('users')
      .values([account('ann', 1), account('banned', 2)])
      .execute()
    const users = await db().selectFrom('users').select(['id', 'username']).orderBy('id').execute()
    const letters = ['due', 'waiting', 'moved', 'strange', 'arrived'].map((type) => ({
      way: { kind: 'webhook', webhook: { url: 'https://hooks.example.com', secret: 'a-secret' } } as const,
      letter: { type, mail: { subject: 's', text: 't', html: 'h' }, json: '{}' },
    }))
    const all = []
    for (const { id: userId, username } of users)
      for (const letter of letters) all.push(await kept.keep({ userId, username, ...letter }))
    const [due, waiting, moved, strange, arrived] = all.map(({ id }) => id) as [string, string, string, string, string]
    expect(await kept.begin(waiting, 1)).toBe(true)
    // Of two nodes with the same letter, one makes the attempt.
    expect(await Promise.all([kept.begin(waiting, 2), kept.begin(waiting, 2)])).toContain(false)
    expect(await kept.begin(waiting, 2)).toBe(false)
    await kept.wait(waiting, 5000)
    await kept.forget(arrived)
    expect(await kept.begin(arrived, 1)).toBe(false)
    const rows = () => db().updateTable('pending_notices')
    await rows().set({ id: 'elsewhere' }).where('id', '=', moved).execute()
    const letter = vault.seal('{"way":1}', `pending_notices|${strange}|letter`)
    await rows().set({ letter }).where('id', '=', strange).execute()
    const left = () => db().selectFrom('pending_notices').select(['id', 'tries']).orderBy('tries').execute()

    const taken = (await kept.takeUp()).toSorted((one, other) => one.tries - other.tries)
    expect(taken.map(({ addressed, tries, dueMs }) => [addressed, tries, dueMs])).toEqual([
      [all[0], 1, 1_000_000],
      [all[1], 3, 5_000_000],
    ])
    expect(await left()).toEqual([
      { id: due, tries: 0 },
      { id: waiting, tries: 2 },
    ])
  })
})
