import { beforeAll, describe, expect, it } from 'vitest'
import { createHostGuard } from '../../../gateway/api/middleware/host.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type World } from '../../support/world.ts'
import { ask } from './raw.ts'

describe('the console API is same-origin only (docs/reference/security.md#same-origin-calls)', () => {
  let world: World
  beforeAll(async () => {
    world = await aWorld()
  })
  const self = (headers: Record<string, string>, path = '/api/user/self') =>
    ask(world.url + path, { headers: { ...world.admin.identity(), ...headers } })

  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: 'http://localhost:3000' }],
    [{ origin: 'http://127.0.0.1' }],
    [{ origin: 'file://' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('refuses %j on every call', async (headers) => {
    for (const path of ['/api/user/self', '/api/user/logout', '/api/status', '/api/setup', '/api/nothing'])
      expect((await self(headers, path)).status, path).toBe(403)
    expect((await self({})).json.success).toBe(true)
  })

  it('lets its own pages and programs in', async () => {
    expect((await self({ origin: world.url, 'sec-fetch-site': 'same-origin' })).json.success).toBe(true)
    expect((await self({ 'sec-fetch-site': 'none' })).json.success).toBe(true)
    expect((await self({})).json.success).toBe(true)
  })

  it.each([
    '/api/user/logout',
    '/api/verification?email=ann@example.org',
    '/api/reset_password?email=ann@example.org',
    '/api/oauth/state',
    '/api/oauth/wechat?code=1',
    '/api/oauth/telegram/login?id=1&auth_date=1&hash=1',
  ])(
    'refuses GET %s without the user-id header, as a page of another site would send it over plain http',
    async (path) => {
      const { cookie = '' } = world.admin.identity()
      for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*']) {
        const reply = await ask(world.url + path, { headers: { cookie, accept } })
        expect([reply.status, reply.json.message]).toEqual([403, 'Request refused: it came from another site'])
        expect(reply.headers['set-cookie']).toBeUndefined()
      }
      expect((await self({})).json.success).toBe(true)
      for (const header of ['new-api-user', 'user-id'])
        expect((await ask(world.url + path, { headers: { [header]: '-1' } })).json.message).not.toContain(
          'another site',
        )
    },
  )

  it('refuses a WeChat or Telegram login if the browser has not started one', async () => {
    await world.option('TelegramBotToken', '1:bot-token')
    await world.option('TelegramBotName', 'a_bot')
    await world.option('TelegramOAuthEnabled', true)
    const path = '/api/oauth/telegram/login?id=1&auth_date=1&hash=1'
    expect((await world.visitor.get(path)).message).toBe('This login request is not valid or has expired. Start again.')
    expect((await world.visitor.get('/api/oauth/wechat?code=1')).message).toContain('Start again.')
    const begun = await world.visitor.get('/api/oauth/state')
    const cookie = begun.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const headers = { cookie, 'new-api-user': '-1' }
    expect((await ask(world.url + path, { headers })).json.message).toBe('Invalid request signature')
  })

  it('believes the configured server address as an origin, for proxies that rewrite Host', async () => {
    const origin = 'https://switchyard.example'
    expect((await self({ origin })).status).toBe(403)
    await world.option('ServerAddress', origin)
    expect((await self({ origin })).json.success).toBe(true)
    expect((await self({ origin: 'http://switchyard.example' })).status).toBe(403)
    await world.option('ServerAddress', '')
  })

  it('never sends CORS headers', async () => {
    const reply = await ask(`${world.url}/api/status`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    })
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(reply.status).toBe(403)
  })
})

describe('the Host allow-list (docs/reference/security.md#host-names)', () => {
  it('answers 421 to every other name on every path', async () => {
    const world = await aWorld({ config: { ALLOWED_HOSTS: 'console.example' } })
    const { port } = new URL(world.url)
    const statusOf = async (host: string, path: string) => (await ask(world.url + path, { headers: { host } })).status
    for (const path of ['/', '/api/status', '/api/setup', '/v1/models', '/nothing', '/assets/x.js']) {
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        'localhost:1',
        `localhost.evil.example:${port}`,
        `127.0.0.1.:${port}`,
        `0.0.0.0:${port}`,
      ])
        expect(await statusOf(host, path), `${host} ${path}`).toBe(421)
      for (const host of [
        `localhost:${port}`,
        `LOCALHOST:${port}`,
        `127.0.0.1:${port}`,
        `[::1]:${port}`,
        'console.example',
        `console.example:${port}`,
      ])
        expect(await statusOf(host, path), `${host} ${path}`).not.toBe(421)
    }
    expect(await statusOf('switchyard.example', '/api/status')).toBe(421)
    const said = async (language: string) =>
      (await ask(`${world.url}/v1/models`, { headers: { host: 'evil.example', 'accept-language': language } })).text
    expect(await said('en')).toContain('Add it to ALLOWED_HOSTS')
    expect(await said('zh-CN')).toContain('请将其加入 ALLOWED_HOSTS')
    await world.option('ServerAddress', 'https://switchyard.example')
    expect(await statusOf('switchyard.example', '/api/status')).toBe(200)
  })

  it('knows the addresses of this machine when listening beyond loopback, and finds new ones', () => {
    const clock = aClock(0)
    let own = ['192.168.1.5']
    let bound: { address: string; port: number } | undefined
    const guard = createHostGuard({
      bound: () => bound,
      serverAddress: () => '',
      allowed: [],
      clock,
      ownAddresses: () => own,
    })
    expect(guard.isKnown('127.0.0.1:6411')).toBe(false)
    bound = { address: '0.0.0.0', port: 6411 }
    expect(guard.isKnown('192.168.1.5:6411')).toBe(true)
    expect(guard.isKnown('192.168.1.5')).toBe(false)
    expect(guard.isKnown('0.0.0.0:6411')).toBe(false)
    own = ['192.168.1.6', 'fd00::6']
    expect(guard.isKnown('192.168.1.6:6411')).toBe(false)
    clock.advanceSeconds(5)
    expect(guard.isKnown('192.168.1.6:6411')).toBe(true)
    expect(guard.isKnown('[fd00::6]:6411')).toBe(true)
    bound = { address: '127.0.0.1', port: 80 }
    expect(guard.isKnown('localhost')).toBe(true)
    expect(guard.isKnown('192.168.1.6')).toBe(false)
    expect(guard.isKnown(undefined)).toBe(false)
  })

  it('knows a name of ALLOWED_HOSTS with every port, unless the list has a port', () => {
    const allowed = ['Gate.example', 'other.example:8080', '10.0.0.9', 'fd00::7']
    const bound = { address: '127.0.0.1', port: 6411 }
    const guard = createHostGuard({ bound: () => bound, serverAddress: () => '', allowed, clock: aClock(0) })
    for (const host of ['gate.example', 'GATE.example:8080', 'other.example:8080', '10.0.0.9:1', '[fd00::7]:80'])
      expect(guard.isKnown(host), host).toBe(true)
    for (const host of ['other.example', 'other.example:6411', 'x.gate.example', 'gate.example:', 'gate.example:x'])
      expect(guard.isKnown(host), host).toBe(false)
    expect(guard.wouldKnow('gate.example:9', '')).toBe(true)
  })
})
