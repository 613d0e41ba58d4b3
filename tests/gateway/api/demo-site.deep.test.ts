import { beforeAll, describe, expect, it } from 'vitest'
import { areas } from '../../../gateway/api/openapi/areas.ts'
import type { ApiCall } from '../../../shared/api/call.ts'
import { chatAnswer } from '../../support/chat.ts'
import { aClient } from '../../support/client.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../support/world.ts'

const calls: ApiCall[] = areas.flatMap(({ groups }) => Object.values(groups).flatMap((group) => Object.values(group)))
const named = ({ method, path }: ApiCall) => `${method} ${path}`

/** Calls other than GET that change nothing, or log a user in. */
const open = [
  'POST /api/setup',
  'POST /api/user/login',
  'POST /api/user/login/2fa',
  'POST /api/user/passkey/login/begin',
  'POST /api/user/passkey/login/finish',
  'POST /api/invitation/look',
  'POST /api/user/ticket',
  'POST /api/user/handover/grant',
  'POST /api/user/handover',
  'POST /api/user/handover/cancel',
  'POST /api/user/amount',
  'POST /api/channel/activity',
  'POST /api/channel/prices',
  'POST /api/channel/explain',
  'POST /api/pricing/estimate',
  'POST /api/data/self/tokens',
]
/** GET calls that change something, or query a vendor with a stored key. */
const closed = [
  'GET /api/channel/test/:id',
  'GET /api/channel/test',
  'GET /api/channel/update_balance/:id',
  'GET /api/channel/update_balance',
  'GET /api/channel/fetch_models/:id',
  'GET /api/user/token',
  'GET /api/verification',
  'GET /api/reset_password',
  'GET /api/oauth/email/bind',
  'GET /api/oauth/wechat/bind',
  'GET /api/oauth/telegram/bind',
  'GET /api/bodies/:request_id',
]
const isClosed = (call: ApiCall) =>
  closed.includes(named(call)) || (call.method !== 'GET' && !open.includes(named(call)))
/** Left out: a call that waits, and one that ends the session. */
const left = ['GET /api/first-call', 'GET /api/user/logout']
const minRole = { public: 0, visitor: 0, user: 1, admin: 10, operator: 10, root: 100 }
const message = 'This site is for demonstration only, no server!'

describe('a site for demonstration (docs/reference/api.md#demo-sites)', () => {
  let world: World
  const people: { role: number; who: Pick<Person, 'send'> }[] = []
  beforeAll(async () => {
    world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
    await world.channel()
    people.push({ role: 0, who: world.visitor })
    for (const role of [1, 10]) people.push({ role, who: await world.user({ role }) })
    const [, , admin] = people
    for (const value of [true, 'true']) {
      const turnedOn = await admin?.who.send('PUT', '/api/option', { key: 'DemoSiteEnabled', value })
      expect(turnedOn?.message, 'who could not turn it off does not turn it on').toMatch(
        /^Only the super administrator/,
      )
    }
    await world.option('DemoSiteEnabled', true)
  })
  const asked = (call: ApiCall, who: Pick<Person, 'send'>) =>
    who.send(call.method, call.path.replace(/:\w+/g, '999'), call.method === 'GET' ? undefined : {})

  it.each(calls.filter((call) => isClosed(call)).map((call) => [named(call), call] as const))(
    '%s is only for root',
    async (_, call) => {
      for (const { role, who } of people) {
        const reply = await asked(call, who)
        if (role >= minRole[call.access])
          expect(reply, String(role)).toMatchObject({ status: 405, success: false, message })
        else expect(reply.status, String(role)).toBe(role === 0 ? 401 : 200)
      }
    },
  )

  it.each(
    calls.filter((call) => !isClosed(call) && !left.includes(named(call))).map((call) => [named(call), call] as const),
  )('%s is answered as ever', async (_, call) => {
    for (const { who } of people) expect((await asked(call, who)).status).not.toBe(405)
  })

  it('lets root change anything', async () => {
    expect((await world.admin.put('/api/option', { key: 'TopUpLink', value: 'https://x.example' })).success).toBe(true)
    // The caller of registration or password recovery is unknown, so root's exception does not apply.
    const known = calls.filter((one) => isClosed(one) && one.method !== 'DELETE' && one.access !== 'public')
    for (const call of known) expect((await asked(call, world.admin)).status, named(call)).not.toBe(405)
  })

  it('signs in and out, relays, and refuses in the language of the caller', async () => {
    const alice = await world.user({ quota: 1_000_000 }).catch(() => undefined)
    expect(alice, 'the seat is made by root').toBeDefined()
    const fields = { username: alice?.username, password: PASSWORD }
    expect((await world.visitor.post('/api/user/login', fields)).success).toBe(true)
    const chinese = aClient(world.url, { ...alice?.identity(), 'accept-language': 'zh-CN' })
    const refused = await chinese.post('/api/token', {})
    expect([refused.status, refused.message]).toEqual([405, '本站仅供演示，没有后端服务！'])
    expect(refused.headers.get('allow')).toBe('')
    expect((await alice?.get('/api/user/logout'))?.success).toBe(true)
  })

  it('relays, with a token from before', async () => {
    await world.option('DemoSiteEnabled', false)
    const bob = await world.user({ quota: 1_000_000 })
    await bob.key()
    await world.option('DemoSiteEnabled', true)
    world.upstream.answers({ body: chatAnswer('hello', { prompt: 1, completion: 1 }) })
    expect((await bob.asks('gpt-4o', 'hi')).status).toBe(200)
  })
})
