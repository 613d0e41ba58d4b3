import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Provider from 'oidc-provider'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLogger } from '../../../../gateway/base/log/logger.ts'
import { dataOf } from '../../../support/client.ts'
import { aWorld, type Wanted, type World } from '../../../support/world.ts'
import { aBrowser, type Browser } from './browser.ts'
import { aProvider } from './fake-provider.ts'

type Person = Readonly<{ preferred_username: string; name: string; email?: string; email_verified?: boolean }>
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
  'sub-mix': { preferred_username: 'mix', name: 'Mix', email: 'mix@corp.example', email_verified: true },
  'sub-lee': { preferred_username: 'lee', name: 'Lee' },
  'sub-eve': { preferred_username: 'eve', name: 'Eve', email: 'ann@corp.example', email_verified: false },
}

/** Additional UserInfo claims by subject, for a provider that has all claims in the ID token. */
const quiet: Record<string, object> = { 'sub-mix': { email: 'other@corp.example' } }

type Issuer = Readonly<{
  pkce?: boolean
  /** How the provider accepts the client's secret, according to its metadata. */
  method?: 'client_secret_basic' | 'client_secret_post'
  /** Whether all claims are in the ID token, and UserInfo returns only `sub` and the claims of `quiet`. */
  isQuiet?: boolean
  /** Whether UserInfo is a signed JWT. */
  signsUserInfo?: boolean
  /** The path whose responses have a wrong signature. */
  forges?: '/token' | '/me'
}>

/** A complete OpenID provider on loopback, from a separate package; the subject determines who logs in. */
async function anIssuer(
  consoleUrl: string,
  { pkce = true, method = 'client_secret_post', isQuiet = false, signsUserInfo = false, forges }: Issuer,
) {
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
        token_endpoint_auth_method: method,
        ...(signsUserInfo && { userinfo_signed_response_alg: 'RS256' }),
      },
    ],
    clientAuthMethods: [method],
    conformIdTokenClaims: !isQuiet,
    claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    findAccount: (_, accountId) => ({
      accountId,
      claims: async (use) => ({ sub: accountId, ...(isQuiet && use === 'userinfo' ? quiet : people)[accountId] }),
    }),
    pkce: { required: () => pkce },
    cookies: { keys: ['a-key-for-cookies'] },
    features: { devInteractions: { enabled: true }, jwtUserinfo: { enabled: signsUserInfo } },
  })
  const answer = provider.callback()
  server.on('request', (request, response) => {
    if (request.url === forges) void forged(request, response, `${url}${forges}?real`)
    else void answer(request, response)
  })
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return url
}

/** Proxies the provider and reverses the JWT signatures in its responses. */
async function forged(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
  const { method = 'GET', headers } = request
  const { authorization = '', 'content-type': type = '' } = headers
  const body = method === 'POST' ? await text(request) : null
  const real = await fetch(address, { method, headers: { authorization, 'content-type': type }, body })
  const said = (await real.text()).replace(
    /(eyJ[\w-]+\.[\w-]+\.)([\w-]+)/g,
    (_, signed: string, signature: string) => signed + [...signature].reverse().join(''),
  )
  response.writeHead(real.status, { 'content-type': real.headers.get('content-type') ?? '' }).end(said)
}

/** Goes through the provider's pages as a browser would; returns the address to which it is redirected back. */
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

async function aHouse({ log, ...wanted }: Issuer & Pick<Wanted, 'log'> = {}) {
  const world = await aWorld(log && { log })
  const issuer = await anIssuer(world.url, wanted)
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

/** A log target that collects lines. */
function aTarget() {
  const written: string[] = []
  return { written, target: { write: (line: string) => void written.push(line) } }
}

/** Logs in as the console does: with a state, the provider's pages, and the callback with their result. */
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

/** Suppresses the package's warning that it is configured for tests. */
beforeEach(() => {
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => undefined)
})

