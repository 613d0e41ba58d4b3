import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isInContainer } from '../../../../gateway/base/container.ts'
import { aClient, setupPath, signedIn } from '../../../support/client.ts'
import { aFreshGateway, rootFields } from '../fresh-gateway.ts'
import { askJson } from '../raw.ts'

/** Makes the gateway treat a call as coming from another machine: a proxy has forwarded it. */
const elsewhere = { headers: { 'x-forwarded-for': '203.0.113.9' } }

describe('the first setup (docs/reference/accounts.md#first-setup)', () => {
  it('is reported as open at the first start', async () => {
    const { url } = await aFreshGateway()
    const { data } = await aClient(url).get('/api/setup')
    expect(data).toEqual({ status: false, root_init: false, database_type: 'sqlite', in_container: isInContainer() })
    expect((await aClient(url).get('/api/status')).data.setup).toBe(false)
  })

  it('makes a root account with its quota in the ledger, stores the two choices and closes', async () => {
    const { url, inner, setupLink } = await aFreshGateway()
    const visitor = aClient(url)
    const reply = await visitor.post(setupPath(setupLink), { ...rootFields, SelfUseModeEnabled: true })
    expect(reply).toMatchObject({ status: 200, success: true, message: 'Initialization complete' })
    expect((await visitor.get('/api/setup')).data).toEqual({
      status: true,
      root_init: false,
      database_type: '',
      in_container: false,
    })
    expect((await visitor.get('/api/status')).data).toMatchObject({
      setup: true,
      self_use_mode_enabled: true,
      demo_site_enabled: false,
    })
    const root = await signedIn(url, 'root', 'a-long-password')
    expect((await root.get('/api/user/self')).data).toMatchObject({
      role: 100,
      status: 1,
      display_name: 'Root User',
      quota: 100_000_000,
    })
    const ledger = await inner.db.selectFrom('ledger').selectAll().execute()
    expect(ledger).toMatchObject([{ user_id: root.id, kind: 'grant', amount: 100_000_000, balance_after: 100_000_000 }])
    expect(await visitor.post(setupPath(setupLink), rootFields)).toMatchObject({
      success: false,
      message: 'The system has already been initialized',
    })
  })

  it('makes a site for demonstration where that is chosen', async () => {
    const { url, inner, setupLink } = await aFreshGateway()
    const demo = { ...rootFields, SelfUseModeEnabled: false, DemoSiteEnabled: true }
    expect(await aClient(url).post(setupPath(setupLink), demo)).toMatchObject({ success: true })
    const { data } = await aClient(url).get('/api/status')
    expect(data).toMatchObject({ demo_site_enabled: true, self_use_mode_enabled: false })
    expect(inner.settings.get('DemoSiteEnabled')).toBe(true)
  })

  it('lets one of twenty concurrent posts through and makes one root', async () => {
    const { url, inner, setupLink } = await aFreshGateway()
    const posts = Array.from({ length: 20 }, (_, index) =>
      aClient(url).post(setupPath(setupLink), { ...rootFields, username: `root${index}` }),
    )
    const replies = await Promise.all(posts)
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(await inner.db.selectFrom('users').select('role').execute()).toEqual([{ role: 100 }])
    expect(await inner.db.selectFrom('setups').select('id').execute()).toEqual([{ id: 1 }])
    expect(await inner.db.selectFrom('ledger').select('amount').execute()).toEqual([{ amount: 100_000_000 }])
  })

  it.each([
    [{ username: ' ' }, 'Enter the admin username'],
    [{ username: 'thirteen-long' }, 'The username can have at most 12 characters'],
    [
      { username: 'a@b' },
      'The username cannot contain @, control or invisible characters, letters in unusual forms, or similar alphabets mixed',
    ],
    [
      { username: 'a\u202eb' },
      'The username cannot contain @, control or invisible characters, letters in unusual forms, or similar alphabets mixed',
    ],
    [{ confirmPassword: 'another-one' }, 'The two passwords do not match'],
    [{ password: 'short', confirmPassword: 'short' }, 'The password must have at least 8 characters'],
    [{ password: 'x'.repeat(129), confirmPassword: 'x'.repeat(129) }, 'The password can have at most 128 characters'],
  ])('refuses %j', async (change, message) => {
    const { url, inner, setupLink } = await aFreshGateway()
    expect(await aClient(url).post(setupPath(setupLink), { ...rootFields, ...change })).toMatchObject({
      status: 200,
      success: false,
      message,
    })
    expect(await inner.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  it('accepts a password of 128 characters in any script, and signs in with it', async () => {
    const { url, setupLink } = await aFreshGateway()
    const password = '🔑'.repeat(128)
    const fields = { ...rootFields, password, confirmPassword: password }
    expect(await aClient(url).post(setupPath(setupLink), fields)).toMatchObject({ success: true })
    expect((await (await signedIn(url, 'root', password)).get('/api/user/self')).data).toMatchObject({ role: 100 })
  })

  it('counts characters as people do: twelve Chinese ones fit', async () => {
    const { url, setupLink } = await aFreshGateway()
    const fields = { ...rootFields, username: '管'.repeat(12) }
    expect((await aClient(url).post(setupPath(setupLink), fields)).success).toBe(true)
  })
})

describe('setup from elsewhere (docs/reference/security.md#setup-takeover)', () => {
  it('is refused without the one-time code or with a wrong one', async () => {
    const { url, inner } = await aFreshGateway()
    for (const query of ['', '?code=', '?code=wrong'])
      expect((await askJson(`${url}/api/setup${query}`, rootFields, elsewhere)).json).toMatchObject({ success: false })
    expect(await inner.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  it('is accepted with the code of the setup link, which dies with it', async () => {
    const gateway = await aFreshGateway()
    const code = new URL(gateway.setupLink ?? '').searchParams.get('code')
    expect(Buffer.from(code ?? '', 'base64url')).toHaveLength(24)
    const query = `?code=${encodeURIComponent(code ?? '')}`
    expect((await askJson(`${gateway.url}/api/setup${query}`, rootFields, elsewhere)).json).toMatchObject({
      success: true,
    })
    expect((await gateway.restart()).setupLink).toBeNull()
  })

  it('has another code at each start', async () => {
    const gateway = await aFreshGateway()
    const again = await gateway.restart()
    const [first, second] = [gateway, again].map(({ setupLink }) => new URL(setupLink ?? '').searchParams.get('code'))
    expect(first).not.toBe(second)
  })

  it('is not fooled by a spoofed address', async () => {
    const { url } = await aFreshGateway()
    const spoofed = { headers: { 'x-forwarded-for': '127.0.0.1' } }
    expect((await askJson(`${url}/api/setup`, rootFields, spoofed)).json).toMatchObject({ success: false })
  })
})

describe('the one-time code', () => {
  it('is required on this machine as well: a proxy on it that adds no header looks the same', async () => {
    const { url, inner } = await aFreshGateway()
    for (const query of ['', '?code=', '?code=wrong'])
      expect(await aClient(url).post(`/api/setup${query}`, rootFields)).toMatchObject({
        success: false,
        message: /one-time code is missing or wrong/,
      })
    expect(await inner.db.selectFrom('users').select('id').execute()).toEqual([])
  })

  it('is in the file setup-link of the data folder, readable only by its owner, until the setup is done', async () => {
    const { url, folder, setupLink } = await aFreshGateway()
    const file = join(folder, 'setup-link')
    expect(readFileSync(file, 'utf8')).toBe(`${setupLink}\n`)
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect((await aClient(url).post(setupPath(setupLink), rootFields)).success).toBe(true)
    expect(readdirSync(folder).filter((name) => name.startsWith('setup-link'))).toEqual([])
  })

  it('leaves no file behind that an earlier run could not remove', async () => {
    const gateway = await aFreshGateway()
    await aClient(gateway.url).post(setupPath(gateway.setupLink), rootFields)
    for (const name of ['setup-link', 'setup-link.part']) writeFileSync(join(gateway.folder, name), 'old')
    await gateway.restart()
    expect(readdirSync(gateway.folder).filter((name) => name.startsWith('setup-link'))).toEqual([])
  })

  it('is the newest one in the file after a restart', async () => {
    const gateway = await aFreshGateway()
    const again = await gateway.restart()
    expect(readFileSync(join(gateway.folder, 'setup-link'), 'utf8')).toBe(`${again.setupLink}\n`)
    expect((await aClient(again.url).post(setupPath(gateway.setupLink), rootFields)).success).toBe(false)
    expect((await aClient(again.url).post(setupPath(again.setupLink), rootFields)).success).toBe(true)
  })

  it('may be guessed so often from one address and from all, and the right one still opens', async () => {
    const limits = { CRITICAL_RATE_LIMIT: '3', TRUSTED_PROXIES: '127.0.0.1' }
    const { url, setupLink } = await aFreshGateway(limits)
    const guess = async (ip: string) =>
      (await askJson(`${url}/api/setup?code=guess`, rootFields, { headers: { 'x-forwarded-for': ip } })).status
    const one = []
    for (let count = 0; count < 5; count += 1) one.push(await guess('203.0.113.9'))
    expect(one).toEqual([200, 200, 200, 429, 429])
    const many = []
    for (let count = 0; count < 40; count += 1) many.push(await guess(`198.51.100.${count}`))
    expect(many.filter((status) => status === 200)).toHaveLength(27)
    const owner = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    expect((await askJson(url + setupPath(setupLink), rootFields, owner)).json).toMatchObject({ success: true })
  })
})

describe('a start on the remains of an earlier run', () => {
  it('counts a root account without a setups row as done and writes the row', async () => {
    const gateway = await aFreshGateway()
    await aClient(gateway.url).post(setupPath(gateway.setupLink), rootFields)
    await gateway.inner.db.deleteFrom('setups').execute()
    const again = await gateway.restart()
    expect((await aClient(again.url).get('/api/setup')).data.status).toBe(true)
    expect(await again.inner.db.selectFrom('setups').select('id').execute()).toEqual([{ id: 1 }])
  })

  it('leaves setup open after one that failed half way', async () => {
    const { url, inner, setupLink } = await aFreshGateway()
    await inner.db
      .insertInto('ledger')
      .values({ created_at: 1, user_id: 1, kind: 'grant', amount: 1, ref_type: 'setup', ref_id: '1', balance_after: 1 })
      .execute()
    expect(await aClient(url).post(setupPath(setupLink), rootFields)).toMatchObject({ status: 500, success: false })
    expect(await inner.db.selectFrom('users').select('id').execute()).toEqual([])
    await inner.db.deleteFrom('ledger').execute()
    expect((await aClient(url).post(setupPath(setupLink), rootFields)).success).toBe(true)
  })
})

describe('a container', () => {
  it('is known by the file that Docker or Podman puts into it', () => {
    expect(isInContainer((path) => path === '/.dockerenv')).toBe(true)
    expect(isInContainer((path) => path === '/run/.containerenv')).toBe(true)
    expect(isInContainer(() => false)).toBe(false)
  })
})
