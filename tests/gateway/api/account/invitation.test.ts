import { beforeAll, describe, expect, it } from 'vitest'
import { role } from '../../../../shared/enums.ts'
import { dataOf, signedIn } from '../../../support/client.ts'
import { quickArgon2 } from '../../../support/quick-argon2.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../../support/world.ts'

let world: World
let clerk: Person
beforeAll(async () => {
  world = await aWorld({ options: { RegisterEnabled: false, EmailVerificationEnabled: false, QuotaForNewUser: 100 } })
  await world.option('GroupRatio', { default: 1, vip: 1 })
  clerk = await world.user({ role: role.admin })
})

let count = 0
const register = (invitation: string) => {
  count += 1
  const username = `guest${count}`
  return { username, reply: world.visitor.post('/api/user/register', { username, password: PASSWORD, invitation }) }
}
const invite = async (by: Person, fields: object = {}): Promise<{ id: number; code: string }> =>
  dataOf(await by.post('/api/invitation', fields))
const look = (code: string) => world.visitor.post('/api/invitation/look', { code })
const gone = 'The invitation is not valid or has expired. Ask for a new one.'

describe('a link of invitation (docs/reference/accounts.md#invitation-links)', () => {
  it('opens a closed registration, with role, group, quota and remark, on the books', async () => {
    const fields = { role: 10, group: 'vip', quota: 5000, note: 'The new clerk' }
    const { code } = await invite(world.admin, fields)
    expect(dataOf(await look(code))).toMatchObject({ invited_by: 'Root User', role: 10, quota: 5000 })
    const { username, reply } = register(code)
    dataOf(await reply)
    const person = await signedIn(world.url, username, PASSWORD)
    expect(dataOf(await person.get('/api/user/self'))).toMatchObject({ role: 10, group: 'vip', quota: 5100 })
    const { db } = world.gateway.inner
    const row = await db.selectFrom('users').select('remark').where('id', '=', person.id).executeTakeFirstOrThrow()
    expect(row.remark).toBe('The new clerk')
    const said = await db.selectFrom('logs').select('content').where('content', 'like', '%invitation link%').execute()
    expect(said.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^root made the invitation link #\d+$/),
      expect.stringMatching(
        new RegExp(`^“${username}” .ID ${person.id}. registered with the invitation link #\\d+ of root$`),
      ),
    ])
    expect(await reconcile(db)).toEqual([])
    expect((await register(code).reply).message).toBe(gone)
    expect((await look(code)).message).toBe(gone)
    expect((await register('').reply).message).toBe('New registrations are closed')
  })

  it('can be used only as often as it allows, also by twenty at once', async () => {
    const { id, code } = await invite(clerk, { uses: 3 })
    const replies = await Promise.all(Array.from({ length: 12 }, () => register(code).reply))
    expect(replies.filter(({ success }) => success)).toHaveLength(3)
    expect(replies.map(({ status }) => status)).not.toContain(500)
    const listed = dataOf(await clerk.get('/api/invitation')).find((one: { id: number }) => one.id === id)
    expect(listed).toMatchObject({ uses: 3, used: 3, created_by: clerk.id })
    expect(JSON.stringify(listed)).not.toContain(code)
  })

  it('makes no account once its maker is banned, also while the password is being hashed', async () => {
    const hashing = Promise.withResolvers<void>()
    const going = Promise.withResolvers<void>()
    let isHeld = false
    const hash: typeof quickArgon2.hash = async (...given) => {
      if (isHeld) {
        hashing.resolve()
        await going.promise
      }
      return quickArgon2.hash(...given)
    }
    const argon2 = { ...quickArgon2, hash }
    const own = await aWorld({ argon2, options: { EmailVerificationEnabled: false } })
    const maker = await own.user({ role: role.admin })
    const { code } = await invite(maker, { quota: 1000 })
    isHeld = true
    const late = own.visitor.post('/api/user/register', { username: 'late', password: PASSWORD, invitation: code })
    await hashing.promise
    dataOf(await own.admin.post('/api/user/manage', { id: maker.id, action: 'disable' }))
    going.resolve()
    expect(await late).toMatchObject({ success: false, message: gone })
    const { db } = own.gateway.inner
    expect(await db.selectFrom('users').select('id').where('username', '=', 'late').execute()).toEqual([])
    expect(await db.selectFrom('invitations').select('used').execute()).toEqual([{ used: 0 }])
  })

  it('is valid until it expires or is revoked, and while its maker may grant what it grants', async () => {
    const late = await invite(clerk, { seconds: 60 })
    world.clock.advance(60_000)
    expect((await register(late.code).reply).message).toBe(gone)
    const back = await invite(clerk)
    dataOf(await clerk.delete(`/api/invitation/${back.id}`))
    expect((await register(back.code).reply).message).toBe(gone)
    await world.option('GroupRatio', { default: 1, vip: 1, guests: 2 })
    const grouped = await invite(clerk, { group: 'guests' })
    await world.option('GroupRatio', { default: 1, vip: 1 })
    expect((await look(grouped.code)).message, 'nobody comes into a group without a ratio').toBe(gone)
    expect((await register(grouped.code).reply).message).toBe(gone)
    const maker = await world.user({ role: role.admin })
    const { code } = await invite(maker)
    dataOf(await world.admin.post('/api/user/manage', { id: maker.id, action: 'demote' }))
    expect((await register(code).reply).message).toBe(gone)
  })

  it('gives no role of its maker’s own or above, no unknown group, and is hidden from users who may not give it', async () => {
    expect((await clerk.post('/api/invitation', { role: 10 })).message).toContain('your own role or a higher one')
    expect((await world.admin.post('/api/invitation', { role: 100 })).message).toBe('Invalid parameters')
    expect((await clerk.post('/api/invitation', { group: 'nowhere' })).message).toContain(
      'The group nowhere does not exist',
    )
    for (const bad of [{ quota: -1 }, { uses: 0 }, { uses: 1001 }, { seconds: 1 }, { quota: 1.5 }])
      expect(await clerk.post('/api/invitation', bad), JSON.stringify(bad)).toMatchObject({ success: false })
    const { id } = await invite(world.admin, { role: 10 })
    const seen = dataOf(await clerk.get('/api/invitation')).map((one: { id: number }) => one.id)
    expect(seen).not.toContain(id)
    expect((await clerk.delete(`/api/invitation/${id}`)).message).toBe(gone)
    expect((await look('made-up')).message).toBe(gone)
  })
})
