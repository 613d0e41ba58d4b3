import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import type { ShareView } from '../../shared/api/share.ts'
import { aWorld, PASSWORD } from '../support/world.ts'
import { asRoot, networkedGateway, PORT } from './networked-gateway.ts'
import { CLIENT, CLIENT_6, type Networks, SERVER, SERVER_6, twoNetworks, whyNoNetworks } from './two-networks.ts'

const VENDOR = 9999
const at = (path: string) => `https://${SERVER}:${PORT}${path}`
const body = (stream: boolean) => JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'hello' }] })

/** Streams one word at a time and never ends; responds at once to other requests. */
const vendor = `
require('http').createServer((request, response) => {
  let text = ''
  request.on('data', (part) => { text += part })
  request.on('end', () => {
    const chunk = (delta, finish_reason = null) => ({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })
    if (!JSON.parse(text).stream) {
      response.setHeader('content-type', 'application/json')
      return response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } }))
    }
    response.setHeader('content-type', 'text/event-stream')
    const timer = setInterval(() => response.write('data: ' + JSON.stringify(chunk({ content: 'word ' })) + '\\n\\n'), 50)
    response.on('close', () => clearInterval(timer))
  })
}).listen(${VENDOR}, '127.0.0.1', () => console.log('ready'))
`

/** A gateway with a vendor in a separate network, as for users who enable sharing. */
async function aSharedGateway() {
  const networks = await twoNetworks(onTestFinished)
  const masterKey = randomBytes(32).toString('base64')
  const world = await aWorld({ options: { ModelRatio: { m: 1 } }, config: { SWITCHYARD_MASTER_KEY: masterKey } })
  await world.channel({ models: 'm', base_url: `http://127.0.0.1:${VENDOR}` })
  const user = await world.user({ quota: 10_000_000 })
  const token = await world.token(user)
  await world.gateway.stop()
  const served = networks.spawn([process.execPath, '-e', vendor], {})
  await once(served.stdout as NonNullable<typeof served.stdout>, 'data')
  await networkedGateway(networks, world.folder, masterKey)
  return { networks, folder: world.folder, token, user }
}

const told = (networks: Networks, order: object): Promise<Record<string, unknown>> => networks.client(order).next()

