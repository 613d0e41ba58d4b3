import { expect, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { createVault } from '../../../gateway/base/secrets/ciphers.ts'
import { LISTED_CHARACTERS, MAX_CHANGES, optionChangeStore } from '../../../gateway/store/option-changes.ts'
import { type Author, optionStamps, optionTable } from '../../../gateway/store/options.ts'
import { aClock } from '../../support/clock.ts'
import { onEachDatabase } from '../../support/databases.ts'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const alice: Author = { id: 7, username: 'alice', origin: 'edit' }

onEachDatabase('the options table', (db) => {
  const clock = aClock(1_800_000_000_000)
  const table = () => optionTable({ db: db(), vault: createVault(Buffer.alloc(32, 7)), clock, log: silentLogger })
  const now = () => Math.floor(clock.now() / 1000)
  const newest = (limit: number) => optionChangeStore(db()).page('', { offset: 0, limit }, now())
  const write = (before: string, value: string, key: 'Notice' | 'RetryTimes' = 'Notice') => ({ key, before, value })

  it('stores one value for each, secrets sealed', async () => {
    await table().save([write('2', '1', 'RetryTimes')], alice)
    await table().save([write('1', '2', 'RetryTimes')], alice)
    await table().save([{ key: 'GitHubClientSecret', before: '', value: 'a secret' }], alice)
    expect((await table().load()).toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
      { key: 'GitHubClientSecret', value: 'a secret' },
      { key: 'RetryTimes', value: '2' },
    ])
    const stored = await db().selectFrom('options').select('value').where('key', '=', 'GitHubClientSecret').execute()
    expect(stored[0]?.value).not.toContain('a secret')
    expect(JSON.stringify(await newest(10))).not.toContain('a secret')
    expect((await newest(10)).map(({ kept, before, after }) => [kept, before, after])).toEqual([
      ['secret', 'cleared', 'set'],
      ['whole', '1', '2'],
      ['whole', '2', '1'],
    ])
  })

  it('stores all or none of several', async () => {
    const bad = { ...write('', 'a'), value: null as never }
    await expect(table().save([write('2', '9', 'RetryTimes'), bad], alice)).rejects.toThrow()
    expect((await table().load()).find(({ key }) => key === 'RetryTimes')?.value).toBe('2')
    expect(await newest(10)).toHaveLength(3)
  })

  it('records who last changed each; storing an equal value changes nothing', async () => {
    const bob = { ...alice, id: 8, username: 'bob' }
    const [before] = await optionStamps(db())
    await table().save([write('2', '2', 'RetryTimes')], bob)
    expect((await optionStamps(db())).map(({ updated_by }) => updated_by)).toEqual(['alice', 'alice'])
    clock.advance(5000)
    await table().save([write('2', '3', 'RetryTimes')], bob)
    const stamp = (await optionStamps(db())).find(({ key }) => key === 'RetryTimes')
    expect(stamp).toEqual({ key: 'RetryTimes', updated_by: 'bob', updated_at: Number(before?.updated_at) + 5 })
  })

  it('lists long values by their beginning, and stores no value that is too long', async () => {
    const long = 'x'.repeat(LISTED_CHARACTERS + 1)
    await table().save([write('', long)], alice)
    const [listed] = await newest(1)
    expect(listed).toMatchObject({ before: '', after: long.slice(1), before_length: 0, after_length: long.length })
    expect((await optionChangeStore(db()).byId(Number(listed?.id), now()))?.after).toBe(long)
    await table().save([write('y'.repeat(600_000), 'z'.repeat(600_000))], alice)
    expect((await newest(1))[0]).toMatchObject({ kept: 'too_long', before: null, after: null })
  })

  it('deletes changes older than a year, beyond a number of changes, or beyond a size', async () => {
    const store = optionChangeStore(db())
    clock.advance(YEAR_MS + 1000)
    expect([await store.count('', now()), await newest(1)]).toEqual([0, []])
    await table().save([write('', 'a')], alice)
    expect(await store.removeOld(now(), 1000)).toBeGreaterThan(0)
    expect(await db().selectFrom('option_changes').select('key').execute()).toHaveLength(1)
    const row = { created_at: now(), user_id: 7, username: 'alice', origin: 'edit', key: 'Notice', kept: 'whole' }
    const many = Array.from({ length: 500 }, () => ({ ...row, size: 0, before: '', after: '' }))
    for (let added = 0; added < MAX_CHANGES + 500; added += many.length) await store.add(many)
    expect(await store.count('', now())).toBe(MAX_CHANGES)
    await store.add([{ ...row, size: 60 * 1024 * 1024, before: 'old', after: '' }])
    await store.add([{ ...row, size: 5 * 1024 * 1024, before: 'new', after: '' }])
    expect((await newest(2)).map(({ before }) => before)).toEqual(['new'])
  })

  it('lists only the changes of one option', async () => {
    await table().save([write('3', '4', 'RetryTimes')], alice)
    await table().save([write('a', 'b')], alice)
    const store = optionChangeStore(db())
    expect(await store.count('RetryTimes', now())).toBe(1)
    const page = await store.page('RetryTimes', { offset: 0, limit: 10 }, now())
    expect(page.map(({ key, before, after }) => [key, before, after])).toEqual([['RetryTimes', '3', '4']])
  })
})
