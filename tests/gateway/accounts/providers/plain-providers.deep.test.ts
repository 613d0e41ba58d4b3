import { createHash, createHmac } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { aClient, dataOf } from '../../../support/client.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aWorld, type Options, PASSWORD, type World } from '../../../support/world.ts'
import { aBrowser, type Browser } from './browser.ts'
import { aProvider } from './fake-provider.ts'

const people = {
  ann: { id: 1234, login: 'ann-at-github', name: 'Ann', email: 'Ann@Example.org' },
  bob: { id: 77, login: 'bob', name: null, email: null },
  lin: { id: 5, username: 'lin', name: 'Lin' },
  wei: { success: true, message: '', data: 'open-id-of-wei' },
  old: { success: false, message: 'expired', data: '' },
}
const options: Options = {
  GitHubClientId: 'client-1',
  GitHubClientSecret: 'secret-1',
  GitHubOAuthEnabled: true,
  LinuxDOClientId: 'client-2',
  LinuxDOClientSecret: 'secret-2',
  LinuxDOOAuthEnabled: true,
  TelegramBotToken: '1:bot-token',
  TelegramOAuthEnabled: true,
}

let world: World
let provider: Awaited<ReturnType<typeof aProvider>>
let browser: Browser
beforeEach(async () => {
  provider = await aProvider(people)
  const providers = { github: provider.url, githubApi: provider.url, linuxdo: provider.url }
  world = await aWorld({ options, providers })
  browser = aBrowser(world.url)
})

const stateOf = async (of: Browser = browser, query = '') => dataOf(await of.get(`/api/oauth/state${query}`))
const comesBack = async (code: string, { of = browser, at = 'github', query = '' } = {}) =>
  of.get(`/api/oauth/${at}?code=${code}&state=${await stateOf(of, query)}`)