it('is visible from another network as configured, and not otherwise', async (context: TestContext) => {
  const why = whyNoNetworks()
  if (why) context.skip(why)
  const { networks, folder, token, user } = await aSharedGateway()
  const root = (method: string, path: string, sent?: object) => asRoot(folder, method, path, sent)
  const change = async (settings: object): Promise<ShareView> => {
    const { success, message, data } = await root('PUT', '/api/share', settings)
    expect(message).toBe('')
    expect(success).toBe(true)
    return data
  }
  const plainUrl = `http://${SERVER}:${PORT}/api/status`

  // Off by default: nothing is open.
  expect(await told(networks, { do: 'call', url: plainUrl })).toEqual({ error: 'ECONNREFUSED' })

  // No one has entered the password since the start.
  expect(await root('PUT', '/api/share', { on: true })).toMatchObject({
    success: false,
    message: expect.stringMatching(/password/),
  })
  const view = await change({ on: true, password: PASSWORD })
  expect(view).toMatchObject({
    state: 'open',
    port: PORT,
    addresses: [
      { address: SERVER, kind: 'private', is_open: true },
      { address: SERVER_6, kind: 'private', is_open: true, url: `https://[${SERVER_6}]:${PORT}` },
    ],
  })

  // Only one port is open; a client verifies its certificate with the authority that it has fetched.
  expect((await told(networks, { do: 'scan', host: SERVER, to: 65_535 })).open).toEqual([PORT])
  const { text: ca } = await told(networks, { do: 'call', url: `http://${SERVER}:${PORT}/switchyard-ca.crt` })
  expect(ca).toContain('BEGIN CERTIFICATE')
  const call = (path: string, more: object = {}) => told(networks, { do: 'call', url: at(path), ca, ...more })
  expect(await call('/api/status')).toMatchObject({
    status: 200,
    isVerified: true,
    protocol: expect.stringMatching(/^TLSv1\.[23]$/),
  })
  const strict = { do: 'handshake', host: SERVER, port: PORT, ca }
  expect(await told(networks, { ...strict, maxVersion: 'TLSv1.2' })).toEqual({ protocol: 'TLSv1.2', isVerified: true })
  expect(await told(networks, { ...strict, maxVersion: 'TLSv1.1' })).toHaveProperty('error')

  const six = { do: 'call', url: `https://[${SERVER_6}]:${PORT}/api/status`, ca }
  expect(await told(networks, six)).toMatchObject({ status: 200, isVerified: true })

  // Access requires a key.
  const json = { 'content-type': 'application/json' }
  const keyed = { method: 'POST', headers: { ...json, authorization: `Bearer sk-${token.key}` } }
  expect(await call('/v1/chat/completions', { ...keyed, body: body(false) })).toMatchObject({ status: 200 })
  expect(await call('/v1/chat/completions', { method: 'POST', headers: json, body: body(false) })).toMatchObject({
    status: 401,
  })
  expect(await call('/v1/models', { isAnyName: true, headers: { host: 'rebound.example' } })).toMatchObject({
    status: 421,
  })
  expect(await call('/v1/models', { isAnyName: true, headers: { host: `localhost:${PORT}` } })).toMatchObject({
    status: 421,
  })
  const setup = { username: 'mallory', password: PASSWORD, confirmPassword: PASSWORD }
  const taken = await call('/api/setup', { method: 'POST', headers: json, body: JSON.stringify(setup) })
  expect(JSON.parse(String(taken.text))).toMatchObject({ success: false })

  // The console works: its page and files, and a login with a cookie for encrypted connections only.
  const page = await call('/login', { headers: { accept: 'text/html' } })
  const [, script = ''] = /<script type="module"[^>]* src="([^"]+)"/.exec(String(page.text)) ?? []
  expect([page.status, await call(script)]).toMatchObject([200, { status: 200 }])
  const sent = { ...json, origin: `https://${SERVER}:${PORT}` }
  const login = { method: 'POST', headers: sent, body: JSON.stringify({ username: 'root', password: PASSWORD }) }
  const signedIn = await call('/api/user/login', login)
  expect(JSON.parse(String(signedIn.text))).toMatchObject({ success: true, data: { username: 'root' } })
  const cookies = signedIn.cookies as string[] // as the client prints them
  for (const line of cookies) expect(line).toMatch(/; secure/i)
  const cookie = cookies.map((line) => line.split(';')[0]).join('; ')
  const self = await call('/api/user/self', { headers: { cookie, 'new-api-user': '1' } })
  expect(JSON.parse(String(self.text))).toMatchObject({ success: true, data: { username: 'root' } })
  const elsewhere = { ...login, headers: { ...sent, origin: 'https://rebound.example' } }
  expect((await call('/api/user/login', elsewhere)).status).toBe(403)

  // Callers are recorded.
  const seen: ShareView = (await root('GET', '/api/share')).data
  expect(seen.addresses[0]?.seen).toMatchObject({ from: CLIENT })
  expect((await root('POST', '/api/share/check', {})).data).toMatchObject([
    { address: SERVER, verdict: 'reachable' },
    { address: SERVER_6, verdict: 'reachable' },
  ])

  // The gateway's name is announced if that is enabled, with its address and nothing else.
  const named = await change({ announces: true, name: 'Yard' })
  expect(named.announcement).toMatchObject({ name: 'yard.local', state: 'announced' })
  const questions = [
    { name: 'yard.local', type: 'A' },
    { name: '_https._tcp.local', type: 'PTR' },
    { name: 'yard._https._tcp.local', type: 'SRV' },
    { name: '_services._dns-sd._udp.local', type: 'PTR' },
  ]
  expect(await told(networks, { do: 'resolve', on: CLIENT, questions })).toEqual({
    'A yard.local': SERVER,
    'AAAA yard.local': SERVER_6,
    'PTR _https._tcp.local': 'yard._https._tcp.local',
    'SRV yard._https._tcp.local': { port: PORT, target: 'yard.local', priority: 0, weight: 0 },
    'TXT yard._https._tcp.local': [],
    'PTR _services._dns-sd._udp.local': '_https._tcp.local',
  })
  const byName = { isAnyName: true, headers: { host: `yard.local:${PORT}` } }
  expect(await call('/api/status', byName)).toMatchObject({ status: 200 })
  await change({ announces: false })
  expect(await call('/api/status', byName)).toMatchObject({ status: 421 })

  // A changed list of addresses applies at once.
  await change({ allowed: ['192.168.0.0/16'] })
  expect(await call('/api/status')).toMatchObject({ error: 'ECONNRESET' })
  await change({ allowed: [`${CLIENT}/32`] })
  expect(await call('/api/status')).toMatchObject({ status: 200 })
  expect(await told(networks, six)).toMatchObject({ error: 'ECONNRESET' })
  await change({ allowed: [`${CLIENT_6}/64`] })
  expect(await told(networks, six)).toMatchObject({ status: 200 })
  await change({ allowed: [] })

  // Switching it off ends running calls before a hundred subsequent calls get a response, however busy the machine is.
  const held = networks.client({ do: 'hold', url: at('/v1/chat/completions'), ca, ...keyed, body: body(true) })
  expect(await held.next()).toEqual({ begun: true })
  let end: unknown
  void held.next().then((said) => {
    end = said
  })
  await change({ on: false })
  for (let count = 0; count < 100 && end === undefined; count += 1) await asRoot(folder, 'GET', '/api/share')
  expect(end).toHaveProperty('cut')
  expect(await told(networks, { do: 'call', url: plainUrl })).toEqual({ error: 'ECONNREFUSED' })

  // So does revoking a key, after sharing is enabled again.
  await change({ on: true })
  expect(await call('/v1/models', { headers: keyed.headers })).toMatchObject({ status: 200 })
  const owner = { 'new-api-user': String(user.id) }
  expect(await asRoot(folder, 'DELETE', `/api/token/${token.id}`, undefined, owner)).toMatchObject({ success: true })
  expect(await call('/v1/models', { headers: keyed.headers })).toMatchObject({ status: 401 })
})
