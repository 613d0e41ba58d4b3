import { beforeAll, describe, expect, it } from 'vitest'
import { role } from '../../../../shared/enums.ts'
import { aClient, dataOf } from '../../../support/client.ts'
import { type Authenticator, anAuthenticator, type Misdoing } from '../../../support/passkey-device.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../../support/world.ts'
import { aMailServer, partOf } from '../../mail/mail-server.ts'
import { aBrowser, type Browser } from '../providers/browser.ts'

const SITE = 'https://gateway.example'
const REFUSED = 'This passkey cannot log in here, or the account is banned'
const LATE = 'The request has expired. Try again.'
const BAD = 'The device did not return a valid passkey. Try again.'
const LAST = 'You need another way to log in first: set a password or bind another account'

const github = { GitHubClientId: 'client-1', GitHubClientSecret: 'secret-1', GitHubOAuthEnabled: true }

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { ServerAddress: SITE, RegisterEnabled: false, ...github } })
})

/** A new user in a separate browser with its own passkey device. */
async function somebody(fields: { role?: number } = {}) {
  const person = await world.user(fields)
  const browser = aBrowser(world.url)
  await browser.logIn(person.username, PASSWORD)
  return { person, browser, device: anAuthenticator(SITE) }
}

const begin = async (browser: Browser, password = PASSWORD) =>
  dataOf(await browser.post('/api/user/passkey/register/begin', { password }))
const finish = (browser: Browser, made: object, name = '') =>
  browser.post('/api/user/passkey/register/finish', { ...made, name })
const add = async (browser: Browser, device: Authenticator, name?: string) =>
  dataOf(await finish(browser, device.creates(await begin(browser)), name))

const asked = async (browser: Browser) => dataOf(await browser.post('/api/user/passkey/login/begin', {}))
const logIn = async (device: Authenticator, otherwise: Misdoing = {}, browser = aBrowser(world.url)) =>
  browser.post('/api/user/passkey/login/finish', device.answers(await asked(browser), otherwise))
const listOf = async (who: Pick<Person, 'get'>) => dataOf(await who.get('/api/user/passkey'))
const loginMethodsOf = async (who: Pick<Person, 'get'>) =>
  dataOf(await who.get('/api/user/self/sign_ins')).map((one: { way: string; succeeded: boolean }) => [
    one.way,
    one.succeeded,
  ])
const withoutPassword = (person: Person) =>
  world.gateway.inner.db.updateTable('users').set({ password: '' }).where('id', '=', person.id).execute()

