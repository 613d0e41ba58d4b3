import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../../gateway/base/ids.ts'
import { createVault } from '../../../gateway/base/secrets/ciphers.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld, type World } from '../../support/world.ts'

let world: World
const masterKey = randomBytes(32)
const vault = createVault(masterKey)

beforeAll(async () => {
  world = await aWorld({ config: { SWITCHYARD_MASTER_KEY: masterKey.toString('base64') } })
})

describe('a list of tokens (docs/reference/accounts.md#api-tokens)', () => {
  it('has 0-based pages, newest first, with the totals next to the data', async () => {
    const alice = await world.user()
    for (const name of ['a', 'b', 'c', 'd', 'e']) await world.token(alice, { name })

    const pages = await Promise.all([0, 1, 2, 3].map((p) => alice.get(`/api/token/?p=${p}&size=2`)))

    expect(pages.map(({ data }) => namesOf(data))).toEqual([['e', 'd'], ['c', 'b'], ['a'], []])
    expect(pages[1]?.body).toMatchObject({ total: 5, page: 1, page_size: 2 })
  })

  it('has 10 a page by default, at most 100, and ignores invalid values', async () => {
    const alice = await world.user()
    await insertMany(alice.id, 120)
    const sizeOf = async (query: string) => dataOf(await alice.get(`/api/token${query}`)).length
    expect(await sizeOf('')).toBe(10)
    expect(await sizeOf('?size=0')).toBe(10)
    expect(await sizeOf('?size=5000')).toBe(100)
    expect(await sizeOf('?p=x&size=y')).toBe(10)
    expect(await sizeOf('?p=-1&size=100')).toBe(100)
    expect(await sizeOf('?p=9007199254740991&size=100')).toBe(0)
  })

  it('shows every field with its key, which is nowhere else in the clear', async () => {
    const alice = await world.user()
    const made = await world.token(alice, { name: 'laptop' })
    const [listed] = dataOf(await alice.get('/api/token'))

    expect(listed).toEqual(made)
    expect(made).toEqual({
      id: made.id,
      user_id: alice.id,
      key: expect.stringMatching(/^[0-9a-zA-Z]{48}$/),
      status: 1,
      name: 'laptop',
      created_time: expect.any(Number),
      accessed_time: 0,
      expired_time: -1,
      remain_quota: 0,
      unlimited_quota: true,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: null,
      used_quota: 0,
      group: '',
      DeletedAt: null,
      requests_per_minute: 0,
      tokens_per_minute: 0,
      budgets: { minute: 0, five_hours: 0, day: 0, week: 0, month: 0 },
      budget_time_zone: '',
      budget_warn_percent: 80,
      response_cache: false,
      keep_bodies: false,
      budget_use: [],
    })
    const row = await rowOf(made.id)
    expect(row.key_hash).toBe(sha256(made.key))
    expect(JSON.stringify(row)).not.toContain(made.key)
    expect(vault.open(row.key, `tokens|${made.id}|key`)).toBe(made.key)
  })

  it('is never stored by a cache', async () => {
    const alice = await world.user()
    expect((await alice.get('/api/token')).headers.get('cache-control')).toBe('no-store')
  })

  it('survives a key that cannot be opened', async () => {
    const alice = await world.user()
    const { id } = await world.token(alice, { name: 'damaged' })
    await world.token(alice, { name: 'whole' })
    await world.gateway.inner.db.updateTable('tokens').set({ key: 'v1.gone.x.y' }).where('id', '=', id).execute()
    const rows = dataOf(await alice.get('/api/token'))
    expect(rows.map(({ key }: { key: string }) => key.length)).toEqual([48, 0])
  })
})

describe('a search of tokens', () => {
  it('finds a part of the name, wildcards taken literally', async () => {
    const alice = await world.user()
    for (const name of ['Work laptop', 'phone', '100%']) await world.token(alice, { name })
    const found = async (keyword: string) =>
      namesOf(dataOf(await alice.get(`/api/token/search?keyword=${encodeURIComponent(keyword)}&token=`)))
    expect(await found('LAP')).toEqual(['Work laptop'])
    expect(await found('%')).toEqual(['100%'])
    expect(await found('_')).toEqual([])
    expect(await found('')).toEqual(['100%', 'phone', 'Work laptop'])
  })

  it('finds a part of the key; only a leading sk- is not part of it', async () => {
    const alice = await world.user()
    await insert(alice.id, 'begins with k and s', `ks${'a'.repeat(44)}ks`)
    await insert(alice.id, 'other', `b${'ksa'.repeat(15)}bb`)
    const found = async (key: string, keyword = '') =>
      namesOf(dataOf(await alice.get(`/api/token/search?keyword=${keyword}&token=${key}`)))
    expect(await found('ksaa')).toEqual(['begins with k and s'])
    expect(await found('sk-ksaa')).toEqual(['begins with k and s'])
    expect(await found('aks')).toEqual(['other', 'begins with k and s'])
    expect(await found('aks', 'oth')).toEqual(['other'])
    expect(await found('KSAA')).toEqual([])
    expect(await found('%25%25%25')).toEqual([])
  })

  it('refuses fewer than three characters of a key', async () => {
    const alice = await world.user()
    for (const key of ['a', 'ab', 'sk-ab'])
      expect((await alice.get(`/api/token/search?token=${key}`)).success).toBe(false)
    expect((await alice.get('/api/token/search?token=sk-')).success).toBe(true)
  })

  it('looks through all thousand keys and answers at most a hundred', async () => {
    const alice = await world.user()
    await insert(alice.id, 'the oldest', `zyx${'c'.repeat(45)}`)
    await insertMany(alice.id, 999)
    expect(namesOf(dataOf(await alice.get('/api/token/search?token=zyx')))).toEqual(['the oldest'])
    expect(dataOf(await alice.get('/api/token/search'))).toHaveLength(100)
  })

  it('never finds tokens of other users', async () => {
    const [alice, bob] = [await world.user(), await world.user()]
    const { key } = await world.token(alice, { name: 'of alice' })
    expect(dataOf(await bob.get(`/api/token/search?keyword=alice&token=${key}`))).toEqual([])
    expect(dataOf(await world.admin.get(`/api/token/search?token=${key}`))).toEqual([])
  })
})

const namesOf = (rows: { name: string }[]) => rows.map(({ name }) => name)

const rowOf = (id: number) =>
  world.gateway.inner.db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function insert(userId: number, name: string, key: string): Promise<void> {
  const { db } = world.gateway.inner
  const row = { user_id: userId, name, key: '', key_hash: sha256(key), created_time: 1 }
  const { id } = await db.insertInto('tokens').values(row).returning('id').executeTakeFirstOrThrow()
  await db
    .updateTable('tokens')
    .set({ key: vault.seal(key, `tokens|${id}|key`) })
    .where('id', '=', id)
    .execute()
}

async function insertMany(userId: number, count: number): Promise<void> {
  const row = (index: number) => ({
    user_id: userId,
    name: `n${index}`,
    key: '',
    key_hash: `${userId}-${index}`,
    created_time: 1,
  })
  const rows = Array.from({ length: count }, (_, index) => row(index))
  await world.gateway.inner.db.insertInto('tokens').values(rows).execute()
}
