import { beforeAll, describe, expect, it } from 'vitest'
import { areas } from '../../../gateway/api/openapi/areas.ts'
import { sha256 } from '../../../gateway/base/ids.ts'
import type { ApiCall } from '../../../shared/api/call.ts'
import { role, userStatus } from '../../../shared/enums.ts'
import { withAuthenticator } from '../../support/authenticator.ts'
import { dataOf } from '../../support/client.ts'
import { isGate } from '../../support/speed.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../support/world.ts'
import { ask, type RawReply } from './raw.ts'

const calls: ApiCall[] = areas.flatMap(({ groups }) => Object.values(groups).flatMap((group) => Object.values(group)))
const named = ({ method, path }: ApiCall) => `${method} ${path}`
const minRole = { public: 0, visitor: 0, user: 1, admin: 10, operator: 10, root: 100 }
const NOBODY = '999999999'
const SECRET = 'a-canary-of-a-channel-key'

/**
 * Not tried: calls that end the session or the access token that other cases need, or that wait for a quarter of an
 * hour.
 */
const notTried = [
  'GET /api/first-call',
  'GET /api/user/logout',
  'GET /api/user/token',
  'DELETE /api/user/self',
  'DELETE /api/user/self/sessions',
]

type Who = Readonly<{ role: number; headers: Record<string, string> }>

/** Calls allowed to an account that still lacks a required second factor: setting it up and logging out. */
const beforeFactors = [
  'GET /api/user/self',
  'GET /api/user/2fa/status',
  'POST /api/user/2fa/setup',
  'POST /api/user/2fa/enable',
  'GET /api/user/self/sessions',
  'DELETE /api/user/self/sessions/:id',
  'DELETE /api/user/self/sessions',
  'GET /api/user/self/sign_ins',
]

let world: World
let victim: Person
const people: Record<string, Who> = {}
/** Accounts all of whose calls are refused, with the expected response. */
const closed: Record<string, Who & { status: number; message: string }> = {}
const seen: string[] = []

beforeAll(async () => {
  world = await aWorld()
  const { db } = world.gateway.inner
  await world.channel({ key: SECRET })
  await world.option('SMTPToken', SECRET)
  victim = await world.user()
  await world.token(victim)
  for (const [name, rank] of Object.entries({ user: role.user, administrator: role.admin })) {
    const person = await world.user({ role: rank })
    people[name] = { role: rank, headers: person.identity() }
    const token = `access-token-of-${name}`
    await db
      .updateTable('users')
      .set({ access_token_hash: sha256(token) })
      .where('id', '=', person.id)
      .execute()
    const headers = { authorization: `Bearer ${token}`, 'new-api-user': String(person.id) }
    people[`${name} by access token`] = { role: rank, headers }
  }
  people.root = { role: role.root, headers: world.admin.identity() }
  const bySql = async (name: string, status: number, message: string, change: (person: Person) => Promise<unknown>) => {
    const person = await world.user({ role: role.admin })
    await change(person)
    closed[name] = { role: role.admin, headers: person.identity(), status, message }
  }
  const users = db.updateTable('users')
  const set = (fields: object) => (person: Person) => users.set(fields).where('id', '=', person.id).execute()
  await bySql('a banned administrator', 200, 'This account has been banned', set({ status: userStatus.banned }))
  await bySql('one of an unknown status', 200, 'This account has been banned', set({ status: 3 }))
  await bySql('a deactivated one', 401, 'This account has been deactivated', set({ deleted_at: 1 }))
  await bySql('one whose session has expired', 401, 'Not logged in, and no access token was sent', (person) =>
    db.updateTable('sessions').set({ expires_at: 1 }).where('user_id', '=', person.id).execute(),
  )
  const byToken = async (name: string, status: number, message: string, fields: object) => {
    const person = await world.user({ role: role.admin })
    const authorization = dataOf(await person.get('/api/user/token'))
    const headers = { authorization, 'new-api-user': String(person.id) }
    expect((await ask(`${world.url}/api/user/self`, { headers })).json?.success).toBe(true)
    await set(fields)(person)
    closed[`${name}, by access token`] = { role: role.admin, headers, status, message }
  }
  await byToken('a banned administrator', 200, 'This account has been banned', { status: userStatus.banned })
  await byToken('a deactivated one', 401, 'The access token is not valid', { deleted_at: 1 })
  await byToken('one whose token was replaced', 401, 'The access token is not valid', { access_token_hash: null })
})

