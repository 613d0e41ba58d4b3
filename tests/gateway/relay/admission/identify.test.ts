import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { randomKey, sha256 } from '../../../../gateway/base/ids.ts'
import { createIdentities, type Identities } from '../../../../gateway/relay/admission/identify.ts'
import type { Caller } from '../../../../gateway/relay/model/caller.ts'
import { type CallerRow, type CallerRows, callerRows } from '../../../../gateway/store/accounts/callers.ts'
import { type Db, openDatabase } from '../../../../gateway/store/sqlite/database.ts'
import { preparedOn } from '../../../../gateway/store/sqlite/prepared.ts'
import { aClock } from '../../../support/clock.ts'
import { SQLITE } from '../../../support/tables.ts'
import { aWorld } from '../../../support/world.ts'

const NOW = 1_700_000_000
let db: Db
let rows: CallerRows
let identities: Identities
let userId: number

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
  const opened = await openDatabase(folder, NOW)
  onTestFinished(async () => {
    await opened.close()
    await rm(folder, { recursive: true, force: true })
  })
  db = opened.db
  const inTable = callerRows(db, preparedOn(opened.reader))
  rows = { ...inTable, byHash: (hash) => (flooding.has(hash) ? undefined : inTable.byHash(hash)) }
  const uses = { follow: () => null }
  identities = createIdentities({ rows, uses, monotonic: () => 0, onExpired: () => {}, onIdentified: () => {} })
  const user = { username: 'alice', display_name: 'alice', password: '', created_at: NOW }
  userId = (await db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()).id
})

async function aToken(key = randomKey(48)): Promise<string> {
  const row = { user_id: userId, name: 'a token', key: '', key_hash: sha256(key), created_time: NOW }
  await db
    .insertInto('tokens')
    .values({ ...row, unlimited_quota: 1, remain_quota: 0 })
    .execute()
  return key
}
const codeOf = (key: string): string => {
  try {
    return (identities.byKey(key, NOW) as Caller).tokenName // SQLite responds synchronously
  } catch (error) {
    return String((error as { code?: string }).code) // a refusal
  }
}
/** More keys than are cached. None of them exists, so none causes a query. */
const nobodys = Array.from({ length: 10_500 }, (_, at) => `nobodys-${at}`)
const flooding = new Set(nobodys.map((key) => sha256(key)))
const flood = () => {
  for (const key of nobodys) codeOf(key)
}

describe('keys are remembered by their hash', () => {
  it('and a revoked one is refused from the next request on, no matter what has been evicted since', async () => {
    const key = await aToken()
    flood()
    expect(codeOf(key)).toBe('a token')
    codeOf(randomKey(48))
    await db.updateTable('tokens').set({ status: 2 }).where('key_hash', '=', sha256(key)).execute()
    identities.forgetToken(sha256(key))
    expect(codeOf(key)).toBe('token_disabled')
    await db.updateTable('tokens').set({ deleted_at: NOW }).where('key_hash', '=', sha256(key)).execute()
    identities.forgetToken(sha256(key))
    expect(codeOf(key)).toBe('invalid_api_key')
  })

  it('so that a flood of unknown keys does not evict the known ones', async () => {
    const key = await aToken()
    expect(codeOf(key)).toBe('a token')
    flood()
    // No notice of this change was sent, so the key is still served from memory.
    await db.updateTable('tokens').set({ status: 2 }).where('key_hash', '=', sha256(key)).execute()
    expect(codeOf(key)).toBe('a token')
  })

  it('and a user who is banned is refused with every key', async () => {
    const keys = [await aToken(), await aToken()]
    for (const key of keys) expect(codeOf(key)).toBe('a token')
    flood()
    await db.updateTable('users').set({ status: 2 }).where('id', '=', userId).execute()
    identities.forgetUser(userId)
    for (const key of keys) expect(codeOf(key)).toBe('user_banned')
  })

  it('and one that was tried before it was made works at once', async () => {
    const key = randomKey(48)
    expect(codeOf(key)).toBe('invalid_api_key')
    await aToken(key)
    identities.forgetToken(sha256(key))
    expect(codeOf(key)).toBe('a token')
  })

  it('fewer of them where their lists are long', async () => {
    const keys = await Promise.all(Array.from({ length: 3 }, () => aToken()))
    await db
      .updateTable('tokens')
      .set({ model_limits_enabled: 1, model_limits: 'm,'.repeat(2_500_000) })
      .execute()
    for (const key of keys) expect(codeOf(key)).toBe('a token')
    await db.updateTable('tokens').set({ status: 2 }).execute()
    expect(keys.map(codeOf)).toEqual(['token_disabled', 'token_disabled', 'token_disabled'])
  })

  it('but one longer than a key can be is refused unread', async () => {
    const key = await aToken(randomKey(129))
    expect(codeOf(key)).toBe('invalid_api_key')
  })
})

