import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataOf } from '../../../support/client.ts'
import { aHttpProxy, aSocksProxy, aSpeaker, type LoopbackProxy } from '../../../support/proxies.ts'
import { aWorld, type World } from '../../../support/world.ts'
import { aCertificate } from './certificate.ts'

const WHO = { user: 'me', password: 'p@ss word' }
const LOGIN = `${WHO.user}:${encodeURIComponent(WHO.password)}`

let world: World
let secure: Server
let https: string
let http: LoopbackProxy
let socks: LoopbackProxy
const trusted = getCACertificates('default')

beforeAll(async () => {
  const certificate = aCertificate()
  setDefaultCACertificates([...trusted, certificate.cert])
  secure = createServer(certificate, (_, response) => response.writeHead(404).end('nothing here'))
  secure.listen(0, '127.0.0.1')
  await once(secure, 'listening')
  https = `https://localhost:${(secure.address() as AddressInfo).port}`
  world = await aWorld({ config: { UPSTREAM_CONNECT_TIMEOUT: '3' } })
  ;[http, socks] = [await aHttpProxy(WHO), await aSocksProxy(WHO)]
})
beforeEach(() => {
  world.upstream.reset()
  http.asked.length = 0
  socks.asked.length = 0
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  secure.closeAllConnections()
  await Promise.all([http.stop(), socks.stop(), new Promise((done) => secure.close(done))])
})

const verified = async (proxy: string, base_url = world.upstream.url, type = 1) =>
  dataOf(await world.admin.post('/api/channel/proxy', { proxy, type, base_url }))
const at = (scheme: string, { port }: LoopbackProxy, login = `${LOGIN}@`) => `${scheme}://${login}127.0.0.1:${port}`
/** An address on which nothing listens. */
const NOWHERE = 'http://127.0.0.1:1'

