import { describe, expect, it } from 'vitest'
import { aClient, signedIn } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, PASSWORD } from '../../support/world.ts'
import { ask, askJson } from './raw.ts'

const DAY = 86_400
const cookieIn = (reply: { headers: { 'set-cookie'?: string[] } }) => reply.headers['set-cookie']?.[0] ?? ''

describe('a session (docs/reference/accounts.md#sessions)', () => {
  it('is 32 random bytes in a strict cookie, stored only as a hash', async () => {
    const { url, gateway } = await aWorld()
    const cookie = cookieIn(await askJson(`${url}/api/user/login`, { username: 'root', password: PASSWORD }))
    expect(cookie).toMatch(/^session=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax$/)
    const secret = cookie.slice('session='.length, cookie.indexOf(';'))
    const rows = await gateway.inner.db.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(rows.every(({ id_hash }) => /^[0-9a-f]{64}$/.test(id_hash))).toBe(true)
  })

  it('is Secure when a trusted proxy speaks https, and only then', async () => {
    const believed = await aWorld({ config: { TRUSTED_PROXIES: '127.0.0.1' } })
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }
    const credentials = { username: 'root', password: PASSWORD }
    const line = cookieIn(await askJson(`${believed.url}/api/user/login`, credentials, { headers }))
    expect(line).toMatch(/^__Host-session=[\w-]{43}; Path=\/; .*; Secure$/)
    // Over HTTPS the plain name, which any port of the host may set, is not read; over HTTP the other name is not.
    const [value = ''] = line.slice('__Host-session='.length).split(';')
    const statusOf = async (cookie: string, more: object) =>
      (await ask(`${believed.url}/api/user/self`, { headers: { cookie, 'new-api-user': '1', ...more } })).status
    expect(await statusOf(`__Host-session=${value}`, headers)).toBe(200)
    expect(await statusOf(`session=${value}`, headers)).toBe(401)
    expect(await statusOf(`__Host-session=${value}`, {})).toBe(401)
    const asked = { ...headers, cookie: `__Host-session=${value}`, 'new-api-user': '1' }
    const { status } = await askJson(`${believed.url}/pg/chat/completions`, { model: 'none' }, { headers: asked })
    expect(status).not.toBe(401)
    const out = await ask(`${believed.url}/api/user/logout`, { headers: asked })
    expect(cookieIn(out)).toMatch(/^__Host-session=; Path=\/; Max-Age=0;/)
    expect(await statusOf(`__Host-session=${value}`, headers)).toBe(401)
    const unbelieved = await aWorld()
    expect(cookieIn(await askJson(`${unbelieved.url}/api/user/login`, credentials, { headers }))).not.toMatch(/Secure/)
  })

  it('is new at every sign-in, and the one that was shown ends (no fixation)', async () => {
    const { url, user } = await aWorld()
    const alice = await user()
    const planted = alice.identity()
    const again = await askJson(
      `${url}/api/user/login`,
      { username: alice.username, password: PASSWORD },
      { headers: planted },
    )
    const fresh = cookieIn(again).split(';')[0]!
    expect(fresh).not.toBe(planted.cookie)
    expect((await alice.get('/api/user/self')).status).toBe(401)
    const chosen = { cookie: `session=${'A'.repeat(43)}` }
    const other = await askJson(
      `${url}/api/user/login`,
      { username: alice.username, password: PASSWORD },
      { headers: chosen },
    )
    expect(cookieIn(other)).not.toContain('A'.repeat(43))
  })

  it('really ends at sign-out, and signing out always succeeds', async () => {
    const { url, user, visitor } = await aWorld()
    const alice = await user()
    const reply = await ask(`${url}/api/user/logout`, { headers: alice.identity() })
    expect(reply.json).toEqual({ success: true, message: '', data: null })
    expect(cookieIn(reply)).toMatch(/^session=; Path=\/; Max-Age=0;/)
    expect((await alice.get('/api/user/self')).status).toBe(401)
    expect((await visitor.get('/api/user/logout')).success).toBe(true)
  })

  it('lives 30 days after its last use and 90 days in all', async () => {
    const clock = aClock(1_700_000_000_000)
    const { user } = await aWorld({ clock })
    const alice = await user()
    const isIn = async () => (await alice.get('/api/user/self')).status === 200
    for (const days of [29, 29, 29]) {
      clock.advanceSeconds(days * DAY)
      expect(await isIn()).toBe(true)
    }
    clock.advanceSeconds(3 * DAY)
    expect(await isIn()).toBe(false)
    const bob = await user()
    clock.advanceSeconds(30 * DAY)
    expect((await bob.get('/api/user/self')).status).toBe(401)
  })

  it('writes its last use at most once a minute', async () => {
    const clock = aClock(1_700_000_000_000)
    const { user, gateway } = await aWorld({ clock })
    const alice = await user()
    const seen = async () => {
      await alice.get('/api/user/self')
      const row = await gateway.inner.db
        .selectFrom('sessions')
        .select('last_seen_at')
        .where('user_id', '=', alice.id)
        .executeTakeFirstOrThrow()
      return row.last_seen_at - 1_700_000_000
    }
    clock.advanceSeconds(59)
    expect(await seen()).toBe(0)
    clock.advanceSeconds(1)
    expect(await seen()).toBe(60)
  })
})

