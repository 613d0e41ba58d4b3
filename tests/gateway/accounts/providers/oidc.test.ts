import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { aBrowser, type Browser } from './browser.ts'
import { aProvider } from './fake-provider.ts'

type Person = Readonly<{ preferred_username: string; name: string; email: string; email_verified?: boolean }>
const people: Record<string, Person> = {
  'sub-ann': {
    preferred_username: 'ann@corp.example',
    name: 'Ann A.',
    email: 'ann@corp.example',
    email_verified: true,
  },
  'sub-bob': { preferred_username: 'root', name: 'Bob', email: 'bob@corp.example' },
  'sub-kim-1': { preferred_username: 'kim', name: 'Kim', email: 'kim@corp.example', email_verified: true },
  'sub-kim-2': { preferred_username: 'kim', name: 'Kim', email: 'kim@corp.example', email_verified: true },
  'sub-eve': { preferred_username: 'eve', name: 'Eve', email: 'ann@corp.example', email_verified: false },
}

/** A whole OpenID provider on loopback, of a package of its own; who logs in is chosen by their subject. */
async function anIssuer(consoleUrl: string, pkce = true) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(url, {
    clients: [
      {
        client_id: 'switchyard',
        client_secret: 'a-client-secret-of-some-length',
        redirect_uris: [`${consoleUrl}/oauth/oidc`],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    findAccount: (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId, ...people[accountId] }) }),
    pkce: { required: () => pkce },
    cookies: { keys: ['a-key-for-cookies'] },
    features: { devInteractions: { enabled: true } },
  })
  server.on('request', provider.callback())
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return url
}

/** Goes through the provider's pages as a browser would, and ends where it sends the browser back to. */
async function logsInAt(authorize: URL, subject: string, back: string): Promise<URL> {
  const jar = new Map<string, string>()
  let at = authorize
  let form: URLSearchParams | undefined
  for (let step = 0; step < 12 && !at.href.startsWith(back); step += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(at, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie },
      ...(form && { body: form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const to = response.headers.get('location')
    form = undefined
    if (to) {
      at = new URL(to, at)
      continue
    }
    const page = await response.text()
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
    if (!action) throw new Error(`no form: ${page.slice(0, 300)}`)
    at = new URL(action, at)
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? ''
    form = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: subject, password: 'any' }) })
  }
  return at
}

async function aHouse(pkce = true) {
  const world = await aWorld()
  const issuer = await anIssuer(world.url, pkce)
  const wellKnown = `${issuer}/.well-known/openid-configuration`
  const found = dataOf(await world.admin.post('/api/option/oidc_discovery', { well_known: wellKnown }))
  await world.option('oidc.well_known', wellKnown)
  await world.option('oidc.client_id', 'switchyard')
  await world.option('oidc.client_secret', 'a-client-secret-of-some-length')
  await world.option('oidc.authorization_endpoint', found.authorization_endpoint)
  await world.option('oidc.token_endpoint', found.token_endpoint)
  await world.option('oidc.user_info_endpoint', found.user_info_endpoint)
  await world.option('oidc.enabled', true)
  return { world, issuer }
}

type Begun = Readonly<{ query?: string; nonce?: string; challenge?: string }>

/** As the console does it: a state, the provider's pages, and the callback with what came back. */
async function logsIn(
  world: World,
  browser: Browser,
  subject: string,
  { query = '&pkce=true', ...instead }: Begun = {},
) {
  const redirect = `${world.url}/oauth/oidc`
  const { data: state, body } = await browser.get(
    `/api/oauth/state?redirect_uri=${encodeURIComponent(redirect)}${query}`,
  )
  const status = dataOf(await browser.get('/api/status'))
  const authorize = new URL(status.oidc_authorization_endpoint)
  const challenge = instead.challenge ?? body.code_challenge
  authorize.search = new URLSearchParams({
    client_id: status.oidc_client_id,
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid profile email',
    state,
    ...(challenge && { code_challenge: challenge, code_challenge_method: 'S256' }),
    ...(body.nonce && { nonce: instead.nonce ?? body.nonce }),
  }).toString()
  const { search } = await logsInAt(authorize, subject, redirect)
  return browser.get(`/api/oauth/oidc${search}`)
}

