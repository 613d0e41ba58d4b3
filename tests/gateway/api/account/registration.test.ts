import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../../../gateway/base/log/logger.ts'
import { logType } from '../../../../shared/enums.ts'
import { aClient, dataOf, type Reply, signedIn } from '../../../support/client.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aWorld, PASSWORD, type World } from '../../../support/world.ts'
import { aMailServer, codeIn, partOf, type Taken } from '../../mail/mail-server.ts'

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { SMTPServer: '127.0.0.1', SMTPFrom: 'gateway@example.com', SystemName: 'Yard' } })
})

let count = 0
const nobody = () => {
  count += 1
  return { username: `new${count}`, password: PASSWORD, email: `new${count}@example.org` }
}
const registers = (fields: object) => world.visitor.post('/api/user/register', fields)
const rowOf = (username: string) =>
  world.gateway.inner.db.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirst()
const logOf = async (userId: number) =>
  world.gateway.inner.db.selectFrom('logs').selectAll().where('user_id', '=', userId).orderBy('id').execute()

/** Functions that undo the option changes of one test. */
const changed: (() => Promise<void>)[] = []
async function option(...[key, value]: Parameters<World['option']>) {
  const { settings } = world.gateway.inner
  const before = settings.get(key)
  await world.option(key, value)
  changed.push(() => world.option(key, before as typeof value))
}
afterEach(async () => {
  for (const undo of changed.splice(0).reverse()) await undo()
})

async function mails() {
  const { port, taken } = await aMailServer({ secure: false, hideSTARTTLS: true })
  await option('SMTPPort', port)
  return taken
}
const asksCode = (email: string) => world.visitor.get(`/api/verification?email=${encodeURIComponent(email)}`)

describe('registering (docs/reference/accounts.md#registration)', () => {
  it('creates a normal user, who logs in', async () => {
    const { username, password } = nobody()
    expect(await registers({ username: ` ${username} `, password, password2: password })).toMatchObject({
      success: true,
      data: null,
    })
    const person = await signedIn(world.url, username, password)
    expect(dataOf(await person.get('/api/user/self'))).toMatchObject({
      username,
      display_name: username,
      role: 1,
      status: 1,
      group: 'default',
      quota: 0,
      email: '',
      inviter_id: 0,
    })
  })

  it.each([
    ['no name', { username: ' ', password: PASSWORD }, 'Username and password cannot be empty!'],
    ['no password', { username: 'x' }, 'Username and password cannot be empty!'],
    ['13 characters', { username: 'a'.repeat(13), password: PASSWORD }, 'The username can have at most 12 characters'],
    ['what nobody sees in a name', { username: 'ro\u00adot', password: PASSWORD }, 'invisible'],
    ['a filler in a name', { username: 'root\u3164', password: PASSWORD }, 'invisible'],
    ['half a character', { username: 'a\ud800', password: PASSWORD }, 'invisible'],
    ['another blank', { username: 'a\u2003b', password: PASSWORD }, 'invisible'],
    ['a name in another form', { username: 'e\u0301', password: PASSWORD }, 'invisible'],
    ['a taken name in capitals', { username: 'ROOT', password: PASSWORD }, 'taken'],
    ['an address for a name', { username: 'a@b.c', password: PASSWORD }, 'cannot contain @'],
    ['7 characters', { username: 'x', password: 'a'.repeat(7) }, 'at least 8 characters'],
    ['another repetition', { username: 'x', password: PASSWORD, password2: 'b' }, 'do not match'],
    ['a taken name', { username: 'root', password: PASSWORD }, 'taken or belongs to a deactivated account'],
    ['another role', { username: 'x', password: 3 }, 'must be text'],
  ])('refuses %s', async (_, fields, message) => {
    expect(await registers(fields)).toMatchObject({ success: false, message: expect.stringContaining(message) })
  })

  it('takes a name once, in any case of its letters, beyond those of ASCII as well', async () => {
    dataOf(await registers({ username: 'Émil-Ärger', password: PASSWORD }))
    for (const username of ['émil-ärger', 'ÉMIL-ÄRGER', 'Émil-ärger', 'émil-Ärger'])
      expect((await registers({ username, password: PASSWORD })).message, username).toContain('taken')
    dataOf(await registers({ username: 'emil-arger', password: PASSWORD }))
  })

  it('ignores a role, group or quota in the request', async () => {
    const { username, password } = nobody()
    dataOf(await registers({ username, password, role: 100, group: 'vip', quota: 1e9, status: 1, inviter_id: 1 }))
    expect(await rowOf(username)).toMatchObject({ role: 1, group: 'default', quota: 0, inviter_id: 0 })
  })

  it('is closed by the operator, completely or by password, and in self-use mode', async () => {
    const { username, password } = nobody()
    const { url } = world
    const said = async () => (await aClient(url).post('/api/user/register', { username, password })).message
    await option('PasswordRegisterEnabled', false)
    expect(await said()).toContain('Password registration is turned off')
    await option('RegisterEnabled', false)
    expect(await said()).toBe('New registrations are closed')
    expect((await asksCode('someone@example.org')).message).toBe('New registrations are closed')
    await option('RegisterEnabled', true)
    await option('SelfUseModeEnabled', true)
    expect(await said()).toBe('New registrations are closed')
    expect(await rowOf(username)).toBeUndefined()
  })

  it('gives a first, unlimited token where GENERATE_DEFAULT_TOKEN is set', async () => {
    const { url, option } = await aWorld({ config: { GENERATE_DEFAULT_TOKEN: 'true' } })
    const tokensOf = async (username: string) => {
      dataOf(await aClient(url).post('/api/user/register', { username, password: PASSWORD }))
      return dataOf(await (await signedIn(url, username, PASSWORD)).get('/api/token'))
    }
    const first = { unlimited_quota: true, expired_time: -1 }
    await option('DefaultUseAutoGroup', true)
    expect(await tokensOf('ann')).toMatchObject([{ ...first, name: 'ann initial token', group: '' }])
    await option('UserUsableGroups', { default: 'Default', auto: 'Automatic' })
    expect(await tokensOf('bob')).toMatchObject([{ ...first, name: 'bob initial token', group: 'auto' }])
  })

  it('gives a name that twenty request at once to only one of them, without a server error', async () => {
    const { username, password } = nobody()
    const replies = await Promise.all(Array.from({ length: 20 }, () => registers({ username, password })))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    for (const { success, status, message } of replies)
      if (!success) expect(status === 429 || message).toMatch(status === 429 ? /true/ : /taken/)
    expect(replies.map(({ status }) => status)).not.toContain(500)
  })
})

