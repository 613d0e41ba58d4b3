import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls, createServer as createTlsServer } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { createVault } from '../../../gateway/base/secrets/ciphers.ts'
import { createPasswords } from '../../../gateway/base/secrets/passwords.ts'
import { openCertificates } from '../../../gateway/share/certificates.ts'
import { openShareFile } from '../../../gateway/share/share-file.ts'
import type { ShareView } from '../../../shared/api/share.ts'
import { chatStream } from '../../support/chat.ts'
import { aClient, dataOf, signedIn } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { quickArgon2 } from '../../support/quick-argon2.ts'
import { untimed } from '../../support/untimed.ts'
import { PASSWORD } from '../../support/world.ts'
import { aProvider } from '../accounts/providers/fake-provider.ts'
import {
  aSharedWorld,
  callFrom,
  change,
  DEVICE,
  ELSEWHERE,
  failureOf,
  freePort,
  HERE,
  look,
  ownAddress,
  type Shared,
} from './shared-world.ts'

const NOBODY = { 'new-api-user': '-1' }
const plain = { on: true, is_encrypted: false }
const at = (world: Shared, path = '/api/status') => `http://${HERE}:${world.port}${path}`
const chat = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hello' }] }

describe('a shared gateway', () => {
  // Slow, because it creates a certificate authority and starts twice.
  it('listens only on loopback until sharing is turned on, and again afterwards', async () => {
    const world = await aSharedWorld()
    expect(await look(world)).toMatchObject({ state: 'off', decided_by: 'settings', settings: { on: false }, ca: null })
    expect(await failureOf(callFrom(at(world)))).toBe('ECONNREFUSED')
    expect(existsSync(join(world.folder, 'share.json'))).toBe(false)
    expect((await change(world, plain)).state).toBe('open')
    expect((await callFrom(at(world))).status).toBe(200)
    expect((await change(world, { on: false })).state).toBe('off')
    expect(await failureOf(callFrom(at(world)))).toBe('ECONNREFUSED')
    expect((await world.visitor.get('/api/status')).status).toBe(200)
  })

  it('is the address in links given to others, unless the server address is one they can open (docs/reference/share.md#addresses-in-links)', async () => {
    const world = await aSharedWorld()
    const { settings } = world.gateway.inner
    const told = async () => dataOf(await world.admin.get('/api/share/address')).url
    expect([await told(), settings.linkAddress()]).toEqual(['', world.url])
    await change(world, plain)
    const shared = `http://${HERE}:${world.port}`
    expect([await told(), settings.linkAddress()]).toEqual([shared, shared])
    expect((await callFrom(`${await told()}/api/status`)).status).toBe(200)
    await settings.set('ServerAddress', `http://localhost:${world.port}`)
    expect([await told(), settings.serverAddress()]).toEqual([shared, `http://localhost:${world.port}`])
    await settings.set('ServerAddress', 'https://ai.example.com')
    expect([await told(), settings.linkAddress()]).toEqual(['https://ai.example.com', 'https://ai.example.com'])
  })

  it('accepts only calls with a key, answers only to its names, and refuses everything that belongs to the computer itself', async () => {
    const world = await aSharedWorld({ options: { ModelRatio: { 'gpt-4o': 1 }, SelfUseModeEnabled: true } })
    await world.channel()
    await change(world, plain)
    const key = await world.admin.key()
    expect((await callFrom(at(world, '/v1/chat/completions'), { body: chat, key })).status).toBe(200)
    expect((await callFrom(at(world, '/v1/chat/completions'), { body: chat })).status).toBe(401)
    expect((await callFrom(at(world, '/v1/models'))).status).toBe(401)
    for (const host of ['evil.example', `localhost:${world.port}`, `127.0.0.1:${world.port}`, HERE, `${HERE}:1`])
      expect((await callFrom(at(world), { headers: { host } })).status, host).toBe(421)
    const ticket = await world.gateway.ticket()
    const handover = world.gateway.handover()
    for (const [path, body] of [
      ['/api/setup', { username: 'again', password: PASSWORD, confirmPassword: PASSWORD }],
      ['/api/user/ticket', { ticket: ticket?.secret ?? ticket }],
      ['/api/user/handover', { id: handover.id, verifier: 'x'.repeat(43) }],
      ['/api/user/handover/cancel', { id: handover.id, verifier: 'x'.repeat(43) }],
    ] as const) {
      const answer = await callFrom(at(world, path), { body })
      expect(JSON.parse(answer.text), path).toMatchObject({ success: false })
      expect(answer.text, path).toMatch(/only at the computer|Invalid|must/)
    }
  })

  it('registers only invited people, unless registration is switched on', async () => {
    const world = await aSharedWorld()
    await change(world, plain)
    const register = async (username: string, more: object = {}) =>
      JSON.parse(
        (await callFrom(at(world, '/api/user/register'), { body: { username, password: PASSWORD, ...more } })).text,
      )
    for (const more of [{}, { invitation: '' }, { invitation: ' ' }, { invitation: '\u00a0\t' }])
      expect(await register('stranger', more)).toMatchObject({
        success: false,
        message: expect.stringMatching(/Registration is closed at addresses shared/),
      })
    await change(world, { registration: true })
    expect(await register('stranger')).toMatchObject({ success: true })
  })

  it('creates no account by a provider or a code either, except for invited people', async () => {
    const { url } = await aProvider({
      ann: { id: 1, login: 'ann' },
      bob: { id: 2, login: 'bob' },
      cy: { id: 3, login: 'cy' },
    })
    const providers = { github: url, githubApi: url, linuxdo: url }
    const options = { GitHubClientId: 'id', GitHubClientSecret: 'secret', GitHubOAuthEnabled: true }
    const world = await aSharedWorld({ providers, options })
    await change(world, plain)
    const comes = async (code: string, { at: from = at(world, ''), query = '' } = {}) => {
      const begun = await callFrom(`${from}/api/oauth/state${query}`, { headers: NOBODY })
      const cookie = begun.headers['set-cookie']?.map((line) => line.split(';')[0]).join('; ') ?? ''
      const state = JSON.parse(begun.text).data
      const back = await callFrom(`${from}/api/oauth/github?code=${code}&state=${state}`, { headers: { cookie } })
      return JSON.parse(back.text)
    }
    const closed = { success: false, message: expect.stringMatching(/Registration is closed at addresses shared/) }
    expect(await comes('ann')).toMatchObject(closed)
    expect(
      JSON.parse((await callFrom(at(world, '/api/verification?email=ann@example.org'), { headers: NOBODY })).text),
    ).toMatchObject(closed)
    const { code } = dataOf(await world.admin.post('/api/invitation', {}))
    expect(await comes('cy', { query: `?invitation=${code}` })).toMatchObject({ success: true })
    const bob = await comes('bob', { at: world.url })
    expect(await comes('bob')).toMatchObject({ success: true, data: { id: bob.data.id } })
    await change(world, { registration: true })
    expect(await comes('ann')).toMatchObject({ success: true })
  })

  it('is refused for administrators, programs and visitors', async () => {
    const world = await aSharedWorld()
    const operator = await world.user({ role: 10 })
    for (const who of [operator, world.visitor]) {
      expect((await who.put('/api/share', plain)).success).toBe(false)
      expect((await who.get('/api/share')).success).toBe(false)
    }
    const token = dataOf(await world.admin.get('/api/user/token'))
    const headers = { authorization: `Bearer ${token}`, 'new-api-user': String(world.admin.id) }
    expect((await aClient(world.url).send('PUT', '/api/share', { body: plain, headers })).success).toBe(false)
    expect((await look(world)).state).toBe('off')
  })
})