describe('a login by OpenID Connect (docs/reference/accounts.md#login-providers)', () => {
  it('makes an account with the name and the verified address of the provider, and finds it again', async () => {
    const { world } = await aHouse()
    const first = dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann'))
    expect(first).toMatchObject({ username: 'ann', display_name: 'Ann A.', role: 1 })
    expect(await rowOf(world, first.id)).toMatchObject({ oidc_id: 'sub-ann', email: 'ann@corp.example', password: '' })
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann')).id).toBe(first.id)
  })

  it('uses no username that is taken, and stores no address that was not verified', async () => {
    const { world } = await aHouse()
    const { id, username } = dataOf(await logsIn(world, aBrowser(world.url), 'sub-bob'))
    expect(username).toBe(`oidc_${id}`)
    expect((await rowOf(world, id)).email).toBe('')
    const unverified = await logsIn(world, aBrowser(world.url), 'sub-eve')
    expect(unverified.message).toContain('OIDC has not verified your email address')
  })

  it('creates separate accounts for two people of the same name who log in at once', async () => {
    const { world } = await aHouse()
    const both = await Promise.all(
      ['sub-kim-1', 'sub-kim-2'].map((subject) => logsIn(world, aBrowser(world.url), subject)),
    )
    const names = both.map((reply) => dataOf(reply).username)
    expect(new Set(names).size).toBe(2)
    expect(names).toContain('kim')
  })

  it('binds the user who is logged in', async () => {
    const { world } = await aHouse()
    const person = await world.user()
    const browser = aBrowser(world.url)
    await browser.logIn(person.username, 'a-long-password')
    expect(await logsIn(world, browser, 'sub-ann')).toMatchObject({ success: true, message: 'bind' })
    expect((await rowOf(world, person.id)).oidc_id).toBe('sub-ann')
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann')).id).toBe(person.id)
  })

  it('verifies that the same browser returns: by its challenge and its nonce', async () => {
    const { world } = await aHouse()
    const bad = 'OIDC did not return valid account information'
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    expect((await logsIn(world, aBrowser(world.url), 'sub-ann', { challenge })).message).toBe(bad)
    expect((await logsIn(world, aBrowser(world.url), 'sub-ann', { nonce: 'another' })).message).toBe(bad)
  })

  it('continues without both for clients that know neither', async () => {
    const { world } = await aHouse({ pkce: false })
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann', { query: '' }))).toMatchObject({
      username: 'ann',
    })
  })

  it('without a Well-Known URL accepts the user data that the provider returns for the token', async () => {
    const { world } = await aHouse()
    await world.option('oidc.well_known', '')
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann'))).toMatchObject({ username: 'ann' })
  })

  it('sends the secret as the provider takes it, in the header where it offers no form', async () => {
    const { world } = await aHouse({ method: 'client_secret_basic' })
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann'))).toMatchObject({ username: 'ann' })
  })

  it('reports a secret that the provider rejects, and logs the provider’s error', async () => {
    const { target, written } = aTarget()
    const { world } = await aHouse({ log: createLogger('warn', { target }) })
    await world.option('oidc.client_secret', 'a-secret-of-yesterday')
    const { message } = await logsIn(world, aBrowser(world.url), 'sub-ann')
    expect(message).toContain('OIDC does not accept the client ID or secret')
    expect(message).not.toContain('invalid_client')
    const line = written.find((one) => one.includes('a login at a provider has failed')) ?? '{}'
    expect(JSON.parse(line).error).toMatchObject({
      code: 'OAUTH_RESPONSE_BODY_ERROR',
      error: 'invalid_client',
      error_description: 'client authentication failed',
    })
    expect(line).not.toContain('a-secret-of-yesterday')
  })

  it('takes from the signed ID token the claims that UserInfo lacks', async () => {
    const { world } = await aHouse({ isQuiet: true })
    const { id, ...ann } = dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann'))
    expect(ann).toMatchObject({ username: 'ann', display_name: 'Ann A.' })
    expect((await rowOf(world, id)).email).toBe('ann@corp.example')
    const unverified = await logsIn(world, aBrowser(world.url), 'sub-eve')
    expect(unverified.message).toContain('OIDC has not verified your email address')
    // The ID token's `email_verified` does not apply to UserInfo's address.
    const mix = dataOf(await logsIn(world, aBrowser(world.url), 'sub-mix'))
    expect(await rowOf(world, mix.id)).toMatchObject({ username: 'mix', email: '' })
  })

  it('has in the log why UserInfo was refused', async () => {
    const { target, written } = aTarget()
    const { world } = await aHouse({ log: createLogger('warn', { target }) })
    const server = createServer((_, response) => {
      const challenge = 'Bearer error="insufficient_scope", error_description="no profile for you"'
      response.writeHead(403, { 'www-authenticate': challenge }).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
    const { port } = server.address() as AddressInfo
    const changes = [
      { key: 'oidc.user_info_endpoint', value: `http://127.0.0.1:${port}/me` },
      { key: 'oidc.client_secret', value: 'a-client-secret-of-some-length' },
    ]
    dataOf(await world.admin.put('/api/option/batch', { changes }))
    const { message } = await logsIn(world, aBrowser(world.url), 'sub-ann')
    expect(message).toBe('OIDC did not return valid account information')
    expect(written.join('')).toMatch(/insufficient_scope.*no profile for you/)
  })

  it('checks a UserInfo that is signed', async () => {
    const { world } = await aHouse({ signsUserInfo: true })
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-ann'))).toMatchObject({ username: 'ann' })
  })

  it.each([
    ['an ID token', '/token'],
    ['a UserInfo', '/me'],
  ] as const)('does not log in with %s signed by another party', async (_, forges) => {
    const { world } = await aHouse({ signsUserInfo: true, forges })
    const { success, message } = await logsIn(world, aBrowser(world.url), 'sub-ann')
    expect([success, message]).toEqual([false, 'OIDC did not return valid account information'])
  })

  it('requires an address to create an account, but not to bind or to log in to an existing one', async () => {
    const { world } = await aHouse()
    const refused = await logsIn(world, aBrowser(world.url), 'sub-lee')
    expect(refused.message).toContain('OIDC did not share your email address')
    const person = await world.user()
    const browser = aBrowser(world.url)
    await browser.logIn(person.username, 'a-long-password')
    expect(await logsIn(world, browser, 'sub-lee')).toMatchObject({ success: true, message: 'bind' })
    expect(dataOf(await logsIn(world, aBrowser(world.url), 'sub-lee')).id).toBe(person.id)
  })

  it('reports that a provider cannot be reached, without revealing its address', async () => {
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