describe('a code by mail (docs/reference/accounts.md#mail-codes)', () => {
  it('is required where the operator wants addresses verified, and counts once', async () => {
    const taken = await mails()
    await option('EmailVerificationEnabled', true)
    const one = nobody()
    expect((await registers({ ...one, verification_code: '' })).message).toContain('Email verification is required')
    expect(await asksCode(` ${one.email.toUpperCase()} `)).toMatchObject({ success: true })
    expect(taken[0]).toMatchObject({ from: 'gateway@example.com', to: [one.email] })
    expect(taken[0]?.raw).toContain('Subject: Yard: email verification code')
    const verification_code = codeIn(taken[0])
    expect((await registers({ ...one, email: 'else@example.org', verification_code })).message).toContain('wrong')
    expect(await registers({ ...one, verification_code })).toMatchObject({ success: true })
    expect(await rowOf(one.username)).toMatchObject({ email: one.email })
    expect(await signedIn(world.url, one.email, one.password)).toMatchObject({ id: expect.any(Number) })
  })

  it('gets the same answer whether or not an address has an account, and only its owner learns which', async () => {
    const taken = await mails()
    await option('EmailVerificationEnabled', true)
    const [person, binding] = [await world.user(), await world.user()]
    const [has, hasNot] = [nobody().email, nobody().email]
    const { db } = world.gateway.inner
    await db.updateTable('users').set({ email: has }).where('id', '=', person.id).execute()
    const seen = async (email: string) => {
      world.clock.advanceSeconds(30)
      const tries = [
        await asksCode(email),
        await asksCode(email),
        await registers({ ...nobody(), email, verification_code: '000000' }),
        await binding.get(`/api/oauth/email/bind?email=${email}&code=000000`),
      ]
      world.clock.advanceSeconds(30)
      tries.push(await binding.get(`/api/verification?email=${email}`))
      return tries.map(({ status, message, body }) => ({ status, message, data: body.data }))
    }
    expect(await seen(has)).toEqual(await seen(hasNot))
    expect(taken.map(({ to }) => to[0])).toEqual([has, has, hasNot, hasNot])
    expect(taken[0]?.raw).toContain('Subject: Yard: you already have an account')
    expect(codeIn(taken[0])).toBe('')
    expect(codeIn(taken[2])).not.toBe('')
  })

  it('is used up by five wrong ones, and after ten minutes', async () => {
    const taken = await mails()
    await option('EmailVerificationEnabled', true)
    const one = nobody()
    await asksCode(one.email)
    for (let tries = 1; tries <= 5; tries += 1) await registers({ ...one, verification_code: 'no' })
    expect((await registers({ ...one, verification_code: codeIn(taken[0]) })).message).toContain('wrong or has expired')
    world.clock.advance(31_000)
    await asksCode(one.email)
    await world.later(10 * 60_000)
    expect((await registers({ ...one, verification_code: codeIn(taken[1]) })).message).toContain('wrong or has expired')
  })

  it('goes to one address at most once in 30 seconds and five times an hour, over all requesters', async () => {
    const taken = await mails()
    const { email } = nobody()
    expect(await asksCode(email)).toMatchObject({ success: true })
    const again = await asksCode(email.toUpperCase())
    expect(again).toMatchObject({ status: 429, message: expect.stringMatching(/Try again in \d+ seconds/) })
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(0)
    for (let sent = 2; sent <= 5; sent += 1) {
      world.clock.advance(30_000)
      expect(await asksCode(email)).toMatchObject({ success: true })
    }
    world.clock.advance(30_000)
    expect(await asksCode(email)).toMatchObject({ status: 429 })
    expect(taken).toHaveLength(5)
  })

  it('goes only to addresses the operator allows, one at a time', async () => {
    const taken = await mails()
    const withMessage = async (email: string) => (await asksCode(email)).message
    for (const bad of ['', 'x', 'a@b', 'a@b.c;d@example.org', 'a@b.example,c@d.example', `${'a'.repeat(50)}@b.example`])
      expect(await withMessage(bad), bad).toBe('Invalid email address')
    await option('EmailDomainWhitelist', 'example.org, corp.example')
    await option('EmailDomainRestrictionEnabled', true)
    await option('EmailAliasRestrictionEnabled', true)
    expect(await withMessage('a@else.example')).toBe('This email domain is not allowed')
    expect(await withMessage('a@sub.example.org')).toBe('This email domain is not allowed')
    expect(await withMessage('a+b@corp.example')).toBe('Email addresses with aliases (+ or .) are not accepted')
    expect(await withMessage('a.b@corp.example')).toBe('Email addresses with aliases (+ or .) are not accepted')
    expect(await asksCode('ab@Corp.example')).toMatchObject({ success: true })
    expect(taken).toHaveLength(1)
  })

  it('reveals to a visitor nothing of the mail server’s reply', async () => {
    const { port } = await aMailServer({
      secure: false,
      hideSTARTTLS: true,
      onRcptTo: (_, __, done) => done(new Error('secret-host.internal is full')),
    })
    await option('SMTPPort', port)
    const reply = await asksCode(nobody().email)
    expect(reply).toMatchObject({ success: false, message: expect.stringContaining('could not be sent') })
    expect(JSON.stringify(reply.body)).not.toContain('internal')
    await option('SMTPServer', '')
    expect((await asksCode(nobody().email)).message).toBe('The mail server is not configured')
  })

  it('that could not be sent has the server’s reply in the log, without the password', async () => {
    const written: string[] = []
    const log = createLogger('warn', { target: { write: (line) => void written.push(line) } })
    const { port } = await aMailServer({ secure: false, hideSTARTTLS: true })
    const SMTPToken = 'a-wrong-mail-password'
    const mail = { SMTPServer: '127.0.0.1', SMTPPort: port, SMTPFrom: 'gateway@example.com', SMTPAccount: 'gateway' }
    const { visitor } = await aWorld({ log, options: { ...mail, SMTPToken } })
    expect((await visitor.get('/api/verification?email=new@example.org')).message).toContain('could not be sent')
    const line = written.find((one) => one.includes('a mail could not be sent')) ?? '{}'
    expect(JSON.parse(line).error.cause).toMatchObject({ code: 'EAUTH', responseCode: 535 })
    expect(line).toContain('Invalid credentials ***')
    expect(line).not.toContain(SMTPToken)
  })

  it('for binding is sent to an account, and cannot be used to register', async () => {
    const taken = await mails()
    await option('EmailVerificationEnabled', true)
    const person = await world.user()
    const one = nobody()
    const binds = (code: string) => person.get(`/api/oauth/email/bind?email=${one.email}&code=${code}`)
    dataOf(await person.get(`/api/verification?email=${one.email}`))
    const code = codeIn(taken[0])
    expect((await registers({ ...one, verification_code: code })).message).toContain('wrong or has expired')
    expect((await world.visitor.get(`/api/oauth/email/bind?email=${one.email}&code=${code}`)).status).toBe(401)
    expect((await binds('')).message).toBe('Please enter the email verification code!')
    expect(await binds(code)).toMatchObject({ success: true })
    expect(dataOf(await person.get('/api/user/self')).email).toBe(one.email)
    expect((await binds(code)).message).toContain('wrong or has expired')
  })

  it('informs the previous address when another replaces it, and the log of its owner', async () => {
    const taken = await mails()
    const [person, first, second] = [await world.user(), nobody().email, nobody().email]
    for (const email of [first, second]) {
      dataOf(await person.get(`/api/verification?email=${email}`))
      dataOf(await person.get(`/api/oauth/email/bind?email=${email}&code=${codeIn(taken.at(-1))}`))
    }
    await expect.poll(() => taken.map(({ to }) => to)).toEqual([[first], [second], [first]])
    expect(taken[2]?.raw).toContain('Subject: Yard: email address changed')
    const rows = dataOf(await person.get('/api/log/self?p=1')).items.map(({ content }: { content: string }) => content)
    expect(rows).toEqual(expect.arrayContaining([`Your email address was changed to ${second}`]))
  })
})

