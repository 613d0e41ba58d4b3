import { beforeEach, describe, expect, it } from 'vitest'
import { createHandovers } from '../../../../gateway/accounts/login/handover.ts'
import { aClient } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../../support/world.ts'
import { ask } from '../../api/raw.ts'

const gone = {
  status: 200,
  success: false,
  message: 'This login has expired or was already used. Start again in the app.',
}

let world: World
let alice: Person
beforeEach(async () => {
  world = await aWorld({ clock: aClock(1_700_000_000_000) })
  alice = await world.user()
})

type Begun = Readonly<{ id: string; verifier: string }>
const begin = (): Begun => world.gateway.handover()
const grant = (by: Person, id: string) => by.post('/api/user/handover/grant', { id })
const take = (begun: Begun) => world.visitor.post('/api/user/handover', begun)

describe('a hand-over to the desktop (docs/reference/accounts.md#hand-over-to-the-desktop)', () => {
  it('signs the window in, once, as the user who confirmed it in the browser, and appears in that user’s login history', async () => {
    const begun = begin()
    for (const secret of Object.values(begun)) expect(secret).toMatch(/^[\w-]{43}$/)
    expect(await take(begun)).toMatchObject({ success: true, data: null })
    expect(await grant(alice, begun.id)).toMatchObject({ success: true, data: null })
    const reply = await take(begun)
    expect(reply.data).toMatchObject({ id: alice.id, username: alice.username, role: 1 })
    const [line = ''] = reply.headers.getSetCookie()
    expect(line).toMatch(/^session=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/)
    const window = aClient(world.url, { cookie: line.split(';')[0] ?? '', 'new-api-user': String(alice.id) })
    expect((await window.get('/api/user/self')).data.username).toBe(alice.username)
    expect((await alice.get('/api/user/self/sign_ins')).data[0]).toMatchObject({ way: 'browser', succeeded: true })
    expect((await alice.get('/api/user/self')).success, 'the browser stays signed in').toBe(true)
    expect(await take(begun)).toMatchObject(gone)
  })

  it('is not started by a link: only ids of the shell are known', async () => {
    for (const id of ['', 'x'.repeat(43), begin().verifier]) expect(await grant(alice, id)).toMatchObject(gone)
    expect((await world.visitor.post('/api/user/handover/grant', { id: begin().id })).status).toBe(401)
    expect(await take({ id: 'x'.repeat(43), verifier: 'x'.repeat(43) })).toMatchObject(gone)
  })

  it('stays with the account that it was granted to', async () => {
    const begun = begin()
    const bob = await world.user()
    await grant(alice, begun.id)
    expect(await grant(bob, begun.id)).toMatchObject(gone)
    expect((await grant(alice, begun.id)).success, 'confirmed twice').toBe(true)
    expect((await take(begun)).data.id).toBe(alice.id)
    expect(await grant(alice, begun.id)).toMatchObject(gone)
  })

  it('is used up by a wrong verifier', async () => {
    const begun = begin()
    await grant(alice, begun.id)
    expect(await take({ ...begun, verifier: begin().verifier })).toMatchObject(gone)
    expect(await take(begun)).toMatchObject(gone)
    const other = begin()
    expect(await take({ ...other, verifier: '' })).toMatchObject(gone)
    expect(await grant(alice, other.id)).toMatchObject(gone)
  })

  it('expires after ten minutes', async () => {
    const [young, old] = [begin(), begin()]
    await grant(alice, young.id)
    await grant(alice, old.id)
    world.clock.advance(599_999)
    expect((await take(young)).data.id).toBe(alice.id)
    world.clock.advance(1)
    expect(await take(old)).toMatchObject(gone)
    expect(await grant(alice, old.id)).toMatchObject(gone)
  })

  it('gives nothing to an account that is banned or gone meanwhile', async () => {
    for (const action of ['disable', 'delete']) {
      const [begun, person] = [begin(), await world.user()]
      await grant(person, begun.id)
      expect((await world.admin.post('/api/user/manage', { id: person.id, action })).success).toBe(true)
      expect(await take(begun), action).toMatchObject(gone)
    }
  })

  it('is given to only one of ten simultaneous requests', async () => {
    const begun = begin()
    await grant(alice, begun.id)
    const replies = await Promise.all(Array.from({ length: 10 }, () => take(begun)))
    expect(replies.filter(({ data }) => data?.id === alice.id)).toHaveLength(1)
  })

  it('is cancelled by the window, and cannot be cancelled without its verifier', async () => {
    const [begun, other] = [begin(), begin()]
    expect((await world.visitor.post('/api/user/handover/cancel', begun)).success).toBe(true)
    expect(await grant(alice, begun.id)).toMatchObject(gone)
    expect((await world.visitor.post('/api/user/handover/cancel', { id: 'x', verifier: 'y' })).success).toBe(true)
    expect((await grant(alice, other.id)).success).toBe(true)
  })

  it('is taken only from this machine, and confirmed only by a session', async () => {
    const [begun, other] = [begin(), begin()]
    await grant(alice, begun.id)
    const headers = { 'content-type': 'application/json', 'accept-language': 'en', 'x-forwarded-for': '203.0.113.9' }
    const from = await ask(`${world.url}/api/user/handover`, { method: 'POST', headers, body: JSON.stringify(begun) })
    expect({ status: from.status, ...from.json }).toEqual(gone)
    expect(await take(begun)).toMatchObject(gone)
    const authorization = (await alice.get('/api/user/token')).data
    const program = aClient(world.url, { authorization, 'new-api-user': String(alice.id) })
    const refused = { success: false, message: 'Log in to do this: an access token is not enough' }
    expect(await program.post('/api/user/handover/grant', { id: other.id })).toMatchObject(refused)
    expect(await take(other)).toMatchObject({ success: true, data: null })
  })

  it('needs no second factor in the window, for the browser has shown it', async () => {
    const { db } = world.gateway.inner
    await db
      .insertInto('authenticators')
      .values({ user_id: alice.id, secret: 'x', created_at: 1, confirmed_at: 1 })
      .execute()
    const login = await world.visitor.post('/api/user/login', { username: alice.username, password: PASSWORD })
    expect(login.data).toEqual({ require_2fa: true })
    const begun = begin()
    await grant(alice, begun.id)
    expect((await take(begun)).data.id).toBe(alice.id)
  })

  it('is as old as the login that granted it, both for actions that need a recent login and for its expiry', async () => {
    world.clock.advanceSeconds(16 * 60)
    const begun = begin()
    await grant(alice, begun.id)
    const [line = ''] = (await take(begun)).headers.getSetCookie()
    const window = aClient(world.url, { cookie: line.split(';')[0] ?? '', 'new-api-user': String(alice.id) })
    expect(await window.get('/api/oauth/state')).toMatchObject({ success: false, body: { code: 'log_in_again' } })
    for (let day = 0; day < 89; day += 10) {
      world.clock.advanceSeconds(10 * 86_400)
      expect((await window.get('/api/user/self')).success, `day ${day + 10}`).toBe(day + 10 < 90)
    }
  })

  it('is stored as hashes, sixteen at most', async () => {
    const asked = { take: () => 0, clear: () => {} }
    const { db } = world.gateway.inner
    const handovers = createHandovers({ db, clock: world.clock, requestRate: asked })
    const by = { id: alice.id, signedInAt: 1 }
    const begun = Array.from({ length: 17 }, () => handovers.begin())
    const [first, second] = begun
    await expect(handovers.grant(first?.id ?? '', by)).rejects.toThrow('handover.gone')
    await handovers.grant(second?.id ?? '', by)
    expect((await handovers.take({ id: '', verifier: '', ...second, loopback: true }))?.user.id).toBe(alice.id)
  })

  it('ends with the password that it was granted by', async () => {
    const { db } = world.gateway.inner
    const handovers = createHandovers({ db, clock: world.clock, requestRate: { take: () => 0, clear: () => {} } })
    const begun = handovers.begin()
    await handovers.grant(begun.id, { id: alice.id, signedInAt: 1 })
    await db.updateTable('users').set({ password: 'another-hash' }).where('id', '=', alice.id).execute()
    await expect(handovers.take({ ...begun, loopback: true })).rejects.toThrow('handover.gone')
  })
})