describe('a passkey (docs/reference/accounts.md#passkeys)', () => {
  it('is added with the password, and logs in without a name, a password or a code', async () => {
    const { person, browser, device } = await somebody()
    const options = await begin(browser)
    expect(options).toMatchObject({
      rp: { id: 'gateway.example', name: 'Switchyard' },
      user: { name: person.username },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    expect(options.user.id, 'a device learns no number of an account').toMatch(/^[\w-]{43}$/)
    const added = dataOf(await finish(browser, device.creates(options), '  My laptop '))
    expect(added).toMatchObject({ name: 'My laptop', host: 'gateway.example', is_synced: false, last_used_at: null })
    const other = aBrowser(world.url)
    const request = await asked(other)
    expect(Object.keys(request), 'no account is named').toEqual(['challenge', 'rpId', 'timeout', 'userVerification'])
    world.clock.advance(1000)
    const entered = await other.post('/api/user/passkey/login/finish', device.answers(request))
    expect(dataOf(entered)).toMatchObject({ id: person.id, username: person.username })
    other.is(person.id)
    expect(dataOf(await other.get('/api/user/self')).id).toBe(person.id)
    expect(await listOf(person)).toEqual([{ ...added, last_used_at: expect.any(Number) }])
    expect((await loginMethodsOf(person))[0]).toEqual(['passkey', true])
    const logs = await world.gateway.inner.db
      .selectFrom('logs')
      .select('content')
      .where('user_id', '=', person.id)
      .execute()
    expect(logs.map(({ content }) => content)).toContain('The passkey “My laptop” was added')
  })

  it('counts as both factors: an account that also has an app needs no code, also while password login is off', async () => {
    const { person, browser, device } = await somebody()
    await add(browser, device)
    const { db } = world.gateway.inner
    const app = { user_id: person.id, secret: 'x', created_at: 1, confirmed_at: 1 }
    await db.insertInto('authenticators').values(app).execute()
    await withPasswordLoginOff(async () => {
      expect(dataOf(await logIn(device)).id).toBe(person.id)
    })
  })

  it('needs the password, where the account has one, and a session', async () => {
    const { person, browser } = await somebody()
    const ask = (password: string) => browser.post('/api/user/passkey/register/begin', { password })
    expect((await ask('')).message).toBe('Please enter the original password!')
    expect((await ask('not-the-password')).message).toBe('The original password is wrong')
    await withoutPassword(person)
    expect((await ask('')).success).toBe(true)
    const token = dataOf(await browser.get('/api/user/token'))
    const program = aClient(world.url, { authorization: token, 'new-api-user': String(person.id) })
    expect((await program.post('/api/user/passkey/register/begin', {})).message).toContain(
      'an access token is not enough',
    )
  })

  it('works at a host name over https, or at localhost; any other address is refused with the reason', async () => {
    const { port } = new URL(world.url)
    const at = (origin: string) =>
      aClient(origin.replace('https', 'http'), { origin }).post('/api/user/passkey/login/begin', {})
    expect(dataOf(await at(`http://localhost:${port}`)).rpId).toBe('localhost')
    const place = 'Passkeys need https and a host name, or localhost. They cannot be used at this address.'
    expect((await at(`http://127.0.0.1:${port}`)).message).toBe(place)
    for (const address of ['http://gateway.example', 'https://192.0.2.7', 'https://[2001:db8::7]']) {
      await world.gateway.inner.settings.set('ServerAddress', address)
      const reply = await aBrowser(world.url).post('/api/user/passkey/login/begin', {})
      expect(reply.message, address).toBe(place)
    }
    await world.option('ServerAddress', SITE)
  })

  it.each<[string, Misdoing, string]>([
    ['at another origin', { origin: 'https://gateway.example.evil' }, BAD],
    ['at another port', { origin: `${SITE}:8443` }, BAD],
    ['for another host name', { rpId: 'evil.example' }, BAD],
    ['without its owner being verified', { isVerified: false }, BAD],
    ['with a challenge of its own', { challenge: 'bWFkZS11cA' }, LATE],
    ['with an attestation that names certificates', { format: 'tpm' }, BAD],
  ])('is not taken that was made %s', async (_, otherwise, message) => {
    const { person, browser, device } = await somebody()
    const reply = await finish(browser, device.creates(await begin(browser), otherwise))
    expect(reply).toMatchObject({ success: false, message })
    expect(await listOf(person)).toEqual([])
  })

  it('is taken with an attestation that it has signed itself, which some devices give unasked', async () => {
    const { person, browser, device } = await somebody()
    dataOf(await finish(browser, device.creates(await begin(browser), { isSelfAttested: true })))
    expect(dataOf(await logIn(device)).id).toBe(person.id)
  })

  it.each<[string, Misdoing]>([
    ['at another origin', { origin: 'https://gateway.example.evil' }],
    ['for another host name', { rpId: 'evil.example' }],
    ['without its owner being verified', { isVerified: false }],
    ['for another account', { userHandle: 'c29tZWJvZHkgZWxzZQ' }],
  ])('does not log in with an answer %s, and its owner is notified', async (_, otherwise) => {
    const { person, browser, device } = await somebody()
    await add(browser, device)
    expect(await logIn(device, otherwise)).toMatchObject({ success: false, message: REFUSED })
    expect((await loginMethodsOf(person))[0]).toEqual(['passkey', false])
    expect(dataOf(await logIn(device)).id).toBe(person.id)
  })

  it('does not log in with the credential of another account, with an unknown one, or at another host name', async () => {
    const [alice, bob] = [await somebody(), await somebody()]
    await add(alice.browser, alice.device)
    await add(bob.browser, bob.device)
    const [of] = bob.device.made
    const stolen = { id: of?.id ?? '', userHandle: of?.userHandle ?? '' }
    expect((await logIn(alice.device, stolen)).message).toBe(REFUSED)
    expect((await logIn(alice.device, { id: 'bm90IGtub3du' })).message).toBe(REFUSED)
    await world.option('ServerAddress', 'https://other.example')
    expect((await logIn(alice.device, { origin: 'https://other.example', rpId: 'other.example' })).message).toBe(
      REFUSED,
    )
    await world.option('ServerAddress', SITE)
    expect(dataOf(await logIn(alice.device)).id).toBe(alice.person.id)
  })

  it('answers each challenge once, in its browser, within five minutes', async () => {
    const { browser, device, person } = await somebody()
    await add(browser, device)
    const [own, other] = [aBrowser(world.url), aBrowser(world.url)]
    const request = await asked(own)
    await asked(other)
    const answer = device.answers(request)
    const end = (by: Browser, shown: object = answer) => by.post('/api/user/passkey/login/finish', shown)
    expect((await end(other)).message).toBe(LATE)
    expect((await end(own)).message, 'it is spent by whoever has tried').toBe(LATE)
    const again = device.answers(await asked(own))
    const both = await Promise.all([end(own, again), end(own, again)])
    expect(both.filter(({ success }) => success)).toHaveLength(1)
    expect((await end(own, again)).message).toBe(LATE)
    const late = device.answers(await asked(own))
    await world.later(300_000)
    expect((await end(own, late)).message).toBe(LATE)
    // A challenge for a login cannot create a passkey, and vice versa.
    const { challenge } = await asked(browser)
    const made = device.creates(await begin(browser), { challenge })
    expect((await finish(browser, made)).message).toBe(LATE)
    expect(await listOf(person)).toHaveLength(1)
  })

  it('is added only to the account that started it, and never twice', async () => {
    const [alice, bob] = [await somebody(), await somebody()]
    const made = alice.device.creates(await begin(alice.browser))
    expect((await finish(bob.browser, made)).message).toBe(LATE)
    const begun = alice.device.creates(await begin(alice.browser))
    await alice.browser.logIn(bob.person.username, PASSWORD)
    expect((await finish(alice.browser, begun)).message, 'another account in the same browser').toBe(LATE)
    await alice.browser.logIn(alice.person.username, PASSWORD)
    await add(alice.browser, alice.device)
    const known = alice.device.made.at(-1)
    const copied = bob.device.creates(await begin(bob.browser), { id: known?.id ?? '' })
    expect((await finish(bob.browser, copied)).message).toBe('This passkey is already registered')
    const again = await begin(alice.browser)
    expect(again.excludeCredentials).toEqual([{ type: 'public-key', id: known?.id, transports: ['internal'] }])
    expect(again.user.id, 'one name of an account for its devices').toBe(known?.userHandle)
  })

  it('has its counter checked if the device counts: a counter that does not increase is refused', async () => {
    const { person, browser, device } = await somebody()
    await add(browser, device)
    expect(dataOf(await logIn(device, { counter: 5 })).id).toBe(person.id)
    for (const counter of [5, 4, 0]) expect((await logIn(device, { counter })).message).toBe(REFUSED)
    expect(dataOf(await logIn(device, { counter: 6 })).id).toBe(person.id)
    // If two devices present the same passkey and counter, one of them is a copy.
    const both = await Promise.all([logIn(device, { counter: 7 }), logIn(device, { counter: 7 })])
    expect(both.filter(({ success }) => success)).toHaveLength(1)
  })

  it('does not log in to a banned or deactivated account, and the message is that of any other failure', async () => {
    const { person, browser, device } = await somebody()
    await add(browser, device)
    const manage = (action: string) => world.admin.post('/api/user/manage', { id: person.id, action })
    dataOf(await manage('disable'))
    expect((await logIn(device)).message).toBe(REFUSED)
    dataOf(await manage('enable'))
    expect(dataOf(await logIn(device)).id).toBe(person.id)
    dataOf(await manage('delete'))
    expect((await logIn(device)).message).toBe(REFUSED)
  })

  it('is one of twenty at most, also of two that are added at once', async () => {
    const { person, browser, device } = await somebody()
    const { db } = world.gateway.inner
    const row = { user_id: person.id, user_handle: 'h', name: 'n', public_key: 'k', rp_id: 'r', created_at: 1 }
    const rows = Array.from({ length: 19 }, (_, n) => ({
      ...row,
      credential_id: `${person.id}-${n}`,
      last_used_at: null,
    }))
    await db.insertInto('passkeys').values(rows).execute()
    const made = [device.creates(await begin(browser)), device.creates(await begin(browser))]
    const replies = await Promise.all(made.map((one) => finish(browser, one)))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect((await browser.post('/api/user/passkey/register/begin', { password: PASSWORD })).message).toContain(
      'at most 20 passkeys',
    )
    expect(await listOf(person)).toHaveLength(20)
  })
})

describe('the passkeys of an account (docs/reference/accounts.md#passkeys)', () => {
  it('can be renamed and removed only by their owner', async () => {
    const { person, browser, device } = await somebody()
    const { id, name } = await add(browser, device)
    expect(name).toBe('Passkey')
    const stranger = await world.user()
    const path = `/api/user/passkey/${id}`
    expect((await stranger.put(path, { name: 'Mine' })).message).toBe('This passkey no longer exists')
    expect((await stranger.delete(path)).message).toBe('This passkey no longer exists')
    expect((await person.put(path, { name: ' ' })).message).toBe('Enter a name')
    expect((await person.put(path, { name: 'x'.repeat(51) })).success).toBe(false)
    dataOf(await person.put(path, { name: 'Old phone' }))
    expect((await listOf(person))[0].name).toBe('Old phone')
    dataOf(await person.delete(path))
    expect(await listOf(person)).toEqual([])
    expect((await logIn(device)).message).toBe(REFUSED)
  })

  it('count as a login method when a provider is unbound, and vice versa: the last login method cannot be removed', async () => {
    const { person, browser, device } = await somebody()
    const { id } = await add(browser, device)
    const { db } = world.gateway.inner
    const bind = (github_id: string) =>
      db.updateTable('users').set({ password: '', github_id }).where('id', '=', person.id).execute()
    const unbind = () => person.delete('/api/user/self/binding/github')
    const remove = (one: number) => person.delete(`/api/user/passkey/${one}`)
    await bind(`one of ${person.id}`)
    dataOf(await unbind())
    expect((await remove(id)).message).toBe(LAST)
    const second = await add(browser, device)
    dataOf(await remove(id))
    expect((await remove(second.id)).message).toBe(LAST)
    await bind(`two of ${person.id}`)
    dataOf(await remove(second.id))
    expect((await unbind()).message).toBe(LAST)
    const third = await add(browser, device)
    await bind(`three of ${person.id}`)
    const both = await Promise.all([remove(third.id), unbind()])
    expect(both.filter(({ success }) => success)).toHaveLength(1)
    expect(both.map(({ message }) => message)).toContain(LAST)
  })

  it('go by an administrator’s reset, and with the account', async () => {
    const [alice, bob] = [await somebody(), await somebody()]
    await add(alice.browser, alice.device)
    await add(bob.browser, bob.device)
    dataOf(await world.admin.delete(`/api/user/${alice.person.id}/2fa`))
    expect(await listOf(alice.person)).toEqual([])
    expect((await logIn(alice.device)).message).toBe(REFUSED)
    dataOf(await world.admin.delete(`/api/user/${bob.person.id}`))
    const left = await world.gateway.inner.db
      .selectFrom('passkeys')
      .selectAll()
      .where('user_id', '=', bob.person.id)
      .execute()
    expect(left).toEqual([])
  })
})

describe('a new user may choose a passkey (docs/reference/accounts.md#passkeys)', () => {
  let count = 0
  const nextName = () => {
    count += 1
    return `key${count}`
  }
  const invite = async (fields: object = {}) => dataOf(await world.admin.post('/api/invitation', fields)).code
  const beginFirst = (browser: Browser, username: string, invitation = '') =>
    browser.post('/api/user/register/passkey', { username, invitation })
  const register = (browser: Browser, username: string, passkey: object, fields: object = {}) =>
    browser.post('/api/user/register', { username, passkey, ...fields })

  it('by a link of invitation: an account without a password, which logs in by it', async () => {
    const [browser, device, username] = [aBrowser(world.url), anAuthenticator(SITE), nextName()]
    const invitation = await invite({ role: role.admin, note: 'The new clerk' })
    const options = dataOf(await beginFirst(browser, username, invitation))
    expect(options.user).toMatchObject({ name: username })
    dataOf(await register(browser, username, { ...device.creates(options), name: 'Phone' }, { invitation }))
    const { id, role: rank } = dataOf(await logIn(device, {}, browser))
    expect(rank).toBe(role.admin)
    browser.is(id)
    expect(await listOf(browser)).toMatchObject([{ name: 'Phone' }])
    expect(dataOf(await browser.get('/api/user/2fa/status')).has_password).toBe(false)
    const [only] = await listOf(browser)
    expect((await browser.delete(`/api/user/passkey/${only.id}`)).message).toBe(LAST)
  })

  it('only where one may register, by a name that is free, in the browser in which it began', async () => {
    const [browser, other, device] = [aBrowser(world.url), aBrowser(world.url), anAuthenticator(SITE)]
    expect((await beginFirst(browser, nextName())).message).toBe('New registrations are closed')
    const invitation = await invite({ uses: 5 })
    expect((await beginFirst(browser, 'root', invitation)).message).toContain('taken')
    expect((await beginFirst(browser, '', invitation)).message).toContain('cannot be empty')
    const username = nextName()
    await beginFirst(other, nextName(), invitation)
    const made = device.creates(dataOf(await beginFirst(browser, username, invitation)))
    expect((await register(other, username, made, { invitation })).message).toBe(LATE)
    expect((await register(browser, username, made, { invitation })).message).toBe(LATE)
    const evil = device.creates(dataOf(await beginFirst(browser, username, invitation)), {
      origin: 'https://evil.example',
    })
    expect((await register(browser, username, evil, { invitation })).message).toBe(BAD)
    const [listed] = dataOf(await world.admin.get('/api/invitation'))
    expect(listed.used, 'nothing was used up').toBe(0)
  })

  it('all of it or nothing: an invitation that was used up meanwhile leaves neither account nor passkey', async () => {
    const [browser, device] = [aBrowser(world.url), anAuthenticator(SITE)]
    const invitation = await invite()
    const names = [nextName(), nextName()]
    const made: object[] = []
    for (const username of names) made.push(device.creates(dataOf(await beginFirst(browser, username, invitation))))
    const replies = await Promise.all(
      names.map((username, n) => register(browser, username, made[n] ?? {}, { invitation })),
    )
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    const { db } = world.gateway.inner
    const accounts = await db.selectFrom('users').select('id').where('username', 'in', names).execute()
    const ids = device.made.map(({ id }) => id)
    const rows = await db.selectFrom('passkeys').select('user_id').where('credential_id', 'in', ids).execute()
    expect(rows.map(({ user_id }) => user_id)).toEqual(accounts.map(({ id }) => id))
  })

  it('also where an address is confirmed: a wrong code spends neither the passkey nor the right code', async () => {
    const { port, taken } = await aMailServer({ secure: false, hideSTARTTLS: true })
    const mail = { SMTPServer: '127.0.0.1', SMTPPort: port, SMTPFrom: 'gateway@example.com' }
    const strict = await aWorld({ options: { ServerAddress: SITE, ...mail, EmailVerificationEnabled: true } })
    const [browser, device, email] = [aBrowser(strict.url), anAuthenticator(SITE), 'carol@example.org']
    dataOf(await browser.get(`/api/verification?email=${email}`))
    const made = device.creates(dataOf(await beginFirst(browser, 'carol')))
    const fields = (verification_code: string) => ({ email, verification_code })
    expect((await register(browser, 'carol', made)).message).toContain('Email verification is required')
    expect((await register(browser, 'carol', made, fields('wrong!'))).message).toContain('wrong or has expired')
    const [code = ''] = /\b\d{6}\b/.exec(partOf(taken[0]?.raw ?? '', 'text/plain')) ?? []
    dataOf(await register(browser, 'carol', made, fields(code)))
  })

  it('where registration is open, but not where the form is off', async () => {
    const open = await aWorld({ options: { ServerAddress: SITE, EmailVerificationEnabled: false } })
    const [browser, device] = [aBrowser(open.url), anAuthenticator(SITE)]
    const made = device.creates(dataOf(await beginFirst(browser, 'alice')))
    dataOf(await register(browser, 'alice', made))
    const shown = device.answers(dataOf(await browser.post('/api/user/passkey/login/begin', {})))
    expect(dataOf(await browser.post('/api/user/passkey/login/finish', shown)).username).toBe('alice')
    await open.option('PasswordRegisterEnabled', false)
    expect((await beginFirst(browser, 'bob')).message).toContain('Password registration is turned off')
  })
})

async function withPasswordLoginOff(work: () => Promise<void>): Promise<void> {
  const { settings } = world.gateway.inner
  await settings.set('PasswordLoginEnabled', 'false')
  await work()
  await settings.set('PasswordLoginEnabled', 'true')
}