describe('an outbound proxy', () => {
  it.each([
    ['http', () => http],
    ['socks5', () => socks],
    ['socks5h', () => socks],
  ])('of %s passes if it reaches an upstream, for any response of that', async (scheme, proxy) => {
    for (const status of [200, 401, 404]) {
      world.upstream.answers({ status, body: { error: 'who are you' } })
      expect(await verified(at(scheme, proxy()))).toMatchObject({ ok: true, code: 'ok', ms: expect.any(Number) })
    }
    expect(proxy().asked).toHaveLength(3)
    expect(world.upstream.requests.map(({ method, headers }) => [method, headers.authorization])).toEqual([
      ['GET', undefined],
      ['GET', undefined],
      ['GET', undefined],
    ])
  })

  it.each([
    ['http', () => http],
    ['socks5', () => socks],
    ['socks5h', () => socks],
  ])('of %s leads through a tunnel to an encrypted one', async (scheme, proxy) => {
    expect(await verified(at(scheme, proxy()), `${https}/`)).toMatchObject({
      ok: true,
      code: 'ok',
      message: 'HTTP 404',
    })
    expect(proxy().asked).toEqual([new URL(https).host])
  })

  it.each([
    ['http', 'a wrong password', () => at('http', http, 'me:wrong@')],
    ['http', 'no user', () => at('http', http, '')],
    ['socks5', 'a wrong password', () => at('socks5', socks, 'me:wrong@')],
    ['socks5', 'no user', () => at('socks5', socks, '')],
  ])('of %s refuses %s', async (_scheme, _who, proxy) => {
    const refused = { ok: false, code: 'proxy_refused' }
    expect(await verified(proxy())).toMatchObject(refused)
    expect(await verified(proxy(), https)).toMatchObject(refused)
    expect(world.upstream.requests).toEqual([])
  })

  it('refuses a destination by its own rules', async () => {
    expect((await verified(at('socks5h', socks), 'http://forbidden.example')).code).toBe('proxy_refused')
    const strict = await aSpeaker('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
    expect((await verified(at('http', strict, ''), https)).code).toBe('proxy_refused')
    await strict.stop()
  })

  it.each(['http', 'https', 'socks5', 'socks5h'])(
    'of %s that does not exist is reported as unreachable',
    async (scheme) => {
      const verdict = await verified(`${scheme}://${LOGIN}@127.0.0.1:1`)
      expect(verdict).toMatchObject({ ok: false, code: 'proxy_unreachable', message: '' })
    },
  )

  it.each([
    ['http', () => http],
    ['socks5', () => socks],
  ])('of %s that works reports an upstream that is unreachable', async (scheme, proxy) => {
    const unreachable = { ok: false, code: 'upstream_unreachable' }
    expect(await verified(at(scheme, proxy()), NOWHERE)).toMatchObject(unreachable)
    expect(await verified(at(scheme, proxy()), NOWHERE.replace('http', 'https'))).toMatchObject(unreachable)
  })

  it('of socks5 that waits in vain for an upstream reports the upstream as unreachable', async () => {
    const { admin } = await aWorld({ config: { UPSTREAM_CONNECT_TIMEOUT: '1' } })
    const asked = { proxy: at('socks5', socks), type: 1, base_url: 'https://silent.example' }
    expect(dataOf(await admin.post('/api/channel/proxy', asked)).code).toBe('upstream_unreachable')
  })

  it('reports an upstream with an untrusted certificate', async () => {
    setDefaultCACertificates(trusted)
    const other = await aHttpProxy()
    expect((await verified(at('http', other, ''), https.replace('localhost', '127.0.0.1'))).code).toBe(
      'upstream_unreachable',
    )
    await other.stop()
  })

  it.each(['', 'nonsense', '127.0.0.1:8080', 'ftp://127.0.0.1', 'socks4://127.0.0.1', 'http://'])(
    'is not accepted as %j',
    async (proxy) => {
      expect(await verified(proxy)).toEqual({ ok: false, ms: 0, code: 'not_a_proxy', message: '' })
    },
  )

  it.each([
    ['a web server', 'http', 'HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n'],
    ['a mail server', 'http', '220 mail ready\r\n'],
    ['a web server', 'socks5', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['what hangs up', 'http', ''],
  ])('is not %s, contacted by %s', async (_what, scheme, words) => {
    const speaker = await aSpeaker(words)
    expect((await verified(at(scheme, speaker, ''), https)).code).toBe('not_a_proxy')
    await speaker.stop()
  })

  it('never shows its password', async () => {
    const answers = [
      await verified(at('http', http, 'me:my-secret@')),
      await verified('http://me:my-secret@127.0.0.1:1'),
      await verified('ftp://me:my-secret@127.0.0.1'),
      (await world.admin.post('/api/channel/proxy', { proxy: 'http://me:my-secret@169.254.169.254', type: 1 })).body,
    ]
    expect(JSON.stringify(answers)).not.toContain('my-secret')
  })

  it('is never used for, nor contacted at, a metadata service', async () => {
    const asked = [
      { proxy: at('http', http), base_url: 'http://169.254.169.254' },
      { proxy: at('http', http), base_url: 'file:///etc/passwd' },
      { proxy: 'http://169.254.169.254:80', base_url: world.upstream.url },
      { proxy: 'socks5://metadata.google.internal', base_url: world.upstream.url },
      { proxy: 'http://[::ffff:169.254.169.254]:80', base_url: world.upstream.url },
    ]
    for (const one of asked)
      expect(await world.admin.post('/api/channel/proxy', { type: 1, ...one })).toMatchObject({ success: false })
    expect(http.asked).toEqual([])
  })

  it('is tested with the address of the type where none is given, which some types do not have', async () => {
    const open = await aSpeaker('HTTP/1.1 407 Who\r\ncontent-length: 0\r\n\r\n')
    expect((await verified(at('http', open, ''), '', 1)).code).toBe('proxy_refused')
    for (const type of [33, 41]) expect((await verified(at('http', open, ''), '', type)).code).toBe('proxy_refused')
    const { success, message } = await world.admin.post('/api/channel/proxy', { proxy: at('http', open), type: 3 })
    expect([success, message]).toEqual([false, expect.stringContaining('base_url')])
    await open.stop()
  })

  it('is for administrators to verify', async () => {
    const person = await world.user()
    expect((await person.post('/api/channel/proxy', { proxy: at('http', http), type: 1 })).success).toBe(false)
  })
})
