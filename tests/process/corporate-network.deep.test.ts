import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { aCertificate } from '../gateway/channels/testing/certificate.ts'
import { chatAnswer } from '../support/chat.ts'
import { aWorld, type World } from '../support/world.ts'
import { aChild, aProcess } from './child.ts'
import { aFolder } from './house.ts'

const SWITCHYARD_MASTER_KEY = randomBytes(32).toString('base64')
let world: World
let key: string
let proxy: { url: string; asked: string[] }

/** An installation whose channels are behind a proxy, behind a company's certificate, and on this machine. */
beforeEach(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true }, config: { SWITCHYARD_MASTER_KEY } })
  proxy = await aProxy(Number(new URL(world.upstream.url).port))
  await world.channel({ models: 'outside', base_url: 'http://vendor.example' })
  await world.channel({ models: 'inside' })
  const person = await world.user({ quota: 1_000_000 })
  key = await person.key()
  world.upstream.answers({ body: chatAnswer('hello') })
})

const ask = async (url: string, model: string) => {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] })
  const headers = { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' }
  return (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).status
}

async function started(config: Record<string, string>): Promise<string> {
  await world.gateway.stop()
  const { url } = await aChild({ folder: world.folder, config: { SWITCHYARD_MASTER_KEY, ...config } })
  return url
}

describe('in a corporate network (docs/reference/security.md#corporate-networks)', () => {
  it('the proxy of the environment is used for outside, and not for this machine', async () => {
    const url = await started({ http_proxy: proxy.url })
    expect([await ask(url, 'outside'), await ask(url, 'inside')]).toEqual([200, 200])
    expect(proxy.asked).toEqual(['vendor.example'])
  })

  it.each<Record<string, string>>([
    { USE_SYSTEM_PROXY: 'false', HTTP_PROXY: '' },
    { NO_PROXY: '.example', HTTP_PROXY: '' },
  ])('a proxy is not used where that is set: %j', async (config) => {
    const url = await started({ ...config, HTTP_PROXY: proxy.url, UPSTREAM_CONNECT_TIMEOUT: '1' })
    expect(await ask(url, 'outside')).toBeGreaterThanOrEqual(500)
    expect(proxy.asked).toEqual([])
  })

  it('an invalid proxy ends the start, which would otherwise bypass it', async () => {
    const { code, err } = await aProcess({ folder: await aFolder(), config: { HTTPS_PROXY: 'proxy:3128' } }).ended
    expect([code, err]).toEqual([1, 'HTTPS_PROXY: must be the address of a proxy, such as http://proxy.example:3128\n'])
  })

  it('a command uses the same proxy where no gateway runs', async () => {
    await world.gateway.stop()
    const { folder } = world
    const config = { SWITCHYARD_MASTER_KEY, http_proxy: proxy.url, UPSTREAM_CONNECT_TIMEOUT: '1' }
    const args = ['channel', 'test', '1', '--model', 'outside']
    expect(await aProcess({ folder, config, args }).ended).toMatchObject({ code: 0, err: '' })
    const upstream = ['doctor', '--upstream', 'http://other.example', '--json']
    const { out } = await aProcess({ folder, config, args: upstream }).ended
    expect(JSON.parse(out).findings).toContainEqual(expect.objectContaining({ check: 'upstream', state: 'ok' }))
    expect(proxy.asked).toEqual(['vendor.example', 'other.example'])
    const wrong = await aProcess({ folder, config: { ...config, http_proxy: 'proxy:3128' }, args }).ended
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('must be the address of a proxy') })
  })

  it('a program is set up for a gateway elsewhere likewise, and never bypassing an invalid proxy', async () => {
    world.upstream.answers({ body: { type: 'message', content: [] } })
    const words = ['connect', 'claude-code', '--url', 'http://gate.example', '--key', 'sk-1', '--model', 'm']
    const home = await aFolder()
    const config = { HOME: home, USERPROFILE: home }
    const set = await aProcess({ folder: home, args: words, config: { ...config, http_proxy: proxy.url } }).ended
    expect([set.code, set.out]).toEqual([0, expect.stringContaining('It works')])
    expect(proxy.asked).toEqual(['gate.example'])
    const wrong = await aProcess({ folder: home, args: words, config: { ...config, http_proxy: 'proxy:1' } }).ended
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('must be the address of a proxy')])
  })

  it('certificates that the system trusts are trusted, unless that is switched off', async () => {
    const { cert, key: secret } = aCertificate()
    const secure = createServer({ cert, key: secret }, (_, answer) => {
      answer.setHeader('content-type', 'application/json')
      answer.end(JSON.stringify(chatAnswer('hello')))
    })
    const port = await listening(secure)
    await world.channel({ models: 'secure', base_url: `https://localhost:${port}` })
    const SSL_CERT_FILE = join(world.folder, 'company.pem')
    writeFileSync(SSL_CERT_FILE, cert)
    const trusting = await started({ SSL_CERT_FILE, USE_SYSTEM_CERTIFICATES: 'true' })
    expect(await ask(trusting, 'secure')).toBe(200)
  })

  it('certificates of the system count for nothing where that is switched off', async () => {
    const { cert, key: secret } = aCertificate()
    const port = await listening(createServer({ cert, key: secret }, (_, answer) => answer.end()))
    await world.channel({ models: 'secure', base_url: `https://localhost:${port}` })
    const SSL_CERT_FILE = join(world.folder, 'company.pem')
    writeFileSync(SSL_CERT_FILE, cert)
    const url = await started({ SSL_CERT_FILE, USE_SYSTEM_CERTIFICATES: 'false' })
    expect(await ask(url, 'secure')).toBe(502)
  })
})

/** A proxy that resolves every name to the upstream. */
async function aProxy(port: number) {
  const asked: string[] = []
  const server = createHttpServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    const { host, pathname } = new URL(url)
    asked.push(host)
    const onward = request({ host: '127.0.0.1', port, path: pathname, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  return { url: `http://127.0.0.1:${await listening(server)}`, asked }
}

async function listening(server: Server): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => open.add(socket))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((done) => server.close(done))
  })
  return (server.address() as AddressInfo).port // it listens on a port, not on a pipe
}
