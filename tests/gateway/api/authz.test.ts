import { beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../../gateway/base/ids.ts'
import type { ApiCall } from '../../../shared/api/call.ts'
import { model } from '../../../shared/api/model.ts'
import { option } from '../../../shared/api/option.ts'
import { setup } from '../../../shared/api/setup.ts'
import { status } from '../../../shared/api/status.ts'
import { user } from '../../../shared/api/user.ts'
import { userAdmin } from '../../../shared/api/user-admin.ts'
import { aWorld, type World } from '../../support/world.ts'
import { ask } from './raw.ts'

const calls: ApiCall[] = [model, option, setup, status, user, userAdmin].flatMap((area) => Object.values(area))
/** Calls whose success would change what the other cases need. */
const changing = [
  ...['POST /api/user/login', 'GET /api/user/logout', 'POST /api/setup'],
  // Decided by the order of roles, which user-admin.test.ts covers.
  ...['POST /api/user', 'PUT /api/user', 'POST /api/user/manage', 'DELETE /api/user/:id'],
]
const minRole = { public: 0, visitor: 0, user: 1, admin: 10, operator: 10, root: 100 }
const change = '{"key":"TopUpLink","value":"https://x.example"}'
const bodies: Record<string, string> = {
  PUT: change,
  POST: '{}',
  '/api/option/batch': `{"changes":[${change}]}`,
  '/api/user/batch': '{"ids":[999999],"action":"enable"}',
  '/api/option/reset': '{"key":"TopUpLink"}',
}

describe('permission for each call (docs/reference/accounts.md#authorization)', () => {
  let world: World
  const people: Record<string, { role: number; headers: Record<string, string> }> = {}
  const tokenOf = async (id: number) => {
    const token = `access-token-of-${id}`
    await world.gateway.inner.db
      .updateTable('users')
      .set({ access_token_hash: sha256(token) })
      .where('id', '=', id)
      .execute()
    return token
  }
  let somebody = 0
  beforeAll(async () => {
    world = await aWorld()
    somebody = (await world.user()).id
    for (const [name, role] of Object.entries({ user: 1, admin: 10, root: 100 })) {
      const person = role === 100 ? world.admin : await world.user({ role })
      const headers = person.identity()
      people[name] = { role, headers }
      const authorization = await tokenOf(person.id)
      people[`${name} by access token`] = { role, headers: { authorization, 'User-Id': String(person.id) } }
      people[`${name} by bearer`] = {
        role,
        headers: { authorization: `Bearer ${authorization}`, 'New-Api-User': String(person.id) },
      }
    }
  })
  const askAs = (headers: Record<string, string>, { method, path }: { method: string; path: string }) => {
    const body = bodies[path] ?? bodies[method]
    const all = body ? { ...headers, 'content-type': 'application/json' } : headers
    return ask(world.url + path.replace(':id', String(somebody)), { method, headers: all, ...(body ? { body } : {}) })
  }

  it.each(calls.filter(({ access }) => minRole[access] > 0))(
    '$method $path is closed to anonymous callers',
    async (call) => {
      const { status: code, json } = await askAs({}, call)
      expect({ code, json }).toEqual({
        code: 401,
        json: { success: false, message: 'Not logged in, and no access token was sent' },
      })
    },
  )

  it.each(calls.filter(({ method, path }) => !changing.includes(`${method} ${path}`)))(
    '$method $path answers exactly the roles it names',
    async (call) => {
      for (const [name, { role, headers }] of Object.entries(people)) {
        const { status: code, json } = await askAs(headers, call)
        expect(code, name).toBe(200)
        if (role >= minRole[call.access]) expect(json.success, `${name}: ${json.message}`).toBe(true)
        else expect(json, name).toEqual({ success: false, message: 'You do not have permission to do this' })
      }
    },
  )

  it('distinguishes three faults of the user-id header, each with 401', async () => {
    const { headers } = people.user!
    const { cookie } = headers as { cookie: string }
    const self = `${world.url}/api/user/self`
    const missing = await ask(self, { headers: { cookie } })
    expect([missing.status, missing.json.message]).toEqual([401, 'The New-Api-User header is missing'])
    const unreadable = await ask(self, { headers: { cookie, 'new-api-user': '1e0' } })
    expect([unreadable.status, unreadable.json.message]).toEqual([401, 'The New-Api-User header must be a number'])
    const other = await ask(self, { headers: { cookie, 'new-api-user': String(world.admin.id) } })
    expect([other.status, other.json.message]).toEqual([
      401,
      'The New-Api-User header does not match the logged-in user',
    ])
    expect((await ask(self, { headers: { cookie, 'NEW-API-USER': headers['new-api-user']! } })).json.success).toBe(true)
    expect((await ask(self, { headers: { cookie, 'User-Id': headers['new-api-user']! } })).json.success).toBe(true)
  })

  it('refuses an access token that is not valid with 401, and a session before it', async () => {
    const self = `${world.url}/api/user/self`
    const wrong = await ask(self, { headers: { authorization: 'Bearer nonsense', 'new-api-user': '1' } })
    expect([wrong.status, wrong.json.message]).toEqual([401, 'The access token is not valid'])
    const both = await ask(self, { headers: { ...people.user!.headers, authorization: 'nonsense' } })
    expect(both.json.success).toBe(true)
    const staleCookie = { cookie: `session=${'x'.repeat(43)}` }
    expect((await ask(self, { headers: { ...people['user by bearer']!.headers, ...staleCookie } })).json.success).toBe(
      true,
    )
  })

  it('never answers a password hash or an access token', async () => {
    const { text } = await ask(`${world.url}/api/user/self`, { headers: people.root!.headers })
    expect(text).not.toMatch(/argon2|access_token|access-token/)
    expect(JSON.parse(text).data).toMatchObject({ password: '', DeletedAt: null, aff_history_quota: 0 })
  })

  it('admits a visitor where that helps, distinguishes one who is signed in, and never refuses', async () => {
    await world.option('GroupRatio', { default: 1, vip: 0.5, secret: 2 })
    await world.option('UserUsableGroups', { default: 'everybody', auto: 'automatic' })
    await world.option('GroupGroupRatio', { secret: { default: 0.7 } })
    const insider = await world.user({ group: 'secret' })
    const groups = async (headers: Record<string, string>) =>
      (await ask(`${world.url}/api/user/groups`, { headers })).json.data
    const all = { default: { desc: 'everybody', ratio: 1 }, auto: { desc: 'automatic', ratio: 'auto' } }
    expect(await groups({})).toEqual(all)
    expect(await groups({ cookie: insider.identity().cookie! })).toEqual({
      ...all,
      default: { desc: 'everybody', ratio: 0.7 },
      secret: { desc: 'User group', ratio: 2 },
    })
    expect(await groups({ cookie: 'session=nonsense', authorization: 'nonsense' })).toEqual(all)
    expect((await insider.get('/api/user/self/groups')).data).toHaveProperty('secret')
    expect((await world.admin.get('/api/group')).data).toEqual(['default', 'secret', 'vip'])
  })

  it('answers the models of the usable groups, each once and sorted', async () => {
    await world.channel({ models: 'b-model,a-model', group: 'default' })
    await world.channel({ models: 'a-model,hidden', group: 'nobody' })
    const someone = await world.user({ group: 'default' })
    expect((await someone.get('/api/user/models')).data).toEqual(['a-model', 'b-model'])
    expect((await someone.get('/api/models')).data['1']).toContain('gpt-4o')
  })
})
