import { beforeAll, describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

let world: World
let alice: Person
const now = () => Math.floor(world.clock.now() / 1000)

beforeAll(async () => {
  world = await aWorld({ clock: aClock(1_750_000_000_000) })
  alice = await world.user({ quota: 1_000_000 })
})

describe('an edit of a token', () => {
  it('changes only the fields that are present', async () => {
    const before = await world.token(alice, {
      group: 'default',
      model_limits: 'gpt-4o',
      model_limits_enabled: true,
      allow_ips: '::1',
    })
    const after = dataOf(await alice.put('/api/token', { id: before.id, name: 'renamed' }))
    expect(after).toEqual({ ...before, name: 'renamed' })
    expect(dataOf(await alice.get(`/api/token/${before.id}`))).toEqual(after)
  })

  it('writes zero, false and empty like any other value', async () => {
    const { id } = await world.token(alice, {
      group: 'default',
      model_limits: 'gpt-4o',
      model_limits_enabled: true,
      allow_ips: '::1',
      remain_quota: 10,
      unlimited_quota: true,
    })
    const blank = {
      group: '',
      model_limits: '',
      model_limits_enabled: false,
      allow_ips: '',
      remain_quota: 0,
      unlimited_quota: false,
    }
    expect(dataOf(await alice.put('/api/token/', { id, ...blank }))).toMatchObject({ ...blank, allow_ips: null })
  })

  it('follows the rules of a new token', async () => {
    const { id } = await world.token(alice)
    const refused = [
      { name: ' ' },
      { name: 'x'.repeat(31) },
      { expired_time: now() - 1 },
      { remain_quota: -1 },
      { group: 'svip' },
      { allow_ips: 'x' },
    ]
    for (const change of refused) expect((await alice.put('/api/token', { id, ...change })).success).toBe(false)
    expect(dataOf(await alice.get(`/api/token/${id}`)).name).toBe('a token')
  })

  it('may repeat an expiry or a group that would not be allowed today', async () => {
    const token = await world.token(alice, { group: 'vip', expired_time: now() + 5 })
    await world.option('UserUsableGroups', { default: 'for all' })
    world.clock.advanceSeconds(10)
    const { success } = await alice.put('/api/token', { ...token, name: 'renamed' })
    await world.option('UserUsableGroups', { default: 'for all', vip: 'for friends' })
    expect(success).toBe(true)
  })

  it('of another user’s token or a missing one is refused in the same words', async () => {
    const bob = await world.user()
    const { id } = await world.token(bob)
    for (const someone of [alice, world.admin])
      for (const wanted of [id, 987_654]) {
        const replies = [
          await someone.get(`/api/token/${wanted}`),
          await someone.put('/api/token', { id: wanted, name: 'taken' }),
          await someone.put('/api/token?status_only=true', { id: wanted, status: 2 }),
          await someone.delete(`/api/token/${wanted}`),
        ]
        for (const { status, body } of replies)
          expect({ status, body }).toEqual({ status: 200, body: { success: false, message: 'Token not found' } })
      }
    expect(dataOf(await bob.get(`/api/token/${id}`))).toMatchObject({ name: 'a token', status: 1 })
  })
})

describe('the quota of a token', () => {
  it('is changed by the difference to the value the editor had loaded, so spending meanwhile stays spent', async () => {
    const { id } = await world.token(alice, { remain_quota: 1000, unlimited_quota: false })
    await spend(id, 300)
    const { remain_quota, used_quota } = dataOf(
      await alice.put('/api/token', { id, remain_quota: 1500, remain_quota_base: 1000 }),
    )
    expect({ remain_quota, used_quota }).toEqual({ remain_quota: 1200, used_quota: 300 })
  })

  it('is set exactly without a base', async () => {
    const { id } = await world.token(alice, { remain_quota: 1000, unlimited_quota: false })
    await spend(id, 300)
    expect(dataOf(await alice.put('/api/token', { id, remain_quota: 1000 })).remain_quota).toBe(1000)
    expect(dataOf(await alice.put('/api/token', { id, remain_quota: 0 })).remain_quota).toBe(0)
  })

  it('is right after edits and spending at the same time', async () => {
    const { id } = await world.token(alice, { remain_quota: 10_000, unlimited_quota: false })
    const edits = Array.from({ length: 20 }, async (_, index) => {
      await spend(id, 7)
      dataOf(
        await alice.put('/api/token', { id, remain_quota: 10_100, remain_quota_base: 10_000, name: `edit ${index}` }),
      )
      await spend(id, 5)
    })
    await Promise.all(edits)
    const { remain_quota, used_quota } = dataOf(await alice.get(`/api/token/${id}`))
    expect({ remain_quota, used_quota }).toEqual({ remain_quota: 10_000 + 20 * 100 - 20 * 12, used_quota: 240 })
  })

  it('counts for the next call at once, in both directions', async () => {
    const { id } = await world.token(alice, { remain_quota: 100, unlimited_quota: false })
    await spend(id, 60)
    await expect(spend(id, 60)).rejects.toThrow()
    dataOf(await alice.put('/api/token', { id, remain_quota: 60, remain_quota_base: 40 }))
    await spend(id, 60)
    dataOf(await alice.put('/api/token', { id, unlimited_quota: true }))
    await spend(id, 5000)
    dataOf(await alice.put('/api/token', { id, unlimited_quota: false, remain_quota: 10 }))
    await expect(spend(id, 11)).rejects.toThrow()
  })

  it('never becomes negative by an edit, for any value that was loaded before', async () => {
    const { id } = await world.token(alice, { remain_quota: 1000, unlimited_quota: false })
    for (const base of [1_000_000_000_000, 1_000_000_001_000, 1001])
      expect(
        dataOf(await alice.put('/api/token', { id, remain_quota: 0, remain_quota_base: base })).remain_quota,
        `${base}`,
      ).toBe(0)
    await world.gateway.inner.db.updateTable('tokens').set({ remain_quota: -5 }).where('id', '=', id).execute()
    expect(dataOf(await alice.put('/api/token', { id, remain_quota: 0, remain_quota_base: 10 })).remain_quota).toBe(-5)
  })

  it('stays within the maximum of the ledger', async () => {
    const { id } = await world.token(alice, { remain_quota: 5, unlimited_quota: false })
    const far = { id, remain_quota: 1_000_000_000_000_000, remain_quota_base: -9_007_199_254_740_991 }
    expect((await alice.put('/api/token', far)).success).toBe(false)
    expect((await alice.put('/api/token', { ...far, remain_quota_base: 0 })).success).toBe(false)
    expect(dataOf(await alice.get(`/api/token/${id}`)).remain_quota).toBe(5)
  })
})

describe('the status of a token (docs/reference/accounts.md#api-tokens)', () => {
  it('is toggled between 1 and 2; the other two are the gateway’s own', async () => {
    const { id } = await world.token(alice)
    const toggled = (status: number) => alice.put('/api/token/?status_only=true', { id, status, name: 'ignored' })
    expect(dataOf(await toggled(2))).toMatchObject({ status: 2, name: 'a token' })
    expect(dataOf(await toggled(1))).toMatchObject({ status: 1 })
    for (const status of [0, 3, 4, 5]) expect((await toggled(status)).success).toBe(false)
    expect((await alice.put('/api/token?status_only=true', { id })).success).toBe(false)
    expect((await alice.put('/api/token', { id, status: 4 })).success).toBe(false)
  })

  it('is not switched on while the time is over or nothing is left', async () => {
    const expired = await world.token(alice, { expired_time: now() + 5 })
    const empty = await world.token(alice, { remain_quota: 0, unlimited_quota: false })
    world.clock.advanceSeconds(10)
    for (const { id } of [expired, empty]) dataOf(await alice.put('/api/token?status_only=true', { id, status: 2 }))
    const on = async ({ id }: { id: number }) =>
      (await alice.put('/api/token?status_only=true', { id, status: 1 })).message
    expect(await on(expired)).toBe('The token has expired. Change its expiry before you enable it.')
    expect(await on(empty)).toBe('The token has no quota left. Raise its quota before you enable it.')
  })

  it('comes back to 1 with the edit that removes the cause, and not with one that does not', async () => {
    const { id } = await world.token(alice, { remain_quota: 0, unlimited_quota: false, expired_time: now() + 5 })
    world.clock.advanceSeconds(10)
    const edited = async (change: object) => dataOf(await alice.put('/api/token', { id, ...change })).status
    await ended(id, 3)
    expect(await edited({ name: 'other' })).toBe(3)
    expect(await edited({ expired_time: -1 })).toBe(3)
    expect(await edited({ remain_quota: 10, status: 3 })).toBe(1)

    await ended(id, 4)
    expect(await edited({ unlimited_quota: true })).toBe(1)

    await ended(id, 2)
    expect(await edited({ remain_quota: 20 })).toBe(2)
    expect(await edited({ status: 1 })).toBe(1)
  })
})

describe('a deleted token', () => {
  it('is gone for its owner but stays in the table', async () => {
    const token = await world.token(alice)
    expect((await alice.delete(`/api/token/${token.id}/`)).body).toEqual({ success: true, message: '', data: null })
    expect((await alice.get(`/api/token/${token.id}`)).success).toBe(false)
    expect((await alice.delete(`/api/token/${token.id}`)).success).toBe(false)
    expect((await alice.put('/api/token', { id: token.id, name: 'back' })).success).toBe(false)
    const row = await rowOf(token.id)
    expect(row.deleted_at).toBe(now())
    expect(row.name).toBe('a token')
  })
})

/** Changes balances and ledger as a relayed request with this charge does. */
async function spend(tokenId: number, quota: number): Promise<void> {
  const { ledger } = world.gateway.inner
  spent += 1
  const hold = await ledger.hold({ requestId: `spent-${spent}`, userId: alice.id, tokenId, quota })
  await hold.settle({ quota, channelId: 0, at: now(), log: null })
}
let spent = 0

/** Sets a token's status as the relay or a user would. */
const ended = (id: number, status: number) =>
  world.gateway.inner.db.updateTable('tokens').set({ status }).where('id', '=', id).execute()

const rowOf = (id: number) =>
  world.gateway.inner.db.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