describe('rights are read at each call (docs/reference/accounts.md#authorization)', () => {
  const set = (world: Awaited<ReturnType<typeof aWorld>>, id: number, change: object) =>
    world.gateway.inner.db.updateTable('users').set(change).where('id', '=', id).execute()

  it('a ban counts at once', async () => {
    const world = await aWorld()
    const alice = await world.user()
    await set(world, alice.id, { status: 2 })
    expect(await alice.get('/api/user/self')).toMatchObject({
      status: 200,
      success: false,
      message: 'This account has been banned',
    })
  })

  it('a demotion counts at once', async () => {
    const world = await aWorld()
    const admin = await world.user({ role: 10 })
    expect((await admin.get('/api/group')).success).toBe(true)
    await set(world, admin.id, { role: 1 })
    expect((await admin.get('/api/group')).success).toBe(false)
  })

  it('a deactivated account is signed out', async () => {
    const world = await aWorld()
    const alice = await world.user()
    await set(world, alice.id, { deleted_at: 1_700_000_000 })
    expect(await alice.get('/api/user/self')).toMatchObject({
      status: 401,
      message: 'This account has been deactivated',
    })
    await expect(signedIn(world.url, alice.username, PASSWORD)).rejects.toThrow('Wrong username or password')
  })

  it('a state that is neither active nor banned counts as banned', async () => {
    const world = await aWorld()
    const alice = await world.user()
    await set(world, alice.id, { status: 3 })
    expect((await alice.get('/api/user/self')).message).toBe('This account has been banned')
  })
})

