import { beforeAll, describe, expect, it } from 'vitest'
import { unixSeconds } from '../../../gateway/base/clock.ts'
import { redemptionStatus } from '../../../shared/enums.ts'
import { dataOf, signedIn } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const path = '/api/redemption'
const make = async ({ admin }: World, fields: object = {}): Promise<string[]> =>
  dataOf(await admin.post(path, { name: 'gift', quota: 1000, count: 1, ...fields }))
const listed = async ({ admin }: World) => dataOf(await admin.get(path)).items
const DAY = 86_400

describe('redemption codes (docs/reference/wallet.md#redemption-codes)', () => {
  let unchanged: World
  beforeAll(async () => {
    unchanged = await aWorld()
  })

  it('are made in batches, each with a key of 128 random bits, and listed whole for administrators', async () => {
    const world = await aWorld({ clock: aClock(1_800_000_000_000) })
    const keys = await make(world, { count: 100 })
    expect(new Set(keys).size).toBe(100)
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
    const page = dataOf(await world.admin.get(`${path}/?p=2&page_size=20`))
    expect([page.total, page.page, page.page_size, page.items.length]).toEqual([100, 2, 20, 20])
    const newest = (await listed(world))[0]
    expect(newest).toEqual({
      id: 100,
      user_id: world.admin.id,
      key: keys[99],
      status: 1,
      name: 'gift',
      quota: 1000,
      created_time: unixSeconds(world.clock),
      redeemed_time: 0,
      count: 0,
      used_user_id: 0,
      used_username: '',
      expired_time: 0,
      DeletedAt: null,
    })
    expect(dataOf(await world.admin.get(`${path}/100/`))).toEqual(newest)
  })

  it('are made once by a call that is repeated with its idempotency key', async () => {
    const world = await aWorld()
    const call = { count: 2, idempotency_key: 'a lost reply' }
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => make(world, call)))
    expect(others).toEqual([first, first])
    expect((await listed(world)).map(({ key }: { key: string }) => key)).toEqual(first?.toReversed())
    const rows = await world.gateway.inner.db.selectFrom('logs').select('content').execute()
    expect(rows.filter(({ content }) => content.includes('made redemption codes'))).toHaveLength(1)
    const [key = ''] = first ?? []
    await world.admin.post('/api/user/topup', { key })
    expect(await make(world, call)).toEqual(first)
    // Other fields are another order; so is the same key of another administrator.
    expect(await make(world, { ...call, quota: 2000 })).not.toContain(key)
    expect((await listed(world)).length).toBe(4)
  })

  it.each([
    [{ name: '' }, 'The name must have 1 to 20 characters'],
    [{ name: 'x'.repeat(21) }, 'The name must have 1 to 20 characters'],
    [{ count: 0 }, 'The number of codes must be greater than 0'],
    [{ count: 101 }, 'You can create at most 100 codes at a time'],
    [{ count: 1.5 }, /count/],
    [{ quota: 0 }, /quota/],
    [{ quota: -1_000_000_000 }, /quota/],
    [{ quota: 1_000_000_000_001 }, /quota/],
    [{ quota: '5' }, /quota/],
    [{ expired_time: 5 }, 'The expiry date cannot be in the past'],
  ])('refuse %o', async (fields, message) => {
    const reply = await unchanged.admin.post(path, { name: 'gift', quota: 1, count: 1, ...fields })
    expect(reply).toMatchObject({ status: 200, success: false })
    if (typeof message === 'string') expect(reply.message.replace(/^\w+: /, '')).toContain(message)
    else expect(reply.message).toMatch(message)
    expect(await listed(unchanged)).toEqual([])
  })

  it('count characters of a name as people do', async () => {
    const world = await aWorld()
    await make(world, { name: '礼'.repeat(20) })
    expect((await listed(world))[0].name).toBe('礼'.repeat(20))
  })

  it('are found by their id, or by the beginning of their name', async () => {
    const world = await aWorld()
    for (const name of ['spring 1', 'spring 2', '2 summers', 'in spring', '100%']) await make(world, { name })
    const found = async (keyword: string) =>
      dataOf(await world.admin.get(`${path}/search?keyword=${encodeURIComponent(keyword)}`)).items.map(
        ({ id }: { id: number }) => id,
      )
    expect(await found('Spring')).toEqual([2, 1])
    expect(await found('2')).toEqual([3, 2])
    expect(await found('%')).toEqual([])
    expect(await found('')).toEqual([5, 4, 3, 2, 1])
  })

  it('change while they are unused, and are only switched between unused and disabled', async () => {
    const world = await aWorld()
    const [key = ''] = await make(world)
    const later = unixSeconds(world.clock) + DAY
    const changed = await world.admin.put(path, { id: 1, name: 'present', quota: 7, expired_time: later, status: 3 })
    expect(changed.data).toMatchObject({ name: 'present', quota: 7, expired_time: later, status: 1 })
    const past = await world.admin.put(path, { id: 1, expired_time: 9 })
    expect(past.message).toBe('The expiry date cannot be in the past')
    const only = `${path}?status_only=true`
    expect((await world.admin.put(only, { id: 1, status: 2, quota: 99 })).data).toMatchObject({ status: 2, quota: 7 })
    for (const status of [3, 0, undefined]) expect((await world.admin.put(only, { id: 1, status })).success).toBe(false)
    expect((await world.admin.put(only, { id: 1, status: 1 })).data.status).toBe(1)

    const alice = await world.user()
    dataOf(await alice.post('/api/user/topup', { key }))
    const refused = 'A code that has been used cannot be changed'
    expect((await world.admin.put(path, { id: 1, quota: 5 })).message).toBe(refused)
    expect((await world.admin.put(only, { id: 1, status: 1 })).message).toBe(refused)
    expect((await listed(world))[0]).toMatchObject({ status: 3, used_user_id: alice.id, used_username: alice.username })
    expect((await world.admin.put(path, { id: 9, quota: 5 })).message).toBe('Redemption code not found')
  })

  it('are deleted, one by one or all that can no longer be redeemed', async () => {
    const world = await aWorld()
    const alice = await world.user()
    const [used = '', , , gone = ''] = await make(world, { count: 4 })
    await make(world, { expired_time: unixSeconds(world.clock) + DAY })
    dataOf(await alice.post('/api/user/topup', { key: used }))
    dataOf(await world.admin.put(`${path}?status_only=1`, { id: 2, status: redemptionStatus.disabled }))
    dataOf(await world.admin.delete(`${path}/4/`))
    world.clock.advanceSeconds(DAY + 1)
    expect(dataOf(await world.admin.delete(`${path}/invalid`))).toBe(3)
    expect((await listed(world)).map(({ id }: { id: number }) => id)).toEqual([3])
    expect((await world.admin.delete(`${path}/4`)).message).toBe('Redemption code not found')
    expect((await world.admin.get(`${path}/4`)).message).toBe('Redemption code not found')
    expect((await alice.post('/api/user/topup', { key: gone })).message).toBe(
      'Redemption failed: the code does not exist',
    )
  })

  it('leave a row of the log each time, which contains no key', async () => {
    const world = await aWorld()
    const [key = ''] = await make(world, { count: 2 })
    dataOf(await world.admin.put(path, { id: 1, quota: 9 }))
    dataOf(await world.admin.delete(`${path}/1`))
    dataOf(await world.admin.put(`${path}?status_only=1`, { id: 2, status: 2 }))
    dataOf(await world.admin.delete(`${path}/invalid`))
    const rows = dataOf(await world.admin.get('/api/log?type=3')).items
    const told = rows.map(({ content }: { content: string }) => content).filter((text: string) => /code/.test(text))
    expect(told).toEqual([
      'root deleted used, disabled and expired redemption codes: 1',
      'root changed the redemption code “gift” (ID 2)',
      'root deleted the redemption code “gift” (ID 1)',
      'root changed the redemption code “gift” (ID 1)',
      'root made redemption codes “gift” worth $0.002000 each: 2',
    ])
    expect(JSON.stringify(rows)).not.toContain(key)
  })
})