describe('sharing', () => {
  it('needs a long password of the super administrator', async () => {
    const world = await aSharedWorld()
    await change(world, plain)
    const root = await withPassword(world, 'short-one')
    expect(await root.put('/api/share', plain)).toMatchObject({
      success: false,
      message: expect.stringMatching(/at least 12 characters|至少 12 个字符/),
    })
    // The job closes sharing that was open.
    dataOf(await root.post('/api/job/share/run', {}))
    await expect
      .poll(async () => dataOf(await root.get('/api/share')))
      .toMatchObject({
        state: 'closed',
        reason: 'password',
        refused: { code: 'password_short' },
      })
    expect(await failureOf(callFrom(at(world)))).toBe('ECONNREFUSED')
    const again = await withPassword(world, 'a-longer-password', 'short-one')
    expect(dataOf(await again.put('/api/share', plain)).state).toBe('open')
  })

  it('accepts a passkey instead of a long password', async () => {
    const world = await aSharedWorld()
    const root = await withPassword(world, 'short-one')
    const texts = { credential_id: 'a', public_key: 'b', user_handle: 'c', rp_id: 'localhost', name: 'key' }
    const row = { ...texts, user_id: root.id, created_at: 1, last_used_at: null }
    await world.gateway.inner.db.insertInto('passkeys').values(row).execute()
    expect(dataOf(await root.put('/api/share', plain)).state).toBe('open')
  })

  it('requires the password once if it has not been entered since the start, and remembers that it was long enough', async () => {
    const world = await aSharedWorld()
    const { db } = world.gateway.inner
    const { password } = await db
      .selectFrom('users')
      .select('password')
      .where('id', '=', world.admin.id)
      .executeTakeFirstOrThrow()
    // Another hash of the same password, which this process has never verified.
    const other = await createPasswords(quickArgon2).hash(PASSWORD)
    expect(other).not.toBe(password)
    await db.updateTable('users').set({ password: other }).where('id', '=', world.admin.id).execute()
    expect((await look(world)).refused?.code).toBe('password_unknown')
    expect((await world.admin.put('/api/share', plain)).success).toBe(false)
    expect((await world.admin.put('/api/share', { ...plain, password: 'a-wrong-password' })).success).toBe(false)
    expect((await change(world, { ...plain, password: PASSWORD })).state).toBe('open')
    const kept = readFileSync(join(world.folder, 'share.json'), 'utf8')
    expect(kept).not.toContain(other)
    expect(kept).not.toContain(PASSWORD)
  })

  it('is decided by HOST where that leads beyond loopback', async () => {
    const world = await aSharedWorld({ config: { HOST: '0.0.0.0', ALLOWED_HOSTS: '0.0.0.0' } })
    expect(await look(world)).toMatchObject({
      decided_by: 'environment',
      environment: { host: '0.0.0.0', is_beyond_loopback: true },
      refused: { code: 'environment', message: expect.stringContaining('0.0.0.0') },
    })
    expect((await world.admin.put('/api/share', plain)).success).toBe(false)
    expect((await world.admin.put('/api/share', { on: false })).success).toBe(false)
    expect(world.url).toBe(`http://127.0.0.1:${world.port}`)
    expect(dataOf(await world.visitor.get('/api/status')).server_address).toBe(world.url)
    expect(world.gateway.urlsForOthers).toEqual([`http://${HERE}:${world.port}`])
  })

  it('continues after a restart, and waits where its port is taken or its address gone', async () => {
    const clock = aClock()
    const world = await aSharedWorld({ clock })
    const port = await freePort(HERE)
    await change(world, { ...plain, port })
    const blocker = createServer()
    world.machine.push(ownAddress(ELSEWHERE))
    await new Promise<void>((resolve) => blocker.listen(port, ELSEWHERE, resolve))
    const turn = async () => {
      clock.advanceSeconds(11)
      dataOf(await world.admin.post('/api/job/share/run', {}))
      await expect
        .poll(
          async () =>
            dataOf(await world.admin.get('/api/job')).find(({ name }: { name: string }) => name === 'share').running,
        )
        .toBeNull()
    }
    await turn()
    const taken = await look(world)
    expect(taken.state).toBe('partly')
    expect(taken.addresses).toMatchObject([
      { address: HERE, is_open: true },
      { address: ELSEWHERE, is_open: false, reason: 'port_taken', message: expect.stringContaining(String(port)) },
    ])
    await new Promise((resolve) => blocker.close(resolve))
    await turn()
    expect((await look(world)).state).toBe('open')
    await change(world, { address: HERE })
    world.machine.splice(0)
    await turn()
    expect(await look(world)).toMatchObject({
      state: 'closed',
      addresses: [{ reason: 'address_gone', is_open: false }],
    })
    expect(await failureOf(callFrom(`http://${HERE}:${port}/api/status`))).toBe('ECONNREFUSED')
    world.machine.push(ownAddress(HERE))
    await turn()
    expect((await callFrom(`http://${HERE}:${port}/api/status`)).status).toBe(200)
    const again = await world.restart()
    expect((await callFrom(`http://${HERE}:${port}/api/status`)).status).toBe(200)
    const other = createServer()
    dataOf(await again.admin.put('/api/share', { on: false }))
    await new Promise<void>((resolve) => other.listen(port, HERE, resolve))
    dataOf(await again.admin.put('/api/share', { on: true }))
    const third = await again.restart()
    expect(await look(third)).toMatchObject({ state: 'closed', addresses: [{ reason: 'port_taken' }] })
    await new Promise((resolve) => other.close(resolve))
  })

  it('refuses impossible settings: another machine’s address, an invalid range', async () => {
    const world = await aSharedWorld()
    expect((await world.admin.put('/api/share', { address: '8.8.8.8' })).message).toContain('8.8.8.8')
    expect((await world.admin.put('/api/share', { allowed: ['192.168.1.0/33'] })).message).toContain('192.168.1.0/33')
    for (const wrong of [{ port: 70_000 }, { name: 'two words' }, { name: '-' }, { allowed: Array(101).fill('::1') }])
      expect((await world.admin.put('/api/share', wrong)).success, JSON.stringify(wrong)).toBe(false)
    expect((await look(world)).settings).toMatchObject({ address: '', port: 0, name: 'switchyard' })
  })

  it('is logged with the user who changed it', async () => {
    const world = await aSharedWorld()
    await change(world, plain)
    await change(world, { allowed: [] })
    await change(world, { on: false })
    await world.gateway.inner.ledger.flush()
    const rows = await world.gateway.inner.db
      .selectFrom('logs')
      .select(['content', 'other'])
      .where('type', '=', 3)
      .execute()
    const said = rows.map(({ content }) => content).filter((content) => /sharing|局域网/.test(content))
    expect(said).toHaveLength(3)
    expect(said.join('\n')).toContain('root')
  })

  it('is off, and the start is not prevented, if its file is damaged', async () => {
    const world = await aSharedWorld()
    await change(world, plain)
    writeFileSync(join(world.folder, 'share.json'), '{"settings":')
    const again = await world.restart()
    expect((await look(again)).state).toBe('off')
  })
})