describe('an invitation (docs/reference/accounts.md#invitations)', () => {
  it('rewards both, in one transaction with their rows, and counts also where the reward is 0', async () => {
    const inviter = await world.user()
    const aff_code = dataOf(await inviter.get('/api/user/aff'))
    expect(aff_code).toMatch(/^[0-9A-Za-z]{8}$/)
    expect(dataOf(await inviter.get('/api/user/aff'))).toBe(aff_code)
    await option('QuotaForNewUser', 1000)
    await option('QuotaForInvitee', 200)
    await option('QuotaForInviter', 500_000)
    const first = nobody()
    dataOf(await registers({ ...first, aff_code }))
    await option('QuotaForInviter', 0)
    dataOf(await registers({ ...nobody(), aff_code }))
    const row = await rowOf(first.username)
    expect(row).toMatchObject({ quota: 1200, inviter_id: inviter.id })
    expect(dataOf(await inviter.get('/api/user/self'))).toMatchObject({
      quota: 0,
      aff_count: 2,
      aff_quota: 500_000,
      aff_history_quota: 500_000,
    })
    const told = (await logOf(row?.id ?? 0)).filter(({ type }) => type === logType.system)
    expect(told.map(({ content }) => content)).toEqual([
      'New-user bonus $0.002000',
      'Bonus $0.000400 for using an invitation code',
    ])
    expect((await logOf(inviter.id)).map(({ content }) => content)).toContain('Invitation reward $1.000000')
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })

  it('with an unknown code, or of a banned account, counts for nothing', async () => {
    const inviter = await world.user()
    const aff_code = dataOf(await inviter.get('/api/user/aff'))
    dataOf(await world.admin.post('/api/user/manage', { id: inviter.id, action: 'disable' }))
    for (const code of ['nobody', aff_code, `${aff_code}'--`]) {
      const one = nobody()
      dataOf(await registers({ ...one, aff_code: code }))
      expect(await rowOf(one.username)).toMatchObject({ inviter_id: 0 })
    }
    const { aff_count } = (await rowOf(inviter.username)) ?? {}
    expect(aff_count).toBe(0)
  })

  it('moves its rewards to the balance: at least a unit, never more than there is, also of fifty at once', async () => {
    const person = await world.user()
    const { db } = world.gateway.inner
    await db
      .updateTable('users')
      .set({ aff_quota: 1_600_000, aff_history: 1_600_000 })
      .where('id', '=', person.id)
      .execute()
    const moves = (quota: unknown) => person.post('/api/user/aff_transfer', { quota })
    expect((await moves(499_999)).message).toBe('The minimum transfer is $1.000000')
    expect((await moves(1_600_001)).message).toBe('Not enough invitation rewards')
    for (const bad of [-500_000, 500_000.5, '500000', 2 ** 60, null])
      expect(await moves(bad), String(bad)).toMatchObject({ success: false })
    const replies = await Promise.all(Array.from({ length: 15 }, () => moves(500_000)))
    expect(replies.filter(({ success }) => success)).toHaveLength(3)
    expect(await person.quota()).toBe(1_500_000)
    expect(dataOf(await person.get('/api/user/self'))).toMatchObject({
      aff_quota: 100_000,
      aff_history_quota: 1_600_000,
    })
    expect(await reconcile(db)).toEqual([])
    // Twenty attempts are allowed in twenty minutes, whatever their result.
    const { status } = await moves(500_000)
    expect(status).toBe(429)
  })
})