const rowOf = ({ gateway }: World, id: number) =>
  gateway.inner.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The package says of itself that it is set up for tests. */
beforeEach(() => {
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => undefined)
})

describe('a login by OpenID Connect (docs/reference/accounts.md#sign-in-by-others)', () => {
  it('makes an account with the name and the verified address of the provider, and finds it again', async () => {
    const { world } = await aHouse()
    const first = dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann'))
    expect(first).toMatchObject({ username: 'ann', display_name: 'Ann A.', role: 1 })
    expect(await rowOf(world, first.id)).toMatchObject({ oidc_id: 'sub-ann', email: 'ann@corp.example', password: '' })
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann')).id).toBe(first.id)
  })

  it('takes no name that is taken, and keeps no address that was not verified', async () => {
    const { world } = await aHouse()
    const { id, username } = dataOf(await logsIn(world, aBrowser(world.url), 'sub-bob'))
    expect(username).toBe(`oidc_${id}`)
    expect((await rowOf(world, id)).email).toBe('')
    const unverified = await logsIn(world, aBrowser(world.url), 'sub-eve')
    expect(unverified.message).toBe('OIDC did not return valid account information')
  })

  it('lets in two of one name who come at once, each by an account of their own', async () => {
    const { world } = await aHouse()
    const both = await Promise.all(
      ['sub-kim-1', 'sub-kim-2'].map((subject) => logsIn(world, aBrowser(world.url), subject)),
    )
    const names = both.map((reply) => dataOf(reply).username)
    expect(new Set(names).size).toBe(2)
    expect(names).toContain('kim')
  })

  it('binds whoever is logged in', async () => {
    const { world } = await aHouse()
    const person = await world.user()
    const browser = aBrowser(world.url)
    await browser.logIn(person.username, 'a-long-password')
    expect(await logsIn(world, browser, 'sub-ann')).toMatchObject({ success: true, message: 'bind' })
    expect((await rowOf(world, person.id)).oidc_id).toBe('sub-ann')
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann')).id).toBe(person.id)
  })

  it('proves that who came back is who began: by its challenge and its nonce', async () => {
    const { world } = await aHouse()
    const bad = 'OIDC did not return valid account information'
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    expect((await logsIn(world, aBrowser(world.url), 'sub-ann', { challenge })).message).toBe(bad)
    expect((await logsIn(world, aBrowser(world.url), 'sub-ann', { nonce: 'another' })).message).toBe(bad)
  })

  it('goes on without both for clients that know neither', async () => {
    const { world } = await aHouse(false)
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann', { query: '' }))).toMatchObject({
      username: 'ann',
    })
  })

  it('without a Well-Known URL counts what the provider tells for the token', async () => {
    const { world } = await aHouse()
    await world.option('oidc.well_known', '')
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann'))).toMatchObject({ username: 'ann' })
  })

  it('says that a provider cannot be reached, and tells nobody where it is', async () => {
    const { world } = await aHouse()
    const silent = await aProvider({})
    const sendsTo = async (endpoint: string) => {
      const changes = [
        { key: 'oidc.token_endpoint', value: endpoint },
        { key: 'oidc.client_secret', value: 'entered-again' },
      ]
      dataOf(await world.admin.put('/api/option/batch', { changes }))
    }
    await sendsTo('http://127.0.0.1:1/token')
    expect((await logsIn(world, aBrowser(world.url), 'sub-ann')).message).toBe('Could not reach OIDC. Try again later.')
    await sendsTo(`${silent.url}/token`)
    const reply = await logsIn(world, aBrowser(world.url), 'sub-ann')
    expect(reply.message).toBe('OIDC did not return valid account information')
    expect(JSON.stringify(reply.body)).not.toContain('127.0.0.1')
  })
})