describe('the allow list', () => {
  it('is checked before a byte is read, and connections that are no longer allowed end at once', async () => {
    const world = await aSharedWorld()
    await change(world, { ...plain, allowed: [`${DEVICE}/32`] })
    const open = connect({ port: world.port, host: HERE, localAddress: DEVICE })
    await once(open, 'connect')
    expect((await callFrom(at(world))).status).toBe(200)
    expect(await failureOf(callFrom(at(world), { localAddress: '127.0.0.10' }))).toBe('ECONNRESET')
    const gone = once(open, 'close')
    await change(world, { allowed: ['192.168.0.0/16'] })
    await gone
    expect(await failureOf(callFrom(at(world)))).toBe('ECONNRESET')
    // The gateway's own check from this machine is not blocked.
    expect(dataOf(await world.admin.post('/api/share/check', {}))).toMatchObject([{ verdict: 'reachable' }])
    expect((await change(world, { allowed: [] })).settings.allowed).toEqual([])
    expect((await callFrom(at(world))).status).toBe(200)
  })

  it('is bounded in connections, over all addresses together', async () => {
    const world = await aSharedWorld({ config: { MAX_SOCKETS_PER_ADDRESS: '2' } })
    world.machine.push(ownAddress(ELSEWHERE))
    await change(world, plain)
    const dial = async (host: string) => {
      const socket = connect({ port: world.port, host, localAddress: DEVICE })
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    }
    const held = [await dial(HERE), await dial(ELSEWHERE)]
    await expect.poll(async () => (await look(world)).connections).toBe(2)
    const third = await dial(HERE)
    const [answer] = await once(third, 'data')
    expect(String(answer)).toContain('429')
    for (const socket of [...held, third]) socket.destroy()
  })

  it('has the usual limit of calls, where the person at the computer has a wide one', async () => {
    const world = await aSharedWorld({ config: { GLOBAL_API_RATE_LIMIT: '1800' }, sharedApiLimit: 2 })
    await change(world, plain)
    const statuses = []
    for (let count = 0; count < 3; count += 1) statuses.push((await callFrom(at(world))).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await world.visitor.get('/api/status')).status).toBe(200)
  })

  it('is listed with the last call from each address, and its devices', async () => {
    const world = await aSharedWorld()
    await change(world, plain)
    expect((await look(world)).addresses[0]?.seen).toBeNull()
    await world.admin.post('/api/share/check', {})
    expect((await look(world)).devices).toEqual([])
    await callFrom(at(world), { headers: { 'user-agent': 'a-phone/1' } })
    const view = await look(world)
    expect(view.addresses[0]?.seen).toMatchObject({ from: DEVICE })
    expect(view.devices).toMatchObject([{ address: DEVICE, requests: 1, agent: 'a-phone/1' }])
  })
})