it('transfer of rewards is not for administrators, who set the rewards (docs/reference/security.md#the-super-administrator)', async () => {
  const boss = await world.user({ role: 10 })
  const { db } = world.gateway.inner
  await db.updateTable('users').set({ aff_quota: 900_000_000 }).where('id', '=', boss.id).execute()
  const { success, message } = await boss.post('/api/user/aff_transfer', { quota: 900_000_000 })
  expect([success, message]).toEqual([false, expect.stringContaining('super administrator')])
  expect(await boss.quota()).toBe(0)
})

describe('a forgotten password (docs/reference/accounts.md#password-reset)', () => {
  const asks = (email: string) => world.visitor.get(`/api/reset_password?email=${encodeURIComponent(email)}`)
  const redeems = (fields: object) => world.visitor.post('/api/user/reset', fields)
  const linkIn = (mail: Taken | undefined) => {
    const found = /http\S+\/user\/reset\?\S+/.exec(partOf(mail?.raw ?? '', 'text/plain'))?.[0] ?? ''
    return Object.fromEntries(new URL(found).searchParams)
  }
  async function owner() {
    const person = await world.user()
    const email = `${person.username}@example.org`
    await world.gateway.inner.db.updateTable('users').set({ email }).where('id', '=', person.id).execute()
    return { person, email }
  }

  it('is replaced with the link: once, and all sessions and the access token end', async () => {
    const taken = await mails()
    const { person, email } = await owner()
    const accessToken = dataOf(await person.get('/api/user/token'))
    expect(await asks(email.toUpperCase())).toMatchObject({ success: true })
    await expect.poll(() => taken.length).toBe(1)
    expect(taken[0]?.to).toEqual([email])
    const link = linkIn(taken[0])
    expect(link).toMatchObject({ email })
    expect((await redeems({ ...link, token: 'x' })).message).toContain('invalid or has expired')
    const password = dataOf(await redeems(link))
    expect(password).toMatch(/^[0-9A-Za-z]{12}$/)
    expect((await person.get('/api/user/self')).status).toBe(401)
    const bearer = { authorization: `Bearer ${accessToken}`, 'new-api-user': String(person.id) }
    expect((await aClient(world.url, bearer).get('/api/user/self')).status).toBe(401)
    expect((await redeems(link)).message).toContain('invalid or has expired')
    expect(await signedIn(world.url, person.username, password)).toMatchObject({ id: person.id })
    expect((await logOf(person.id)).at(-1)?.content).toBe('A new password was set through an emailed link')
  })

  it('gets the same answer for every address, and sends mail only to active accounts', async () => {
    const taken = await mails()
    const banned = await owner()
    dataOf(await world.admin.post('/api/user/manage', { id: banned.person.id, action: 'disable' }))
    const { email } = await owner()
    const replies = await Promise.all([asks('nobody@example.org'), asks(banned.email), asks(email), asks(email)])
    expect(new Set(replies.map(({ body, status }) => JSON.stringify([status, body]))).size).toBe(1)
    await expect.poll(() => taken.length).toBe(1)
    await world.gateway.inner.db.selectFrom('users').select('id').execute()
    expect(taken.map(({ to }) => to)).toEqual([[email]])
    expect((await asks('no address')).message).toBe('Invalid email address')
  })

  it('opens no account that must have two factors and has them in its passkeys', async () => {
    const taken = await mails()
    const { person, email } = await owner()
    const { db } = world.gateway.inner
    const passkey = { credential_id: email, user_handle: 'b', name: 'c', public_key: 'd', rp_id: 'localhost' }
    await db
      .insertInto('passkeys')
      .values({ ...passkey, user_id: person.id, created_at: 1 })
      .execute()
    await db.updateTable('users').set({ password: '' }).where('id', '=', person.id).execute()
    // Two factors are not required yet; once they are, links already sent require them too.
    expect(await asks(email)).toMatchObject({ success: true })
    await expect.poll(() => taken.length).toBe(1)
    // The administrator in these tests has no second factor and so cannot require one of others through the API.
    await world.gateway.inner.settings.set('TwoFactorRequiredRole', 'everybody')
    changed.push(() => world.gateway.inner.settings.set('TwoFactorRequiredRole', 'nobody'))
    expect((await redeems(linkIn(taken[0]))).message).toContain('invalid or has expired')
    await world.later(10 * 60_000)
    expect(await asks(email)).toMatchObject({ success: true })
    const other = await owner()
    await asks(other.email)
    await expect.poll(() => taken.map(({ to }) => to)).toContainEqual([other.email])
    expect(taken.filter(({ to }) => to.includes(email))).toHaveLength(1)
    expect(await db.selectFrom('users').select('password').where('id', '=', person.id).execute()).toEqual([
      { password: '' },
    ])
  })

  it('has a link that is valid for ten minutes, and only for an account that has not been banned meanwhile', async () => {
    const taken = await mails()
    const [late, banned] = [await owner(), await owner()]
    await asks(late.email)
    await expect.poll(() => taken.length).toBe(1)
    await world.later(10 * 60_000)
    expect((await redeems(linkIn(taken[0]))).message).toContain('invalid or has expired')
    await asks(banned.email)
    await expect.poll(() => taken.length).toBe(2)
    dataOf(await world.admin.post('/api/user/manage', { id: banned.person.id, action: 'disable' }))
    expect((await redeems(linkIn(taken[1]))).message).toContain('invalid or has expired')
  })
})

