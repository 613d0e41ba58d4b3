import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1, 'gpt-5': 1 } } })
  await world.channel({ models: 'gpt-4o,gpt-5' })
})
beforeEach(() => world.upstream.reset())

const DAY = 86_400
const now = () => Math.floor(world.clock.now() / 1000)
const wanted = (fields: object = {}) => ({
  name: 'phone of a friend',
  quota: 500_000,
  expires_at: now() + DAY,
  ...fields,
})
const made = async (fields: object = {}) => dataOf(await world.admin.post('/api/share/keys', wanted(fields)))
const listed = async () => dataOf(await world.admin.get('/api/share/keys'))
const asks = (key: string, model = 'gpt-4o') => world.admin.asks(model, 'hello', { key: key.slice(3) })

describe('guest keys (docs/reference/share-people.md#guest-keys)', () => {
  it('can be used at once, paid for by their maker', async () => {
    const key = await made()
    expect(key).toMatchObject({ name: 'phone of a friend', state: 'active', models: [], remain_quota: 500_000 })
    const before = await world.admin.quota()
    const begun = now()
    expect(await asks(key.key)).toMatchObject({ status: 200 })
    expect(await world.admin.quota()).toBeLessThan(before)
    const [first] = await listed()
    expect(first).toMatchObject({ id: key.id, used_quota: before - (await world.admin.quota()) })
    expect(first.last_used_at).toBeGreaterThanOrEqual(begun)
    expect(first.last_used_at).toBeLessThanOrEqual(now())
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('are shown once: the list has only their ends', async () => {
    const key = await made()
    const [first] = await listed()
    expect(first.masked_key).toBe(`${key.key.slice(0, 7)}…${key.key.slice(-4)}`)
    expect(JSON.stringify(await listed())).not.toContain(key.key.slice(3))
  })

  it('may call the models they name, and no other', async () => {
    const { key, models } = await made({ models: ['gpt-5'] })
    expect(models).toEqual(['gpt-5'])
    expect((await asks(key, 'gpt-5')).status).toBe(200)
    expect(await asks(key)).toMatchObject({ status: 403, json: { error: { code: 'model_not_allowed' } } })
  })

  it('cannot choose a channel, which their owner can: a guest is not an administrator', async () => {
    const { key } = await made()
    const id = await world.channel({ name: 'dear', models: 'gpt-4o' })
    expect(await asks(`${key}-${id}`)).toMatchObject({ status: 403, json: { error: { code: 'channel_not_allowed' } } })
  })

  it('get no end beyond a year by a later change either', async () => {
    const { id } = await made()
    const token = dataOf(await world.admin.get(`/api/token/${id}`))
    const change = { ...token, expired_time: 4_000_000_000 }
    expect(await world.admin.put('/api/token', change)).toMatchObject({ success: false })
  })

  it('end at their time, and with their quota', async () => {
    const [short, poor] = [await made({ expires_at: now() + 3600 }), await made({ quota: 1 })]
    expect(await asks(poor.key)).toMatchObject({ status: 403 })
    world.clock.advance(3_700_000)
    expect(await asks(short.key)).toMatchObject({ status: 401, json: { error: { code: 'token_expired' } } })
    const found = (await listed()).find(({ id }: { id: number }) => id === short.id)
    expect(found.state).toBe('expired')
  })

  it.each([
    ['no quota', { quota: undefined }],
    ['a quota of none', { quota: 0 }],
    ['no end', { expires_at: undefined }],
    ['an end that never comes', { expires_at: -1 }],
    ['an end that has been', { expires_at: 1_000_000_000 }],
    ['an end beyond a year', { expires_at: 4_000_000_000 }],
    ['a model that is two', { models: ['gpt-4o,gpt-5'] }],
    ['a group that is none', { group: 'nowhere' }],
  ])('are not made with %s', async (_, fields) => {
    const before = (await listed()).length
    expect(await world.admin.post('/api/share/keys', wanted(fields))).toMatchObject({ success: false })
    expect((await listed()).length).toBe(before)
  })

  it.each([
    ['its end', { expired_time: -1 }],
    ['its limit', { unlimited_quota: true }],
  ])('must have %s when they are changed as other tokens are', async (_, change) => {
    const { id } = await made()
    const answer = await world.admin.put('/api/token', { id, ...change })
    expect(answer).toMatchObject({ success: false, message: 'A guest key always has an expiry and a quota limit' })
    dataOf(await world.admin.put('/api/token', { id, name: 'renamed', expired_time: now() + 2 * DAY }))
  })

  it('stop working as soon as they are revoked, which is logged', async () => {
    const { id, key, name } = await made()
    expect((await asks(key)).status).toBe(200)
    dataOf(await world.admin.post(`/api/share/keys/${id}/revoke`))
    expect(await asks(key)).toMatchObject({ status: 401, json: { error: { code: 'token_disabled' } } })
    expect((await listed()).find((one: { id: number }) => one.id === id).state).toBe('revoked')
    const { ledger, db } = world.gateway.inner
    await ledger.flush()
    const rows = await db
      .selectFrom('logs')
      .select('content')
      .where('content', 'like', `%${name}%(ID ${id})%`)
      .execute()
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain(key.slice(3))
  })

  it('are the only tokens in that list, and revoking an unknown token is refused', async () => {
    await world.token(world.admin, { name: 'a usual token' })
    expect((await listed()).map(({ name }: { name: string }) => name)).not.toContain('a usual token')
    expect(await world.admin.post('/api/share/keys/999999/revoke')).toMatchObject({ success: false })
  })
})