async function asks(headers: Record<string, string>, call: ApiCall, id = NOBODY, at = world): Promise<RawReply> {
  const body = ['POST', 'PUT'].includes(call.method) ? '{}' : undefined
  const all = body ? { ...headers, 'content-type': 'application/json' } : headers
  const path = call.path.replace(/:\w+/g, id)
  const reply = await ask(at.url + path, { method: call.method, headers: all, ...(body ? { body } : {}) })
  seen.push(reply.text)
  return reply
}

/** Ids of objects that belong to a user, by the start of their paths. */
async function belongingsOf(owner: Person): Promise<Record<string, string>> {
  const { db } = world.gateway.inner
  const user_id = owner.id
  const of = { user_id, created_at: 1 }
  const token = await db.selectFrom('tokens').select('id').where('user_id', '=', user_id).executeTakeFirstOrThrow()
  const session = await db
    .selectFrom('sessions')
    .select('id_hash')
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  const key = { credential_id: 'c', user_handle: 'h', name: 'a passkey', public_key: 'k', rp_id: 'localhost' }
  const passkey = await db
    .insertInto('passkeys')
    .values({ ...of, ...key, last_used_at: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('top_ups').values({ user_id, amount: 1, trade_no: 'order-1', create_time: 1 }).execute()
  const states = { request_state: 'whole', answer_state: 'whole' } as const
  const call = { request_id: 'request-1', model: 'gpt-4o', path: '/v1', status: 200, duration_ms: 1, bytes: 1 }
  await db
    .insertInto('kept_bodies')
    .values({ ...of, ...call, ...states })
    .execute()
  return {
    '/api/token': String(token.id),
    '/api/user/self/sessions': session.id_hash.slice(0, 16),
    '/api/user/passkey': String(passkey.id),
    '/api/user/topup/self': 'order-1',
    '/api/bodies': 'request-1',
  }
}

async function belongingsLeft(tokenId: number) {
  const { db } = world.gateway.inner
  const count = async (table: 'passkeys' | 'kept_bodies') =>
    (await db.selectFrom(table).select('user_id').where('user_id', '=', victim.id).execute()).length
  const token = await db
    .selectFrom('tokens')
    .select(['name', 'status', 'deleted_at'])
    .where('id', '=', tokenId)
    .executeTakeFirstOrThrow()
  return { ...token, passkeys: await count('passkeys'), bodies: await count('kept_bodies') }
}

/** All items in the full run; in the gate one per call, in rotation. */
const inTurn = <T>(all: readonly T[], call: ApiCall): readonly T[] =>
  isGate ? all.filter((_, index) => index === calls.indexOf(call) % all.length) : all

const FORBIDDEN = 'You do not have permission to do this'

describe('every call of the route table (docs/reference/accounts.md#authorization)', () => {
  it.each(calls.map((call) => [named(call), call] as const))('%s answers the roles it names', async (_, call) => {
    const min = minRole[call.access]
    const anonymous = min > 0 || !notTried.includes(named(call)) ? await asks({}, call) : undefined
    if (min > 0) expect(anonymous?.status).toBe(401)
    else if (anonymous) expect(anonymous.status, anonymous.text).not.toBe(401)
    for (const [name, { role: own, headers }] of Object.entries(people)) {
      if (own >= min && notTried.includes(named(call))) continue
      const { status, json, text } = await asks(headers, call)
      if (own < min)
        expect({ status, json }, name).toEqual({ status: 200, json: { success: false, message: FORBIDDEN } })
      else expect([status, json?.message], `${name}: ${text}`).not.toEqual([200, FORBIDDEN])
      expect(status, `${name}: ${text}`).not.toBe(500)
    }
    if (min === 0) return
    for (const [name, { headers, status, message }] of inTurn(Object.entries(closed), call)) {
      const reply = await asks(headers, call)
      expect([reply.status, reply.json], name).toEqual([status, { success: false, message }])
    }
  })

  describe('to an account that must have a second factor (docs/reference/accounts.md#two-factors-required)', () => {
    let strict: World
    const without: Record<string, Who> = {}
    beforeAll(async () => {
      strict = await aWorld()
      await withAuthenticator(strict.admin, PASSWORD, strict.clock)
      for (const [name, rank] of Object.entries({ user: role.user, administrator: role.admin })) {
        const person = await strict.user({ role: rank })
        without[name] = { role: rank, headers: person.identity() }
        const authorization = dataOf(await person.get('/api/user/token'))
        const headers = { authorization, 'new-api-user': String(person.id) }
        without[`${name} by access token`] = { role: rank, headers }
      }
      await strict.option('TwoFactorRequiredRole', 'everybody')
    })

    it.each(calls.map((call) => [named(call), call] as const))('%s is closed until there is one', async (_, call) => {
      const isOpen = call.access === 'public' || beforeFactors.includes(named(call))
      if (isOpen && notTried.includes(named(call))) return
      for (const [name, { role: own, headers }] of inTurn(Object.entries(without), call)) {
        if (own < minRole[call.access]) continue
        const { json, text } = await asks(headers, call, NOBODY, strict)
        expect(json?.code === 'two_factors_required', `${name}: ${text}`).toBe(!isOpen)
      }
    })
  })

  it('answers for objects of another account as for objects that do not exist', async () => {
    await world.option('KeepBodiesViewers', 'owner')
    const theirs = await belongingsOf(victim)
    const own = calls.filter(({ access, path }) => access === 'user' && /:(id|trade_no|request_id)/.test(path))
    const headers = people.user?.headers ?? {}
    const met = new Set<string>()
    for (const call of own) {
      const [place, id] = Object.entries(theirs).find(([prefix]) => call.path.startsWith(prefix)) ?? []
      if (place === undefined || id === undefined) throw new Error(`nothing of the kind of ${named(call)} to ask for`)
      met.add(place)
      const [there, nowhere] = [await asks(headers, call, id), await asks(headers, call)]
      expect([there.status, there.json], named(call)).toEqual([nowhere.status, nowhere.json])
    }
    expect([...met].sort()).toEqual(Object.keys(theirs).sort())
    // Ids in a request body.
    const token = Number(theirs['/api/token'])
    const send = async (method: string, path: string, fields: (id: number) => object) => {
      const replies: unknown[] = []
      for (const id of [token, Number(NOBODY)]) {
        const body = JSON.stringify(fields(id))
        const { status, json } = await ask(world.url + path, {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        })
        replies.push({ status, json })
      }
      expect(replies[0], path).toEqual(replies[1])
    }
    await send('PUT', '/api/token', (id) => ({ id, name: 'taken over' }))
    await send('PUT', '/api/token?status_only=true', (id) => ({ id, status: 2 }))
    await send('POST', '/api/data/self/tokens', (id) => ({ ids: [id] }))
    expect(await belongingsLeft(token)).toEqual({
      name: 'a token',
      status: 1,
      deleted_at: null,
      passkeys: 1,
      bodies: 1,
    })
    expect((await victim.get('/api/user/self')).status).toBe(200)
  })

  it('has answered no secret: no hash of a password, nothing sealed, no key of a channel, no session', async () => {
    const { db } = world.gateway.inner
    const sessions = await db.selectFrom('sessions').select('id_hash').execute()
    const all = seen.join('\n')
    expect(seen.length).toBeGreaterThan(calls.length * (isGate ? 4 : 5))
    expect(all).not.toMatch(/argon2|\$2[aby]\$|"v1\.[\w.-]{20}/)
    expect(all).not.toContain(SECRET)
    for (const { id_hash } of sessions) expect(all).not.toContain(id_hash)
  })
})

describe('a key (docs/reference/errors.md#refusals)', () => {
  it('of an account that is disabled, deactivated or removed opens nothing of the relay', async () => {
    await world.option('SelfUseModeEnabled', true)
    const closings: readonly (readonly [number, (id: number) => Promise<unknown>])[] = [
      [403, (id) => world.admin.post('/api/user/manage', { id, action: 'disable' })],
      [401, (id) => world.admin.post('/api/user/manage', { id, action: 'delete' })],
      [401, (id) => world.admin.delete(`/api/user/${id}`)],
    ]
    for (const [status, close] of closings) {
      const person = await world.user({ quota: 1_000_000 })
      const key = await person.key()
      const headers = { authorization: `Bearer sk-${key}` }
      expect((await ask(`${world.url}/v1/models`, { headers })).status).toBe(200)
      await close(person.id)
      for (const path of ['/v1/models', '/v1/responses/resp_1', '/dashboard/billing/subscription'])
        expect((await ask(world.url + path, { headers })).status, path).toBe(status)
      expect((await person.asks('gpt-4o', 'hello')).status).toBe(status)
    }
  })
})