describe('the rates of these calls (docs/reference/limits.md#console-rates)', () => {
  it('let 20 of each class pass in 20 minutes, refuse the rest with a message, and leave the others unchanged', async () => {
    const { url, admin } = await aWorld({ config: { CRITICAL_RATE_LIMIT: '20' } })
    const visitor = aClient(url)
    const classes = [
      ['register', visitor, 'POST', '/api/user/register', { username: 'x' }],
      ['mail', visitor, 'GET', '/api/reset_password?email=x', undefined],
      ['reset', visitor, 'POST', '/api/user/reset', { email: 'a@example.org', token: 'x' }],
      ['oauth', visitor, 'GET', '/api/oauth/github?code=x&state=x', undefined],
      ['of one account', admin, 'POST', '/api/user/2fa/enable', { code: '123456' }],
    ] as const
    for (const [name, who, method, path, body] of classes) {
      const replies: Reply[] = []
      for (let tries = 1; tries <= 25; tries += 1) replies.push(await who.send(method, path, body))
      const refused = replies.slice(20)
      expect(
        replies.slice(0, 20).map(({ status }) => status),
        name,
      ).not.toContain(429)
      expect(new Set(refused.map(({ status, message }) => `${status} ${message}`)), name).toEqual(
        new Set(['429 Error: too many requests, try again later!']),
      )
      expect(Number(refused[0]?.headers.get('retry-after')), name).toBeGreaterThan(0)
    }
    expect((await visitor.get('/api/oauth/state')).status).toBe(429)
    expect((await visitor.post('/api/user/login', { username: 'root', password: PASSWORD })).success).toBe(true)
    expect((await admin.get('/api/user/token')).success).toBe(true)
  })
})