const rowOf = (id: number) =>
  world.gateway.inner.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('a login by GitHub (docs/reference/accounts.md#login-providers)', () => {
  it('creates an account, and finds it again by its number even after it was renamed', async () => {
    await world.option('QuotaForNewUser', 700)
    const first = dataOf(await comesBack('ann'))
    expect(first).toEqual({
      id: first.id,
      username: `github_${first.id}`,
      display_name: 'Ann',
      role: 1,
      status: 1,
      group: 'default',
    })
    expect(await rowOf(first.id)).toMatchObject({
      github_id: '1234',
      email: 'ann@example.org',
      quota: 700,
      password: '',
    })
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
    browser.is(first.id)
    expect(dataOf(await browser.get('/api/user/self')).id).toBe(first.id)
    const another = aBrowser(world.url)
    people.ann.login = 'renamed'
    expect(dataOf(await comesBack('ann', { of: another })).id).toBe(first.id)
    const [token, profile] = provider.asked
    expect(Object.fromEntries(token?.form ?? [])).toMatchObject({
      client_id: 'client-1',
      client_secret: 'secret-1',
      code: 'ann',
      redirect_uri: `${world.url}/oauth/github`,
    })
    expect(profile?.headers.authorization).toMatch(/^bearer token-ann$/i)
    await expect(
      world.visitor.post('/api/user/login', { username: first.username, password: '' }),
    ).resolves.toMatchObject({
      success: false,
    })
  })

  /** Records an import this many days ago. */
  const imported = async (daysAgo: number) => {
    const created_at = Math.floor(world.clock.now() / 1000) - daysAgo * 86_400
    await world.gateway.inner.db.insertInto('imports').values({ origin: 'new-api', source: 's', created_at }).execute()
  }

  it('finds a user once by the name bound in an import, then binds the number and logs it', async () => {
    const person = await world.user()
    const { db } = world.gateway.inner
    await imported(89)
    await db.updateTable('users').set({ github_id: 'bob' }).where('id', '=', person.id).execute()
    expect(dataOf(await comesBack('bob')).id).toBe(person.id)
    expect((await rowOf(person.id)).github_id).toBe('77')
    const rows = await db.selectFrom('logs').select(['content', 'type']).where('user_id', '=', person.id).execute()
    const content = 'Your account was opened with GitHub by the name bob of an import, and linked to its number'
    expect(rows).toContainEqual({ content, type: 3 })
  })

  it('does not log in by a name from an import more than 90 days later', async () => {
    const person = await world.user()
    await imported(91)
    await world.gateway.inner.db.updateTable('users').set({ github_id: 'bob' }).where('id', '=', person.id).execute()
    expect(dataOf(await comesBack('bob')).id).not.toBe(person.id)
    expect((await rowOf(person.id)).github_id).toBe('bob')
  })

  it('never logs in to an administrator’s account by name, since a name can be given up and taken by another person', async () => {
    const { db } = world.gateway.inner
    await imported(1)
    await db.updateTable('users').set({ github_id: 'bob' }).where('id', '=', world.admin.id).execute()
    expect(dataOf(await comesBack('bob'))).toMatchObject({ role: 1 })
    expect((await rowOf(world.admin.id)).github_id).toBe('bob')
  })

  it('stores no address that the operator’s rules reject, and handles sixty logins at once', async () => {
    await world.option('EmailDomainRestrictionEnabled', true)
    await world.option('EmailDomainWhitelist', 'corp.example')
    const { id } = dataOf(await comesBack('ann'))
    expect((await rowOf(id)).email).toBe('')
    const crowd = Array.from({ length: 60 }, (_, n) => [
      `new${n}`,
      { id: 9000 + n, login: `n${n}`, name: 'N', email: null },
    ])
    Object.assign(people, Object.fromEntries(crowd))
    const replies = await Promise.all(crowd.map(([code]) => comesBack(String(code), { of: aBrowser(world.url) })))
    expect(replies.filter(({ success }) => !success)).toEqual([])
  })

  it('never joins accounts by an address, and leaves one that is taken', async () => {
    const person = await world.user()
    await world.gateway.inner.db
      .updateTable('users')
      .set({ email: 'ann@example.org' })
      .where('id', '=', person.id)
      .execute()
    const { id } = dataOf(await comesBack('ann'))
    expect(id).not.toBe(person.id)
    expect((await rowOf(id)).email).toBe('')
  })

  it('registers no one while registration is closed, and refuses banned and deleted accounts', async () => {
    const { id } = dataOf(await comesBack('ann'))
    await world.option('RegisterEnabled', false)
    expect((await comesBack('bob', { of: aBrowser(world.url) })).message).toBe('New registrations are closed')
    dataOf(await world.admin.post('/api/user/manage', { id, action: 'disable' }))
    const other = aBrowser(world.url)
    expect((await comesBack('ann', { of: other })).message).toBe('This account has been banned')
    dataOf(await world.admin.post('/api/user/manage', { id, action: 'delete' }))
    expect((await comesBack('ann', { of: other })).message).toBe('This account has been deactivated')
    await world.option('GitHubOAuthEnabled', false)
    expect((await comesBack('ann', { of: other })).message).toBe('Login with GitHub is turned off')
  })

  it('rewards the inviter', async () => {
    const inviter = await world.user()
    await world.option('QuotaForInviter', 40)
    const { id } = dataOf(await comesBack('ann', { query: `?aff=${dataOf(await inviter.get('/api/user/aff'))}` }))
    expect((await rowOf(id)).inviter_id).toBe(inviter.id)
    expect(dataOf(await inviter.get('/api/user/self'))).toMatchObject({ aff_count: 1, aff_quota: 40 })
  })

  it('creates one account for ten simultaneous logins', async () => {
    const browsers = Array.from({ length: 10 }, () => aBrowser(world.url))
    const replies = await Promise.all(browsers.map((of) => comesBack('ann', { of })))
    expect(new Set(replies.map((reply) => dataOf(reply).id)).size).toBe(1)
  })
})

describe('a state (docs/reference/accounts.md#login-providers)', () => {
  it('is valid once, for its provider, its browser, its account and ten minutes', async () => {
    const wrong = async (reply: Promise<{ status: number; message: string }>) =>
      expect(await reply).toMatchObject({ status: 403, message: expect.stringContaining('not valid or has expired') })
    await wrong(browser.get('/api/oauth/github?code=ann'))
    await wrong(browser.get('/api/oauth/github?code=ann&state=made-up'))
    const used = await stateOf()
    dataOf(await browser.get(`/api/oauth/github?code=ann&state=${used}`))
    browser = aBrowser(world.url)
    await wrong(browser.get(`/api/oauth/github?code=ann&state=${used}`))
    const stolen = await stateOf()
    await wrong(aBrowser(world.url).get(`/api/oauth/github?code=ann&state=${stolen}`))
    const others = await stateOf(browser, `?redirect_uri=${encodeURIComponent(`${world.url}/oauth/linuxdo`)}`)
    await wrong(browser.get(`/api/oauth/github?code=ann&state=${others}`))
    const late = await stateOf()
    await world.later(600_000)
    await wrong(browser.get(`/api/oauth/github?code=ann&state=${late}`))
    const visitors = await stateOf()
    const person = await world.user()
    await browser.logIn(person.username, PASSWORD)
    await wrong(browser.get(`/api/oauth/github?code=ann&state=${visitors}`))
    expect((await rowOf(person.id)).github_id).toBe('')
  })

  it('reports what the provider or the person has refused', async () => {
    const denied = `/api/oauth/github?error=access_denied&error_description=Not%20today&state=`
    expect((await browser.get(denied + (await stateOf()))).message).toBe('GitHub did not allow the login: Not today')
    expect((await comesBack('nobody-has-this')).message).toBe('GitHub did not return valid account information')
  })

  it.each([
    ['an error', { error: 'bad_verification_code' }],
    ['no token', { token_type: 'bearer' }],
    ['nothing of use', {}],
  ])('is spent where the code is answered with %s', async (_, answer) => {
    const bad = await aProvider(people, () => answer)
    const { url } = await aWorld({ options, providers: { github: bad.url, githubApi: bad.url, linuxdo: bad.url } })
    const reply = await comesBack('ann', { of: aBrowser(url) })
    expect(reply).toMatchObject({
      status: 200,
      success: false,
      message: expect.stringContaining('did not return valid'),
    })
    expect(reply.message).not.toContain(bad.url)
  })
})

