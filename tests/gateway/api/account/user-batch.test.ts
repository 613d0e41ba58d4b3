import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_QUOTA } from '../../../../shared/api/fields.ts'
import { logType, role } from '../../../../shared/enums.ts'
import { dataOf } from '../../../support/client.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let clerk: Person
beforeAll(async () => {
  world = await aWorld({ options: { GroupRatio: { default: 1, vip: 2 } } })
  clerk = await world.user({ role: role.admin, username: 'clerk' })
  await world.channel()
})

const changeMany = async (by: Person, body: object) => dataOf(await by.put('/api/user/batch', body))
const users = (...names: readonly string[]) =>
  Promise.all(names.map((username) => world.user({ username, quota: 1_000_000 })))
const auditTexts = async () => {
  const rows = await world.gateway.inner.db
    .selectFrom('logs')
    .select('content')
    .where('type', '=', logType.manage)
    .orderBy('id')
    .execute()
  return rows.map(({ content }) => content)
}

describe('several accounts at once (docs/reference/accounts.md#managing-accounts)', () => {
  it('are disabled and enabled, each with its row in the log; their keys stop and work again', async () => {
    const [ann, bob, cat] = await users('ann', 'bob', 'cat')
    if (!ann || !bob || !cat) throw new Error('no users')
    const ids = [ann.id, bob.id]
    await Promise.all([ann, bob].map((user) => user.asks('gpt-4o', 'hi')))
    expect(await changeMany(clerk, { ids: [...ids, ann.id], action: 'disable' })).toEqual({ changed: 2, refused: [] })
    const statuses = await Promise.all([ann, bob, cat].map((user) => user.asks('gpt-4o', 'hi')))
    expect(statuses.map(({ status }) => status)).toEqual([403, 403, 200])
    expect((await auditTexts()).slice(-2)).toEqual([
      `clerk disabled the user “ann” (ID ${ann.id})`,
      `clerk disabled the user “bob” (ID ${bob.id})`,
    ])
    expect(await changeMany(clerk, { ids, action: 'enable' })).toEqual({ changed: 2, refused: [] })
    expect((await ann.asks('gpt-4o', 'hi')).status).toBe(200)
  })

  it('get quota, each its own movement and log row, also after they spent some', async () => {
    const [dan, eve] = await users('dan', 'eve')
    if (!dan || !eve) throw new Error('no users')
    await dan.asks('gpt-4o', 'hi')
    const before = await dan.quota()
    const ids = [dan.id, eve.id]
    expect(await changeMany(clerk, { ids, amount: 250_000 })).toEqual({ changed: 2, refused: [] })
    expect(await changeMany(clerk, { ids, amount: -50_000 })).toEqual({ changed: 2, refused: [] })
    expect(await dan.quota()).toBe(before + 200_000)
    expect(await eve.quota()).toBe(1_200_000)
    expect((await auditTexts()).at(-1)).toBe('An administrator changed the quota from $2.500000 to $2.400000')
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('get a group, which must exist', async () => {
    const [fay] = await users('fay')
    if (!fay) throw new Error('no user')
    expect(await changeMany(clerk, { ids: [fay.id], group: 'vip' })).toEqual({ changed: 1, refused: [] })
    expect(dataOf(await clerk.get(`/api/user/${fay.id}`)).group).toBe('vip')
    const { refused } = await changeMany(clerk, { ids: [fay.id], group: 'nowhere' })
    expect(refused).toMatchObject([{ id: fay.id, username: 'fay', message: expect.stringContaining('nowhere') }])
  })

  it('that the administrator may not change, or that are gone, are named with the reason; the others change', async () => {
    const [gus] = await users('gus')
    if (!gus) throw new Error('no user')
    const peer = await world.user({ role: role.admin, username: 'peer' })
    const ids = [clerk.id, peer.id, world.admin.id, 99_999, gus.id]
    for (const change of [{ amount: 10_000_000 }, { group: 'vip' }, { action: 'enable' }])
      expect(await changeMany(clerk, { ids, ...change })).toEqual({
        changed: 1,
        refused: [
          ...[clerk, peer, world.admin].map(({ id, username }) => ({
            id,
            username,
            message: 'You cannot change a user with the same or a higher role',
          })),
          { id: 99_999, username: '', message: 'User not found' },
        ],
      })
    expect(await Promise.all([clerk, peer].map((user) => user.quota()))).toEqual([0, 0])
    expect(await changeMany(clerk, { ids: [gus.id], action: 'delete' })).toEqual({ changed: 1, refused: [] })
    expect(await changeMany(clerk, { ids: [gus.id], amount: 1 })).toMatchObject({
      changed: 0,
      refused: [{ username: 'gus', message: 'This account has been deactivated' }],
    })
  })

  it('cannot exceed the limits of a balance: such an account keeps its own', async () => {
    const [hal, ida] = await users('hal', 'ida')
    if (!hal || !ida) throw new Error('no users')
    expect((await clerk.put('/api/user/batch', { ids: [hal.id], amount: MAX_QUOTA + 1 })).success).toBe(false)
    await changeMany(clerk, { ids: [hal.id], amount: MAX_QUOTA - 1_000_000 })
    const { changed, refused } = await changeMany(clerk, { ids: [hal.id, ida.id], amount: 1 })
    expect([changed, refused.map(({ username }: { username: string }) => username)]).toEqual([1, ['hal']])
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('need an id and exactly one change', async () => {
    const [jon] = await users('jon')
    if (!jon) throw new Error('no user')
    for (const body of [
      { ids: [], action: 'disable' },
      { ids: [jon.id] },
      { ids: [jon.id], action: 'promote' },
      { ids: [jon.id], action: 'enable', amount: 1 },
      { ids: Array.from({ length: 10_001 }, (_, index) => index + 1), action: 'disable' },
    ])
      expect((await clerk.put('/api/user/batch', body)).success, JSON.stringify(body).slice(0, 80)).toBe(false)
    expect((await jon.put('/api/user/batch', { ids: [jon.id], amount: 1 })).message).toBe(
      'You do not have permission to do this',
    )
  })
})