describe('redeeming a code (docs/reference/wallet.md#redeeming)', () => {
  it('adds its value to the balance, the ledger and the log', async () => {
    const world = await aWorld()
    const [key] = await make(world, { quota: 750_000 })
    const alice = await world.user({ quota: 5 })
    expect(dataOf(await alice.post('/api/user/topup', { key: ` ${key}\n` }))).toBe(750_000)
    expect(await alice.quota()).toBe(750_005)
    const { db } = world.gateway.inner
    const rows = await db.selectFrom('ledger').selectAll().where('kind', '=', 'redeem').execute()
    expect(rows).toMatchObject([
      { user_id: alice.id, amount: 750_000, ref_type: 'redemption', ref_id: '1', balance_after: 750_005 },
    ])
    const [row] = dataOf(await alice.get('/api/log/self?type=1')).items
    expect([row.type, row.content]).toEqual([1, 'Redeemed $1.500000, code ID 1'])
    expect(await reconcile(db)).toEqual([])
  })

  it('is not for administrators, nor for one who was one when they made it, except for the super administrator', async () => {
    const world = await aWorld()
    const clerk = await world.user({ role: 10 })
    const peer = await world.user({ role: 10 })
    const [key = '', second = ''] = dataOf(await clerk.post(path, { name: 'gift', quota: 1000, count: 2 }))
    for (const one of [clerk, peer])
      expect((await one.post('/api/user/topup', { key })).message).toContain('Administrators cannot redeem codes')
    dataOf(await world.admin.post('/api/user/manage', { id: clerk.id, action: 'demote' }))
    const former = await signedIn(world.url, clerk.username, 'a-long-password')
    expect((await former.post('/api/user/topup', { key })).message).toBe('You cannot redeem a code that you made')
    expect([await clerk.quota(), await peer.quota()]).toEqual([0, 0])
    expect(dataOf(await world.admin.post('/api/user/topup', { key: second }))).toBe(1000)
    const [own = ''] = await make(world)
    expect(dataOf(await world.admin.post('/api/user/topup', { key: own }))).toBe(1000)
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('reports why it failed, and for an unknown key only that it does not exist', async () => {
    const world = await aWorld()
    const [used, disabled] = await make(world, { count: 2 })
    const [expired] = await make(world, { expired_time: unixSeconds(world.clock) + DAY })
    const [alice, bob] = [await world.user(), await world.user()]
    dataOf(await alice.post('/api/user/topup', { key: used }))
    dataOf(await world.admin.put(`${path}?status_only=1`, { id: 2, status: 2 }))
    world.clock.advanceSeconds(DAY + 1)
    const said = async (key: string | undefined) => (await bob.post('/api/user/topup', { key })).message
    expect(await said(used)).toBe('Redemption failed: the code has already been used or is disabled')
    expect(await said(disabled)).toBe('Redemption failed: the code has already been used or is disabled')
    expect(await said(expired)).toBe('Redemption failed: the code has expired')
    expect(await said('0'.repeat(32))).toBe('Redemption failed: the code does not exist')
    expect(await said('  ')).toBe('Enter a redemption code')
    expect(await bob.quota()).toBe(0)
  })

  it('happens once, for the first of fifty people who try at the same time', async () => {
    const world = await aWorld()
    const [key] = await make(world, { quota: 12_345 })
    const people: Person[] = []
    while (people.length < 50) people.push(await world.user())
    const replies = await Promise.all(people.map((person) => person.post('/api/user/topup', { key })))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    const others = new Set(replies.filter(({ success }) => !success).map(({ message }) => message))
    expect([...others]).toEqual(['Redemption failed: the code has already been used or is disabled'])
    const balances = await Promise.all(people.map((person) => person.quota()))
    expect(balances.reduce((sum, quota) => sum + quota)).toBe(12_345)
    const { db } = world.gateway.inner
    const logs = await db.selectFrom('logs').select('id').where('type', '=', 1).execute()
    expect(logs).toHaveLength(1)
    expect(await reconcile(db)).toEqual([])
  })

  it('happens once for one account that tries fifty times at once', async () => {
    const world = await aWorld()
    const [key] = await make(world, { quota: 7 })
    const alice = await world.user()
    const replies = await Promise.all(Array.from({ length: 50 }, () => alice.post('/api/user/topup', { key })))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30)
    expect(await alice.quota()).toBe(7)
  })

  it('credits the value of the code when an administrator changes it at that moment', async () => {
    const world = await aWorld()
    const [key] = await make(world, { quota: 10 })
    const alice = await world.user()
    const [redeemed] = await Promise.all([
      alice.post('/api/user/topup', { key }),
      world.admin.put(path, { id: 1, quota: 20 }),
    ])
    expect(await alice.quota()).toBe(redeemed.data)
    expect((await listed(world))[0].quota).toBe(redeemed.data)
  })

  it('is refused for an hour after twenty wrong guesses, and a valid key resets the count', async () => {
    const world = await aWorld({ clock: aClock(1_800_000_000_000) })
    const keys = await make(world, { count: 2 })
    const [alice, bob] = [await world.user(), await world.user()]
    const tries = async (person: typeof alice, key: string | undefined) => person.post('/api/user/topup', { key })
    for (let turn = 0; turn < 19; turn += 1) expect((await tries(alice, `no key ${turn}`)).status).toBe(200)
    expect((await tries(alice, keys[0])).success).toBe(true)
    world.clock.advanceSeconds(1201)
    for (let turn = 0; turn < 20; turn += 1) expect((await tries(alice, `wrong ${turn}`)).status).toBe(200)
    // The rate limit of all attempts has expired; that of wrong codes has not.
    world.clock.advanceSeconds(1201)
    const refused = await tries(alice, keys[1])
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 3600 - 1201])
    expect((await tries(bob, 'a guess')).status).toBe(200)
    world.clock.advanceSeconds(2400)
    expect((await tries(alice, keys[1])).success).toBe(true)
  })
})