describe('binding (docs/reference/accounts.md#login-providers)', () => {
  it('binds the logged-in user, once for one account, and can be undone', async () => {
    const [person, other] = [await world.user(), await world.user()]
    await browser.logIn(person.username, PASSWORD)
    expect(await comesBack('ann')).toMatchObject({ success: true, message: 'bind', data: null })
    expect(dataOf(await browser.get('/api/user/self')).github_id).toBe('1234')
    const others = aBrowser(world.url)
    await others.logIn(other.username, PASSWORD)
    expect((await comesBack('ann', { of: others })).message).toBe(
      'This GitHub account is already bound to another user',
    )
    expect(dataOf(await comesBack('ann', { of: aBrowser(world.url) })).id).toBe(person.id)
    dataOf(await browser.delete('/api/user/self/binding/github'))
    expect(dataOf(await browser.get('/api/user/self')).github_id).toBe('')
    expect(await comesBack('ann', { of: others })).toMatchObject({ success: true, message: 'bind' })
  })

  it('gives the new-user quota only once to a person who unbinds and comes back', async () => {
    await world.option('QuotaForNewUser', 700)
    await world.option('QuotaForInviter', 50)
    const inviter = await world.user()
    const aff = dataOf(await inviter.get('/api/user/aff'))
    const first = dataOf(await comesBack('bob', { query: `?aff=${aff}` }))
    browser.is(first.id)
    dataOf(await browser.put('/api/user/self', { password: PASSWORD }))
    dataOf(await browser.delete('/api/user/self/binding/github'))
    const again = dataOf(await comesBack('bob', { of: aBrowser(world.url), query: `?aff=${aff}` }))
    expect([(await rowOf(first.id)).quota, (await rowOf(again.id)).quota]).toEqual([700, 0])
    expect(await rowOf(inviter.id)).toMatchObject({ aff_count: 1, aff_quota: 50 })
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('gives the new-user quota only once to a person who binds another account over the first', async () => {
    await world.option('QuotaForNewUser', 700)
    const first = dataOf(await comesBack('bob'))
    browser.is(first.id)
    expect(await comesBack('ann')).toMatchObject({ success: true, message: 'bind' })
    expect((await rowOf(first.id)).github_id).toBe('1234')
    const again = dataOf(await comesBack('bob', { of: aBrowser(world.url) }))
    expect([again.id === first.id, (await rowOf(again.id)).quota]).toEqual([false, 0])
  })

  it('cannot be removed if it is the last login method', async () => {
    const { id } = dataOf(await comesBack('ann'))
    browser.is(id)
    expect((await browser.delete('/api/user/self/binding/github')).message).toContain('set a password or bind another')
    dataOf(await browser.put('/api/user/self', { password: PASSWORD }))
    dataOf(await browser.delete('/api/user/self/binding/github'))
  })
})

describe('the other providers (docs/reference/accounts.md#login-providers)', () => {
  it('LINUX DO receives the password in the header, and identifies users by number', async () => {
    const found = dataOf(await comesBack('lin', { at: 'linuxdo' }))
    expect(found).toMatchObject({ username: `linuxdo_${found.id}`, display_name: 'Lin' })
    expect(await rowOf(found.id)).toMatchObject({ linux_do_id: '5' })
    const basic = Buffer.from('client-2:secret-2').toString('base64')
    expect(provider.asked[0]?.headers.authorization).toBe(`Basic ${basic}`)
    expect(provider.asked[0]?.url.pathname).toBe('/oauth2/token')
    expect(provider.asked[1]?.url.pathname).toBe('/api/user')
  })

  it('WeChat: a typed code is checked by the operator’s own server', async () => {
    await world.option('WeChatServerAddress', provider.url)
    await world.option('WeChatServerToken', 'a-server-token')
    await world.option('WeChatAuthEnabled', true)
    await browser.get('/api/oauth/state')
    expect((await browser.get('/api/oauth/wechat?code=')).message).toContain('wrong or has expired')
    expect((await browser.get('/api/oauth/wechat?code=old')).message).toContain('wrong or has expired')
    expect((await browser.get('/api/oauth/wechat?code=nobody')).message).toBe(
      'WeChat did not return valid account information',
    )
    const { id } = dataOf(await browser.get('/api/oauth/wechat?code=wei'))
    expect(await rowOf(id)).toMatchObject({ wechat_id: 'open-id-of-wei', display_name: 'WeChat User' })
    const last = provider.asked.at(-1)
    expect(last?.headers.authorization).toBe('a-server-token')
    expect(last?.url.pathname).toBe('/api/wechat/user')
    const person = await world.user()
    expect((await person.get('/api/oauth/wechat/bind?code=wei')).message).toContain('already bound')
    expect((await world.visitor.get('/api/oauth/wechat/bind?code=wei')).status).toBe(401)
    await browser.get('/api/oauth/wechat?code=a%26b%3Fc')
    expect(provider.asked.at(-1)?.url.searchParams.get('code')).toBe('a&b?c')
  })

  const widget = (fields: Record<string, string>, token = '1:bot-token') => {
    const said = Object.entries(fields)
      .map(([key, value]) => `${key}=${value}`)
      .sort()
      .join('\n')
    const hash = createHmac('sha256', createHash('sha256').update(token).digest()).update(said).digest('hex')
    return new URLSearchParams({ ...fields, hash })
  }

  it('Telegram: data of its widget logs in a bound user once, if signed and not older than five minutes', async () => {
    const person = await world.user()
    const now = Math.floor(world.clock.now() / 1000)
    let pressed = now - 100
    /** Fields of a new login each time, as the widget creates one per press. */
    const fields = () => {
      pressed += 1
      return { id: '4242', first_name: 'Ann', username: 'ann', auth_date: String(pressed) }
    }
    const visitor = aBrowser(world.url)
    await visitor.get('/api/oauth/state')
    const mark = aClient(world.url, visitor.headers())
    const logs = (query: URLSearchParams) => mark.get(`/api/oauth/telegram/login?${query}`)
    const binds = (query: URLSearchParams) => person.get(`/api/oauth/telegram/bind?${query}`)
    const refused = 'Invalid request signature'
    expect((await logs(widget(fields()))).message).toBe('This Telegram account is not bound to any user')
    expect((await binds(widget(fields(), 'x'))).message).toBe(refused)
    const binding = widget(fields())
    dataOf(await person.get(`/api/oauth/telegram/bind?${binding}&lang=en`))
    // A login is accepted once for any purpose, even among concurrent attempts.
    const used = 'This Telegram login was already used. Press the button again.'
    expect([(await logs(binding)).message, (await binds(binding)).message]).toEqual([used, used])
    const answer = widget(fields())
    const together = await Promise.all(Array.from({ length: 6 }, () => logs(answer)))
    expect(together.filter(({ success }) => success).map(({ data }) => data.id)).toEqual([person.id])
    world.clock.advanceSeconds(180)
    expect((await logs(answer)).message).toBe(used)
    for (const bad of [{ id: '4243' }, { auth_date: String(now + 1) }, { username: 'bob' }]) {
      const query = widget(fields())
      for (const [key, value] of Object.entries(bad)) query.set(key, value)
      expect((await logs(query)).message, JSON.stringify(bad)).toBe(refused)
    }
    const at = (seconds: number) =>
      widget({ ...fields(), auth_date: String(Math.floor(world.clock.now() / 1000) + seconds) })
    expect((await logs(at(-300))).success).toBe(true)
    expect((await logs(at(-301))).message).toBe(refused)
    expect((await logs(at(300))).success).toBe(true)
    expect((await logs(at(301))).message).toBe(refused)
    expect((await logs(widget({ ...fields(), auth_date: 'x' }))).message).toBe(refused)
    // A signature also fits another id if the same signed text is split into fields differently.
    const cut = widget({ ...fields(), id: '4242', first_name: 'F' })
    const joined = widget({ auth_date: String(now), first_name: 'F\nid=4242\nusername=ann', id: '666' })
    expect([(await logs(cut)).success, (await logs(joined)).message]).toEqual([true, refused])
    dataOf(await world.admin.post('/api/user/manage', { id: person.id, action: 'disable' }))
    expect((await logs(widget(fields()))).message).toBe('This account has been banned')
  })
})