describe('sign-in (docs/reference/accounts.md#login)', () => {
  const login = (url: string, username: string, password: string) =>
    aClient(url).post('/api/user/login', { username, password })

  it('takes a username or an e-mail address in any case and answers six fields', async () => {
    const world = await aWorld()
    const alice = await world.user()
    await world.gateway.inner.db
      .updateTable('users')
      .set({ email: 'Alice@Example.com' })
      .where('id', '=', alice.id)
      .execute()
    const { username } = alice
    const wanted = { id: alice.id, username, display_name: username, role: 1, status: 1, group: 'default' }
    expect((await login(world.url, username, PASSWORD)).data).toEqual(wanted)
    expect((await login(world.url, 'alice@example.COM', PASSWORD)).data).toEqual(wanted)
  })

  it('has the same message for a wrong name, a wrong password, a banned account and one without a password', async () => {
    const world = await aWorld()
    const [alice, banned, bare] = await Promise.all([world.user(), world.user(), world.user()])
    const { db } = world.gateway.inner
    await db.updateTable('users').set({ status: 2 }).where('id', '=', banned.id).execute()
    await db.updateTable('users').set({ password: '' }).where('id', '=', bare.id).execute()
    const message = 'Wrong username or password, or the account is banned'
    for (const [name, password] of [
      ['nobody', PASSWORD],
      [alice.username, 'wrong-password'],
      [banned.username, PASSWORD],
      [bare.username, PASSWORD],
    ] as const)
      expect(await login(world.url, name, password)).toMatchObject({ status: 200, success: false, message })
    expect((await login(world.url, '', PASSWORD)).message).toBe('Invalid parameters')
    expect((await login(world.url, alice.username, '')).message).toBe('Invalid parameters')
  })

  it('closes an account to strangers after ten failures, for 15 minutes, and never to its owner', async () => {
    const clock = aClock(1_700_000_000_000)
    const world = await aWorld({ clock, config: { TRUSTED_PROXIES: '127.0.0.1' } })
    const alice = await world.user()
    const from = (ip: string, password: string, username = alice.username) =>
      askJson(`${world.url}/api/user/login`, { username, password }, { headers: { 'x-forwarded-for': ip } })
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect((await from(`203.0.113.${attempt}`, 'wrong-one')).status).toBe(200)
    const blocked = await from('203.0.113.99', PASSWORD)
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers['retry-after'])).toBe(900)
    // An entered name is always limited as a name, even if it looks like the key of an account at an address.
    for (const name of [`${alice.id} at 127.0.0.1`, `account ${alice.id} at 127.0.0.1`])
      for (let attempt = 0; attempt < 10; attempt += 1) await from('203.0.113.98', 'wrong-one', name)
    expect((await alice.get('/api/user/self')).success).toBe(true)
    expect((await login(world.url, alice.username, PASSWORD)).success).toBe(true)
    clock.advanceSeconds(900)
    expect((await from('203.0.113.99', PASSWORD)).json.success).toBe(true)
  })

  it('counts failures for an address regardless of its letter case', async () => {
    const world = await aWorld({ config: { TRUSTED_PROXIES: '127.0.0.1' } })
    const alice = await world.user()
    const { db } = world.gateway.inner
    await db.updateTable('users').set({ email: 'alice@example.com' }).where('id', '=', alice.id).execute()
    const from = async (ip: string, username: string) => {
      const headers = { 'x-forwarded-for': ip }
      return (await askJson(`${world.url}/api/user/login`, { username, password: 'wrong-one' }, { headers })).status
    }
    const names = ['alice@example.com', 'Alice@Example.com']
    for (let attempt = 0; attempt < 10; attempt += 1)
      expect(await from(`203.0.113.${attempt}`, names[attempt % 2] ?? '')).toBe(200)
    expect(await from('203.0.113.99', 'ALICE@EXAMPLE.COM')).toBe(429)
  })

  it('answers 429 while too many passwords are being checked', async () => {
    const world = await aWorld()
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) => login(world.url, `nobody${index}`, PASSWORD)),
    )
    const busy = replies.filter(({ status }) => status === 429)
    expect(busy.length).toBeGreaterThan(0)
    expect(busy[0]?.headers.get('retry-after')).toBe('1')
  })

  it('by password, where it is off, is off for root and on this machine as well: recovery is by the shell', async () => {
    const world = await aWorld()
    const alice = await world.user()
    await world.gateway.inner.settings.set('PasswordLoginEnabled', 'false')
    const closed = 'Password login has been turned off by the administrator'
    expect((await login(world.url, alice.username, PASSWORD)).message).toBe(closed)
    expect((await login(world.url, 'root', PASSWORD)).message).toBe(closed)
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    const afar = await askJson(`${world.url}/api/user/login`, { username: 'root', password: PASSWORD }, { headers })
    expect(afar.json.message).toBe(closed)
  })
})