describe('changes of which this gateway is not notified (docs/reference/security.md#identity)', () => {
  it('counts after 5 s: a key switched off in the database is refused, one that was made there works', async () => {
    const clock = aClock(NOW * 1000)
    // PostgreSQL notifies nodes by triggers.
    const world = await aWorld({ clock, config: SQLITE, options: { ModelRatio: { 'gpt-4o': 1 } } })
    await world.channel({ models: 'gpt-4o' })
    const alice = await world.user({ quota: 1_000_000 })
    const { id } = await world.token(alice)
    const { db } = world.gateway.inner
    const elsewhere = randomKey(48)
    const old = await alice.key()
    const ask = async (key: string) => (await alice.asks('gpt-4o', 'hello', { key })).status
    expect([await ask(old), await ask(elsewhere)]).toEqual([200, 401])
    await db.updateTable('tokens').set({ status: 2 }).where('key_hash', '=', sha256(old)).execute()
    await db
      .updateTable('tokens')
      .set({ key_hash: sha256(elsewhere) })
      .where('id', '=', id)
      .execute()
    clock.advance(4999)
    expect([await ask(old), await ask(elsewhere)]).toEqual([200, 401])
    clock.advance(1)
    expect([await ask(old), await ask(elsewhere)]).toEqual([401, 200])
  })

  it('counts after 5 s, however often the key is used meanwhile', async () => {
    let now = 0
    identities = createIdentities({
      rows,
      uses: { follow: () => null },
      monotonic: () => now,
      onExpired: () => {},
      onIdentified: () => {},
    })
    const key = await aToken()
    expect(codeOf(key)).toBe('a token')
    await db.updateTable('users').set({ status: 2 }).where('id', '=', userId).execute()
    for (now = 1000; now < 5000; now += 1000) expect(codeOf(key)).toBe('a token')
    expect(codeOf(key)).toBe('user_banned')
  })
})

describe('a token of the console', () => {
  it('works, is disabled and goes at once', async () => {
    const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
    await world.channel({ models: 'gpt-4o' })
    const alice = await world.user({ quota: 1_000_000 })
    const token = await world.token(alice, { name: 'short', unlimited_quota: true })
    const ask = async () => (await alice.asks('gpt-4o', 'hello', { key: token.key.replace(/^sk-/, '') })).status
    expect(await ask()).toBe(200)
    await alice.put('/api/token/?status_only=true', { id: token.id, status: 2 })
    expect(await ask()).toBe(401)
    await alice.put('/api/token/?status_only=true', { id: token.id, status: 1 })
    expect(await ask()).toBe(200)
    await alice.delete(`/api/token/${token.id}`)
    expect(await ask()).toBe(401)
  })
})

it('does not cache a row that was read before it was invalidated', async () => {
  const key = await aToken()
  const answers: ((row: CallerRow | undefined) => void)[] = []
  const elsewhere: CallerRows = {
    ...rows,
    byHash: () => new Promise((resolve) => answers.push(resolve)),
  }
  const late = createIdentities({
    rows: elsewhere,
    uses: { follow: () => null },
    monotonic: () => 0,
    onExpired() {},
    onIdentified() {},
  })
  const before = late.byKey(key, NOW)
  expect(late.byKey(key, NOW)).toBeInstanceOf(Promise)
  expect(answers).toHaveLength(1)
  const row = await rows.byHash(sha256(key))
  late.forgetToken(sha256(key))
  const after = late.byKey(key, NOW)
  expect(answers).toHaveLength(2)
  answers[0]?.(row)
  expect((await before).tokenName).toBe('a token')
  const again = late.byKey(key, NOW)
  answers[1]?.(undefined)
  await expect(after).rejects.toMatchObject({ code: 'invalid_api_key' })
  await expect(again).rejects.toMatchObject({ code: 'invalid_api_key' })
  expect(() => late.byKey(key, NOW)).toThrow()
})

describe('a database that responds later (docs/growth.md#charges-and-faults)', () => {
  it('is queried again after 5 s; the known caller is used meanwhile, and for a minute while it fails', async () => {
    let now = 0
    let reads = 0
    let isAway = false
    const key = await aToken()
    const { byKey } = createIdentities({
      rows: {
        ...rows,
        byHash: async (hash) => {
          reads += 1
          if (isAway) throw new Error('away')
          return rows.byHash(hash)
        },
      },
      uses: { follow: () => null },
      monotonic: () => now,
      onExpired() {},
      onIdentified() {},
    })
    expect((await byKey(key, NOW)).tokenName).toBe('a token')
    await db.updateTable('tokens').set({ name: 'renamed' }).execute()
    now = 5000
    expect(byKey(key, NOW)).toMatchObject({ tokenName: 'a token' })
    await expect.poll(() => byKey(key, NOW)).toMatchObject({ tokenName: 'renamed' })
    expect(reads).toBe(2)
    isAway = true
    for (now = 10_000; now < 65_000; now += 5000) {
      expect(byKey(key, NOW)).toMatchObject({ tokenName: 'renamed' })
      await new Promise(setImmediate)
    }
    expect(reads).toBe(2 + 11)
    await expect(byKey(key, NOW)).rejects.toThrow('away')
    isAway = false
    expect((await byKey(key, NOW)).tokenName).toBe('renamed')
    await db.deleteFrom('tokens').execute()
    now += 5000
    expect(byKey(key, NOW)).toMatchObject({ tokenName: 'renamed' })
    await new Promise(setImmediate)
    await expect(async () => byKey(key, NOW)).rejects.toMatchObject({ code: 'invalid_api_key' })
  })
})
