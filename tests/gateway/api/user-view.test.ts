import { beforeAll, describe, expect, it } from 'vitest'
import { role } from '../../../shared/enums.ts'
import { MASK } from '../../../shared/secret-mask.ts'
import { dataOf } from '../../support/client.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

let world: World
let alice: Person
let clerk: Person
beforeAll(async () => {
  world = await aWorld()
  alice = await world.user({ quota: 700_000 })
  clerk = await world.user({ role: role.admin })
})
const view = (who: Person, id: number) => who.get(`/api/user/${id}`)

describe('GET /api/user/{id} (docs/reference/accounts.md#roles)', () => {
  it('shows an administrator the state of an account, and never its password', async () => {
    const { data } = await view(clerk, alice.id)
    expect(data).toMatchObject({ id: alice.id, quota: 700_000, used_quota: 0, request_count: 0, password: '' })
  })

  it('never shows the secret of a webhook, and shows its owner that it is set', async () => {
    const setting = JSON.stringify({ notify_type: 'webhook', webhook_secret: 'a-canary' })
    const { db } = world.gateway.inner
    await db.updateTable('users').set({ setting }).where('id', '=', alice.id).execute()
    const seen = await view(world.admin, alice.id)
    expect(JSON.parse(seen.data.setting)).toEqual({ notify_type: 'webhook' })
    expect(JSON.stringify(seen)).not.toContain('a-canary')
    const own = (await alice.get('/api/user/self')).data.setting
    expect(JSON.parse(own)).toEqual({ notify_type: 'webhook', webhook_secret: MASK })
  })

  it('shows accounts of the same or a higher role only to the root user', async () => {
    expect((await view(clerk, world.admin.id)).message).toBe('You cannot view a user with the same or a higher role')
    expect((await view(clerk, clerk.id)).success).toBe(false)
    expect((await view(world.admin, clerk.id)).data).toMatchObject({ id: clerk.id })
    expect((await view(world.admin, world.admin.id)).data).toMatchObject({ id: world.admin.id })
  })

  it('is closed to users, and reports an account that does not exist', async () => {
    expect((await view(alice, alice.id)).success).toBe(false)
    expect((await view(world.admin, 9999)).success).toBe(false)
  })
})

/** Fields of an account that programs of the family read (docs/reference/api.md#user-object). */
const fields = [
  ...['id', 'username', 'display_name', 'password', 'group', 'quota', 'used_quota', 'request_count', 'role', 'status'],
  ...['aff_count', 'aff_quota', 'aff_history_quota', 'inviter_id', 'DeletedAt', 'email', 'setting'],
  ...['github_id', 'oidc_id', 'wechat_id', 'telegram_id', 'linux_do_id'],
]

it('has the fields of the family wherever an account is shown, blank where they have no value', async () => {
  const listed = (reply: { data: { items: { id: number }[] } }) => reply.data.items.find(({ id }) => id === alice.id)
  const shown = [
    (await alice.get('/api/user/self')).data,
    (await view(world.admin, alice.id)).data,
    listed(await world.admin.get('/api/user/?p=1&page_size=100')),
    listed(await world.admin.get(`/api/user/search?keyword=${alice.username}&group=&p=1&page_size=10`)),
  ]
  for (const account of shown) {
    expect(Object.keys(account ?? {})).toEqual(expect.arrayContaining(fields))
    expect(account).toMatchObject({ id: alice.id, password: '', DeletedAt: null, github_id: '', linux_do_id: '' })
  }
  dataOf(await world.admin.post('/api/user/manage', { id: alice.id, action: 'delete' }))
  expect((await view(world.admin, alice.id)).data.DeletedAt).toMatch(/^\d{4}-\d\d-\d\dT/)
})
