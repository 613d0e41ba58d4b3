import { describe, expect, it } from 'vitest'
import { aClock } from '../../support/clock.ts'
import { aWorld, PASSWORD } from '../../support/world.ts'
import { ask, askJson } from './raw.ts'

const proxied = { TRUSTED_PROXIES: '127.0.0.1' }
const from = (ip: string) => ({ headers: { 'x-forwarded-for': ip } })

describe('rate limits of the console (docs/reference/limits.md#console-rates)', () => {
  it('count calls by address, answer 429 with Retry-After, and allow calls again after the window', async () => {
    const clock = aClock(1_700_000_000_000)
    const { url } = await aWorld({ clock, config: { ...proxied, GLOBAL_API_RATE_LIMIT: '3' } })
    const status = (ip: string) => ask(`${url}/api/status`, from(ip))
    for (let call = 0; call < 3; call += 1) expect((await status('203.0.113.9')).status).toBe(200)
    const refused = await status('203.0.113.9')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '180'])
    expect(refused.json).toMatchObject({ success: false, message: 'Error: too many requests, try again later!' })
    expect((await status('203.0.113.10')).status).toBe(200)
    clock.advanceSeconds(180)
    expect((await status('203.0.113.9')).status).toBe(200)
  })

  it('allow a third of the limit for automatic requests of pages, and the rest for people', async () => {
    const { url } = await aWorld({ config: { ...proxied, GLOBAL_API_RATE_LIMIT: '6' } })
    const asked = async (headers = {}) =>
      (await ask(`${url}/api/status`, { headers: { 'x-forwarded-for': '203.0.113.9', ...headers } })).status
    const poll = () => asked({ 'x-switchyard-poll': '1' })
    expect([await poll(), await poll(), await poll()]).toEqual([200, 200, 429])
    expect([await asked(), await asked(), await asked(), await asked(), await asked()]).toEqual([
      200, 200, 200, 200, 429,
    ])
  })

  it('count by session after the login, so that a team behind one address does not share one limit', async () => {
    const world = await aWorld({ config: { ...proxied, GLOBAL_API_RATE_LIMIT: '12' } })
    const statuses = async (cookie: string, calls: number) => {
      const headers = { cookie, 'x-forwarded-for': '203.0.113.9' }
      const replies: number[] = []
      for (let call = 0; call < calls; call += 1)
        replies.push((await ask(`${world.url}/api/status`, { headers })).status)
      return replies
    }
    const cookieOf = async () => {
      const reply = await askJson(
        `${world.url}/api/user/login`,
        { username: 'root', password: PASSWORD },
        from('203.0.113.8'),
      )
      return String(reply.headers['set-cookie']).split(';')[0] ?? ''
    }
    const [first, second] = [await cookieOf(), await cookieOf()]
    expect(await statuses(first, 13)).toEqual([...Array(12).fill(200), 429])
    expect(await statuses(second, 12)).toEqual(Array(12).fill(200))
    // An invalid session is limited by address.
    expect(await statuses(`${first}x`, 13)).toEqual([...Array(12).fill(200), 429])
    expect(await statuses('session=made-up', 1)).toEqual([429])
  })

  it('count the calls of an account by access token together, from any number of addresses', async () => {
    const world = await aWorld({ config: { ...proxied, GLOBAL_API_RATE_LIMIT: '4' } })
    const alice = await world.user()
    const own = { 'new-api-user': String(alice.id), 'x-forwarded-for': '203.0.113.1' }
    const made = await ask(`${world.url}/api/user/token`, { headers: { ...alice.identity(), ...own } })
    const authorization = String(made.json?.data)
    const statuses: number[] = []
    for (let call = 0; call < 41; call += 1) {
      const headers = { ...own, authorization, 'x-forwarded-for': `198.51.100.${call}` }
      statuses.push((await ask(`${world.url}/api/user/self`, { headers })).status)
    }
    // Making the token was the first of forty calls.
    expect(statuses).toEqual([...Array(39).fill(200), 429, 429])
  })

  it('count unknown paths too', async () => {
    const { url } = await aWorld({ config: { ...proxied, GLOBAL_API_RATE_LIMIT: '2' } })
    for (let call = 0; call < 2; call += 1)
      expect((await ask(`${url}/api/nothing`, from('203.0.113.9'))).status).toBe(404)
    expect((await ask(`${url}/api/nothing`, from('203.0.113.9'))).status).toBe(429)
  })

  it('are not escaped by a made-up X-Forwarded-For (docs/reference/security.md#forwarded-addresses)', async () => {
    const open = async (config: Record<string, string>) =>
      (await aWorld({ config: { ...config, CRITICAL_RATE_LIMIT: '5' } })).url
    const spoof = async (url: string, header: (index: number) => string) => {
      const replies: number[] = []
      for (let index = 0; index < 8; index += 1) {
        const body = { username: `nobody${index}`, password: 'x' }
        replies.push((await askJson(`${url}/api/user/login`, body, from(header(index)))).status)
      }
      return replies.filter((status) => status === 429).length
    }
    // Three of eight are refused. Where no proxy is trusted it is four, since creating the world has used one login of
    // the shared address.
    expect(await spoof(await open({}), (index) => `203.0.113.${index}`)).toBe(4)
    const behind = await open(proxied)
    expect(await spoof(behind, (index) => `6.6.6.${index}, 203.0.113.9`)).toBe(3)
    expect(await spoof(behind, (index) => `2001:db8::${index + 1}`)).toBe(3)
  })

  it('do not let one family of calls lock another out', async () => {
    const { url } = await aWorld({ config: { ...proxied, CRITICAL_RATE_LIMIT: '2' } })
    const post = (path: string) => askJson(url + path, {}, from('203.0.113.9'))
    for (const wanted of [200, 200, 429]) expect((await post('/api/setup')).status).toBe(wanted)
    expect((await post('/api/user/login')).status).toBe(200)
  })

  it('give this machine no more than others: all clients of a proxy on it share its address', async () => {
    const { visitor } = await aWorld({ config: { GLOBAL_API_RATE_LIMIT: '20' } })
    const replies = await Promise.all(Array.from({ length: 30 }, () => visitor.get('/api/status')))
    // Setup and login have used two of the twenty.
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(18)
  })
})
