import { beforeAll, describe, expect, it } from 'vitest'
import { createTickets } from '../../../../gateway/accounts/login/ticket.ts'
import { sha256 } from '../../../../gateway/base/ids.ts'
import { aClient } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { aFreshGateway } from '../../api/fresh-gateway.ts'
import { ask, askJson } from '../../api/raw.ts'

const selfUse = { options: { SelfUseModeEnabled: true } } as const
const refused = { status: 200, success: false, message: 'Not logged in or login expired, please log in again' }
const redeem = (world: World, secret: string | undefined) => world.visitor.post('/api/user/ticket', { ticket: secret })

let fixture: World
beforeAll(async () => {
  fixture = await aWorld(selfUse)
})

describe('a ticket of the desktop (docs/reference/design.md#first-five-minutes)', () => {
  it('signs the window in as the administrator, once', async () => {
    const world = await aWorld(selfUse)
    const ticket = await world.gateway.ticket()
    expect(ticket).toEqual({ secret: expect.stringMatching(/^[\w-]{43}$/), userId: world.admin.id })
    const reply = await redeem(world, ticket?.secret)
    expect(reply.data).toEqual({
      id: world.admin.id,
      username: 'root',
      display_name: 'Root User',
      role: 100,
      status: 1,
      group: 'default',
    })
    const [line = ''] = reply.headers.getSetCookie()
    expect(line).toMatch(/^session=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/)
    const window = aClient(world.url, { cookie: line.split(';')[0]!, 'new-api-user': String(world.admin.id) })
    expect((await window.get('/api/user/self')).data.username).toBe('root')
    expect(await redeem(world, ticket?.secret)).toMatchObject(refused)
  })

  it('ends the session that was presented with it, so that no sessions are left over', async () => {
    const world = await aWorld(selfUse)
    const ticket = await world.gateway.ticket()
    expect((await world.admin.post('/api/user/ticket', { ticket: ticket?.secret })).success).toBe(true)
    expect((await world.admin.get('/api/user/self')).status).toBe(401)
  })

  it('lets one of ten that show it at once through', async () => {
    const world = await aWorld(selfUse)
    const ticket = await world.gateway.ticket()
    const replies = await Promise.all(Array.from({ length: 10 }, () => redeem(world, ticket?.secret)))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
  })

  it('is good for a minute', async () => {
    const clock = aClock(1_700_000_000_000)
    const world = await aWorld({ ...selfUse, clock })
    const [young, old] = [await world.gateway.ticket(), await world.gateway.ticket()]
    clock.advance(59_999)
    expect((await redeem(world, young?.secret)).success).toBe(true)
    clock.advance(1)
    expect(await redeem(world, old?.secret)).toMatchObject(refused)
  })

  it('is refused from another machine, from another site and when it was never issued, with the same message each time', async () => {
    const world = await aWorld(selfUse)
    const body = JSON.stringify({ ticket: (await world.gateway.ticket())?.secret })
    const show = (headers: Record<string, string>) =>
      ask(`${world.url}/api/user/ticket`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-language': 'en', ...headers },
        body,
      })
    expect((await show({ origin: 'https://elsewhere.example' })).status).toBe(403)
    const { status, json } = await show({ 'x-forwarded-for': '203.0.113.9' })
    expect({ status, ...json }).toEqual(refused)
    expect((await show({})).json, 'shown from elsewhere it is spent').toMatchObject({ success: false })
    for (const guess of [undefined, '', 'x'.repeat(43)]) expect(await redeem(world, guess)).toMatchObject(refused)
    // GET of this path reads a user by id, which requires a login.
    expect((await ask(`${world.url}/api/user/ticket?ticket=x`)).status).toBe(401)
  })

  it.each([
    'via',
    'forwarded',
    'x-real-ip',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
    'x-forwarded-prefix',
    'x-forwarded-server',
  ])('is refused where a proxy has left %s (docs/reference/security.md#forwarded-addresses)', async (sign) => {
    const body = { ticket: (await fixture.gateway.ticket())?.secret }
    // Even if the header names this machine or is empty.
    const { json } = await askJson(`${fixture.url}/api/user/ticket`, body, { headers: { [sign]: 'localhost' } })
    expect(json).toMatchObject({ success: false, message: refused.message })
    const again = { ticket: (await fixture.gateway.ticket())?.secret }
    const empty = await askJson(`${fixture.url}/api/user/ticket`, again, { headers: { [sign]: '' } })
    expect(empty.json).toMatchObject({ success: false, message: refused.message })
  })

  it('is not issued before the setup nor beyond self-use mode, and ends with it', async () => {
    expect(await (await aFreshGateway()).ticket()).toBeNull()
    const world = await aWorld()
    expect(await world.gateway.ticket()).toBeNull()
    await world.option('SelfUseModeEnabled', true)
    const ticket = await world.gateway.ticket()
    await world.option('SelfUseModeEnabled', false)
    expect(await redeem(world, ticket?.secret)).toMatchObject(refused)
  })

  it('is stored as a hash, sixteen at most', async () => {
    const world = await aWorld(selfUse)
    const { db, settings } = world.gateway.inner
    const tickets = createTickets({ db, settings, clock: world.clock })
    const issued = []
    for (let count = 0; count < 17; count += 1) issued.push(await tickets.issue())
    const show = (secret = '') => tickets.redeem({ secret, loopback: true })
    await expect(show(issued[0]?.secret)).rejects.toThrow('login.expired')
    await expect(show(sha256(issued[1]?.secret ?? ''))).rejects.toThrow('login.expired')
    expect((await show(issued[1]?.secret)).id).toBe(world.admin.id)
  })
})