describe('switching off', () => {
  it('ends every connection within a second, running streams included, and charges what they delivered', async () => {
    const world = await aSharedWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
    await world.channel()
    await change(world, plain)
    world.upstream.streams(chatStream(Array.from({ length: 500 }, () => 'word ')), { gapMs: 20 })
    const key = await world.admin.key()
    const before = await world.admin.quota()
    const ended = Promise.withResolvers<void>()
    const asked = request(at(world, '/v1/chat/completions'), {
      method: 'POST',
      localAddress: DEVICE,
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    })
    const begun = Promise.withResolvers<void>()
    asked.on('error', () => ended.resolve())
    asked.on('response', (response) => {
      response.on('data', () => begun.resolve())
      response.on('error', () => {}).on('close', () => ended.resolve())
    })
    asked.end(JSON.stringify({ ...chat, stream: true }))
    await begun.promise
    // The response ends at once, without waiting for a timer.
    await untimed(async () => {
      await change(world, { on: false })
      await ended.promise
    })
    await expect.poll(() => world.admin.quota()).toBeLessThan(before)
    expect((await look(world)).connections).toBe(0)
  })

  it('is switched off also where that cannot be written down', async () => {
    const world = await aSharedWorld()
    await change(world, plain)
    // A folder in place of the new file makes the write fail on every disk.
    mkdirSync(join(world.folder, 'share.json.part'))
    expect(await world.admin.put('/api/share', { on: false })).toMatchObject({ success: false })
    expect(await failureOf(callFrom(at(world)))).toBe('ECONNREFUSED')
    expect((await look(world)).state).toBe('off')
    expect((await world.admin.put('/api/share', plain)).success).toBe(false)
    expect((await look(world)).state).toBe('off')
  })

  it('works in the desktop’s menu as well, which is refused for the same reasons as the page', async () => {
    const world = await aSharedWorld()
    const { shell } = world.gateway
    await shell.share(true, 'en')
    expect(shell.isShared()).toBe(true)
    expect((await look(world)).state).toBe('open')
    await shell.share(false, 'en')
    expect(shell.isShared()).toBe(false)
    await withPassword(world, 'short-one')
    await expect(shell.share(true, 'en')).rejects.toMatchObject({ key: 'share.password_short' })
    expect(shell.isShared()).toBe(false)
  })
})

describe('an encrypted address', () => {
  it('presents a certificate of the installation’s own authority, which anyone can download and check', async () => {
    const world = await aSharedWorld()
    const view = await change(world, { on: true })
    const url = `https://${HERE}:${world.port}`
    const { pem, fingerprint } = dataOf(await world.admin.get('/api/share/ca'))
    expect(fingerprint).toBe(view.ca?.fingerprint)
    const fetched = await callFrom(at(world, view.ca?.path))
    expect(fetched.headers['content-type']).toContain('application/x-x509-ca-cert')
    expect(fetched.text).toBe(pem)
    expect((await callFrom(`${url}/switchyard-ca.crt`, { ca: pem })).text).toBe(pem)
    expect((await callFrom(`${url}/api/status`, { ca: pem })).status).toBe(200)
    expect(await failureOf(callFrom(`${url}/api/status`))).toMatch(/SELF_SIGNED|UNABLE_TO/)
    const days = ((view.certificate?.not_after ?? 0) - Date.now() / 1000) / 86_400
    expect(days).toBeGreaterThan(390)
    expect(days).toBeLessThanOrEqual(397)
    expect(view.certificate?.names).toEqual([HERE, 'switchyard.local'])
    const socket = connectTls({ port: world.port, host: HERE, ca: pem })
    await once(socket, 'secureConnect')
    expect(socket.getProtocol()).toMatch(/TLSv1\.[23]/)
    expect(socket.getPeerX509Certificate()?.checkIP(HERE)).toBe(HERE)
    socket.destroy()
    const kept = readFileSync(join(world.folder, 'share.json'), 'utf8')
    expect(kept).not.toContain('PRIVATE KEY')
    expect(JSON.parse(kept).ca.key).toMatch(/^v1\./)
    const again = await world.restart()
    expect((await look(again)).ca?.fingerprint).toBe(fingerprint)
  })

  it('refuses old protocols, and answers clients without encryption', async () => {
    const world = await aSharedWorld()
    await change(world, { on: true })
    const old = connectTls({
      port: world.port,
      host: HERE,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    const [error] = await once(old, 'error').catch((cause) => [cause])
    expect(String(error.code)).toMatch(/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|ECONNRESET/)
    const page = await callFrom(at(world, '/log?x=1'), { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.location]).toEqual([307, `https://${HERE}:${world.port}/log?x=1`])
    const api = await callFrom(at(world, '/v1/models'), { key: 'abc' })
    expect(api.status).toBe(400)
    expect(JSON.parse(api.text).error).toMatchObject({ code: 'https_required' })
    expect((await callFrom(at(world), { headers: { host: 'evil.example', accept: 'text/html' } })).status).toBe(421)
  })

  it('comes of an authority that speaks for no other names', async () => {
    const world = await aSharedWorld()
    await change(world, { on: true })
    const { pem } = dataOf(await world.admin.get('/api/share/ca'))
    const forged = await forgedBy(world, 'bank.example')
    const server = createTlsServer({ key: forged.key, cert: forged.pem }, (socket) => socket.end())
    await new Promise<void>((resolve) => server.listen(0, HERE, resolve))
    const { port } = server.address() as AddressInfo // it listens on a port
    const visit = connectTls({ port, host: HERE, servername: 'bank.example', ca: pem })
    const [error] = await once(visit, 'error').catch((cause) => [cause])
    server.close()
    expect(error.message).toMatch(/permitted subtree violation/)
  })

  it('renews its certificate automatically, and when the machine gets another address', async () => {
    const clock = aClock()
    const world = await aSharedWorld({ clock })
    const first = await change(world, { on: true })
    world.machine.push(ownAddress(ELSEWHERE))
    const turned = await change(world, { registration: true })
    expect(turned.certificate?.names).toContain(ELSEWHERE)
    clock.advanceSeconds(370 * 86_400)
    // Sessions have expired by now.
    const root = await signedIn(world.url, 'root', PASSWORD)
    const later: ShareView = dataOf(await root.put('/api/share', { registration: false }))
    expect(later.certificate?.not_after).toBeGreaterThan(first.certificate?.not_after ?? 0)
    expect(later.ca?.fingerprint).toBe(first.ca?.fingerprint)
  })
})

describe('the check of an address', () => {
  it('distinguishes this gateway from another server and from none', async () => {
    const world = await aSharedWorld()
    const check = async () => dataOf(await world.admin.post('/api/share/check', { address: HERE }))
    expect(await check()).toMatchObject([{ verdict: 'closed' }])
    const port = await freePort(HERE)
    const stranger = createHttpServer((_, response) => response.end('hello'))
    await new Promise<void>((resolve) => stranger.listen(port, HERE, resolve))
    await change(world, { ...plain, port })
    expect(await check()).toMatchObject([{ verdict: 'other', url: `http://${HERE}:${port}` }])
    await new Promise((resolve) => stranger.close(resolve))
    expect(await check()).toMatchObject([{ verdict: 'refused' }])
    await change(world, { port: 0 })
    expect(await check()).toMatchObject([{ verdict: 'reachable', message: expect.stringMatching(/firewall/) }])
    expect((await world.admin.post('/api/share/check', { address: '192.0.2.1' })).success).toBe(false)
  })
})

/** A certificate for any name that is signed by a gateway's authority, as a thief of its key could create it. */
async function forgedBy({ folder, config }: Shared, name: string) {
  const vault = createVault(Buffer.from(config.SWITCHYARD_MASTER_KEY, 'base64'))
  const certificates = await openCertificates({ file: openShareFile(folder, silentLogger), vault, clock: aClock() })
  return certificates.for([name])
}

/** Changes the super administrator's password, which ends existing sessions. */
async function withPassword(world: Shared, password: string, before = PASSWORD) {
  const root = await signedIn(world.url, 'root', before)
  dataOf(await root.put('/api/user/self', { original_password: before, password }))
  return signedIn(world.url, 'root', password)
}
