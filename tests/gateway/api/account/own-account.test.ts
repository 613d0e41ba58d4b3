import { beforeAll, describe, expect, it } from 'vitest'
import { role, tokenStatus } from '../../../../shared/enums.ts'
import { MASK } from '../../../../shared/secret-mask.ts'
import { aClient, dataOf, signedIn } from '../../../support/client.ts'
import { filesWith } from '../../../support/files-with.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../../support/world.ts'
import { aBrowser } from '../../accounts/providers/browser.ts'
import { aMailServer, codeIn } from '../../mail/mail-server.ts'
import { hasAddress } from '../../notify/receiver.ts'

let world: World
beforeAll(async () => {
  world = await aWorld()
})

const changes = (person: Pick<Person, 'put'>, fields: object) => person.put('/api/user/self', fields)
const selfOf = async (person: Pick<Person, 'get'>) => dataOf(await person.get('/api/user/self'))
const settingOf = async (person: Pick<Person, 'get'>) => JSON.parse((await selfOf(person)).setting)
const logOf = async (userId: number) => {
  const rows = await world.gateway.inner.db.selectFrom('logs').select('content').where('user_id', '=', userId).execute()
  return rows.map(({ content }) => content)
}

/** Names of the files in the gateway's folder that contain a text unencrypted. */
const holding = (text: string) => filesWith(world.folder, text)

describe('changing one’s own account (docs/reference/accounts.md#own-account)', () => {
  it('writes name and display name where they are present, and nothing else', async () => {
    const person = await world.user({ quota: 500, group: 'default' })
    await changes(person, { display_name: ' Ann ' })
    expect(await selfOf(person)).toMatchObject({ username: person.username, display_name: 'Ann' })
    const fields = { username: 'ann', role: 100, quota: 1e9, group: 'vip', status: 2, aff_quota: 5, remark: 'x' }
    expect(await changes(person, fields)).toMatchObject({ success: true })
    expect(await selfOf(person)).toMatchObject({ username: 'ann', role: 1, quota: 500, group: 'default', aff_quota: 0 })
    expect((await changes(person, { username: 'root' })).message).toContain('taken')
    expect((await changes(person, { username: 'a@b' })).message).toContain('cannot contain @')
    expect((await changes(person, { display_name: 'x'.repeat(21) })).message).toContain('at most 20 characters')
  })

  it('accepts a new password only with the old one; all other sessions end', async () => {
    const person = await world.user()
    const other = await signedIn(world.url, person.username, PASSWORD)
    const next = 'another-password'
    const withMessage = async (fields: object) => (await changes(person, fields)).message
    expect(await withMessage({ password: next })).toBe('Please enter the original password!')
    expect(await withMessage({ password: next, original_password: 'wrong' })).toBe('The original password is wrong')
    expect(await withMessage({ password: PASSWORD, original_password: PASSWORD })).toBe(
      'New password must differ from the original',
    )
    expect(await withMessage({ password: 'short', original_password: PASSWORD })).toContain('at least 8 characters')
    const reply = await changes(person, { password: next, original_password: PASSWORD })
    expect(reply.success).toBe(true)
    expect((await other.get('/api/user/self')).status).toBe(401)
    expect((await person.get('/api/user/self')).status).toBe(401)
    const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const stayed = aClient(world.url, { cookie, 'new-api-user': String(person.id) })
    expect(await selfOf(stayed)).toMatchObject({ id: person.id })
    await expect(signedIn(world.url, person.username, PASSWORD)).rejects.toThrow('Wrong username or password')
    expect(await logOf(person.id)).toContain('The password was changed')
  })

  it('of ten simultaneous changes of one password accepts one', async () => {
    const person = await world.user()
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        changes(person, { password: `password-${at}`, original_password: PASSWORD }),
      ),
    )
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
    expect(replies.map(({ status }) => status)).not.toContain(500)
  })

  it('needs no old password if the account has none, as one created by a provider', async () => {
    const person = await world.user()
    await world.gateway.inner.db.updateTable('users').set({ password: '' }).where('id', '=', person.id).execute()
    expect(await changes(person, { password: 'a-first-password' })).toMatchObject({ success: true })
    expect(await signedIn(world.url, person.username, 'a-first-password')).toMatchObject({ id: person.id })
  })

  it('allows ten guesses of the password in a quarter of an hour over all calls, and each guess is in the history', async () => {
    const { admin, url, clock } = await aWorld()
    const asked = [
      (guess: string) => admin.put('/api/user/self', { password: 'new-password', original_password: guess }),
      (guess: string) => admin.post('/api/user/2fa/setup', { password: guess }),
      (guess: string) => admin.post('/api/user/passkey/register/begin', { password: guess }),
      (guess: string) =>
        admin.post('/api/backup/key', { passphrase: 'a long passphrase of many words', password: guess }),
      (guess: string) => admin.put('/api/share', { password: guess }),
    ]
    const login = (password: string) => aClient(url).post('/api/user/login', { username: admin.username, password })
    for (const guess of ['one', 'two'])
      for (const ask of asked) expect((await ask(guess)).message).toBe('The original password is wrong')
    for (const ask of [...asked, login]) expect((await ask(PASSWORD)).status).toBe(429)
    const history: { succeeded: boolean; way: string }[] = dataOf(await admin.get('/api/user/self/sign_ins'))
    expect(history.filter(({ succeeded, way }) => !succeeded && way === 'password')).toHaveLength(10)
    clock.advanceSeconds(900)
    expect(await asked[1]?.(PASSWORD)).toMatchObject({ success: true })
    expect(await login(PASSWORD)).toMatchObject({ success: true })
  })

  it('guessed at from elsewhere by a stolen session leaves its owner in, where they have logged in', async () => {
    const { url, ...own } = await aWorld({ config: { TRUSTED_PROXIES: '127.0.0.1' } })
    const browser = aBrowser(url)
    const { username } = await own.user()
    await browser.logIn(username, PASSWORD)
    const change = { password: 'new-password', original_password: 'guess' }
    const statuses: number[] = []
    for (let tries = 1; tries <= 11; tries += 1) {
      const headers = { ...browser.headers(), 'x-forwarded-for': `203.0.113.${tries}` }
      statuses.push((await aClient(url, headers).put('/api/user/self', change)).status)
    }
    expect(statuses.slice(9)).toEqual([200, 429])
    expect(await browser.put('/api/user/self', { ...change, original_password: PASSWORD })).toMatchObject({
      success: true,
    })
  })
})

describe('leaving (docs/reference/accounts.md#own-account)', () => {
  it('deactivates the account: sessions end, keys stop, the name stays taken', async () => {
    const person = await world.user()
    const token = await world.token(person)
    await person.key()
    const other = await signedIn(world.url, person.username, PASSWORD)
    expect(await person.delete('/api/user/self')).toMatchObject({ success: true })
    expect((await other.get('/api/user/self')).status).toBe(401)
    await expect(signedIn(world.url, person.username, PASSWORD)).rejects.toThrow('Wrong username or password')
    const { db } = world.gateway.inner
    const row = await db.selectFrom('tokens').select('status').where('id', '=', token.id).executeTakeFirstOrThrow()
    expect(row.status).toBe(tokenStatus.disabled)
    expect((await person.asks('gpt-4o', 'hello')).status).toBe(401)
    expect(await logOf(person.id)).toContain(
      `The user “${person.username}” (ID ${person.id}) deactivated their own account`,
    )
    const add = { username: person.username, password: PASSWORD }
    expect((await world.admin.post('/api/user', add)).message).toContain('deactivated account')
  })

  it('is not for root', async () => {
    expect((await world.admin.delete('/api/user/self')).message).toBe('The super administrator cannot be deleted')
  })
})

describe('an access token (docs/reference/accounts.md#own-account)', () => {
  it('is shown once, stored as its hash, and replaces the previous one', async () => {
    const person = await world.user({ role: role.admin })
    const [first, second] = [dataOf(await person.get('/api/user/token')), dataOf(await person.get('/api/user/token'))]
    expect(second).toMatch(/^[0-9A-Za-z]{32}$/)
    const bearing = (token: string) =>
      aClient(world.url, { authorization: `Bearer ${token}`, 'new-api-user': String(person.id) })
    expect((await bearing(first).get('/api/user/self')).status).toBe(401)
    expect(await selfOf(bearing(second))).toMatchObject({ id: person.id })
    expect(dataOf(await bearing(second).get('/api/user?p=1')).items.length).toBeGreaterThan(0)
    expect(await logOf(person.id)).toContain('A new access token was generated')
    await world.gateway.inner.ledger.flush()
    expect(holding(second)).toEqual([])
  })

  it('is refused to a request that does not name the account, as from another site', async () => {
    const person = await world.user()
    const { cookie = '' } = person.identity()
    expect((await aClient(world.url, { cookie }).get('/api/user/token')).status).toBe(401)
  })
})

describe('settings of one’s own (docs/reference/accounts.md#notices)', () => {
  const saves = (person: Person, fields: object) => person.put('/api/user/setting', fields)

  it('keep fields that are absent, and those of the other notification method', async () => {
    const person = await world.user()
    await hasAddress(world, person, 'ann@example.org')
    dataOf(
      await saves(person, {
        notify_type: 'email',
        notification_email: ' Ann@Example.org ',
        quota_warning_threshold: 5,
      }),
    )
    dataOf(await saves(person, { notify_type: 'webhook', webhook_url: 'https://hooks.example/x', record_ip_log: true }))
    dataOf(await saves(person, { accept_unset_model_ratio_model: true }))
    expect(await settingOf(person)).toEqual({
      notify_type: 'webhook',
      notification_email: 'ann@example.org',
      quota_warning_threshold: 5,
      webhook_url: 'https://hooks.example/x',
      record_ip_log: true,
      accept_unset_model_ratio_model: true,
    })
  })

  it('send notifications to an address that its owner has proven only', async () => {
    const { port, taken } = await aMailServer({ secure: false, hideSTARTTLS: true })
    const person = await world.user()
    const another = await world.user()
    const address = 'ann-s-other@example.org'
    const asks = (who: Person, email: string) => who.post('/api/user/setting/code', { email })
    expect((await asks(person, address)).message).toBe('The mail server is not configured')
    await world.option('SMTPServer', '127.0.0.1')
    await world.option('SMTPFrom', 'gateway@example.com')
    await world.option('SMTPPort', port)
    expect((await saves(person, { notification_email: address })).message).toContain('Get a code')
    expect((await asks(person, 'no address')).message).toBe('Invalid email address')
    dataOf(await asks(person, address))
    const notification_code = codeIn(taken[0])
    expect(taken[0]?.to).toEqual([address])
    const right = { notification_email: address, notification_code }
    for (const [who, fields] of [
      [another, right],
      [person, { ...right, notification_code: 'none' }],
      [person, { ...right, notification_email: 'somebody-else@example.org' }],
    ] as const)
      expect((await saves(who, fields)).message).toContain('wrong or has expired')
    expect((await saves(person, { ...right, quota_warning_threshold: 0 })).message).toContain('greater than 0')
    dataOf(await saves(person, right))
    expect(await settingOf(person)).toEqual({ notification_email: address })
    dataOf(await saves(person, { notification_email: address.toUpperCase(), quota_warning_threshold: 5 }))
    dataOf(await saves(person, { notification_email: '' }))
    expect((await saves(person, right)).message).toContain('wrong or has expired')
    expect((await asks(another, address)).message).toContain('An email was sent to this address')
  })

  it('show that a secret is set and never the secret: not in any answer, and not in the files', async () => {
    const person = await world.user()
    const secret = 'a-webhook-secret-of-mine'
    dataOf(await saves(person, { notify_type: 'webhook', webhook_url: 'https://h.example', webhook_secret: secret }))
    for (const kept of ['', MASK, undefined]) {
      dataOf(await saves(person, { webhook_secret: kept }))
      expect((await settingOf(person)).webhook_secret).toBe(MASK)
    }
    const seen = await world.admin.get(`/api/user/${person.id}`)
    expect(JSON.stringify([seen.body, await selfOf(person)])).not.toContain(secret)
    await world.gateway.inner.ledger.flush()
    expect(holding(secret)).toEqual([])
    dataOf(await saves(person, { webhook_secret: null }))
    expect(await settingOf(person)).not.toHaveProperty('webhook_secret')
  })

  it('take the secret to no other host than the one it was entered for', async () => {
    const person = await world.user()
    const at = (webhook_url: string) => saves(person, { notify_type: 'webhook', webhook_url })
    dataOf(
      await saves(person, { notify_type: 'webhook', webhook_url: 'https://h.example/a', webhook_secret: 'a-secret' }),
    )
    dataOf(await at('https://h.example/b'))
    expect((await settingOf(person)).webhook_secret).toBe(MASK)
    dataOf(await at('https://evil.example/b'))
    expect(await settingOf(person)).not.toHaveProperty('webhook_secret')
  })

  it.each([
    [{ notify_type: 'pigeon' }, 'Unknown notification type'],
    [{ quota_warning_threshold: 0 }, 'The threshold must be greater than 0'],
    [{ quota_warning_threshold: -1 }, 'The threshold must be greater than 0'],
    [{ quota_warning_threshold: '5' }, 'must be a number'],
    [{ notify_type: 'webhook', webhook_url: ' ' }, 'Enter the webhook URL'],
    [{ webhook_url: 'ftp://h.example' }, 'The webhook URL is not valid'],
    [{ webhook_url: 'https://user:pass@h.example' }, 'Leave the user name and password out of the webhook URL'],
    [{ webhook_url: 'http://127.0.0.1:8080/' }, 'this machine or a private network'],
    [{ webhook_url: 'http://localhost:9000/' }, 'this machine or a private network'],
    [{ webhook_url: 'http://169.254.169.254/' }, 'this machine or a private network'],
    [{ webhook_url: 'https://hooks.example:9000/' }, 'only sent to the ports 80, 443, 8080 and 8443'],
    [{ webhook_url: 'http://8.8.8.8:9000/' }, 'only sent to the ports 80, 443, 8080 and 8443'],
    [{ notification_email: 'no address' }, 'Invalid email address'],
  ])('refuse %o and change nothing', async (fields, message) => {
    const person = await world.user()
    expect(await saves(person, fields)).toMatchObject({ success: false, message: expect.stringContaining(message) })
    expect((await selfOf(person)).setting).toBe('')
  })

  it('keep a webhook that was deliverable when it was saved, which does not prevent other changes', async () => {
    const person = await world.user()
    const stored = { notify_type: 'webhook', webhook_url: 'http://10.0.0.1/hook' }
    const { db } = world.gateway.inner
    await db
      .updateTable('users')
      .set({ setting: JSON.stringify(stored) })
      .where('id', '=', person.id)
      .execute()
    dataOf(await saves(person, { ...stored, quota_warning_threshold: 5 }))
    dataOf(await saves(person, { notify_type: 'email' }))
    expect(await saves(person, { notify_type: 'webhook' })).toMatchObject({ success: false })
    expect(await settingOf(person)).toEqual({ ...stored, notify_type: 'email', quota_warning_threshold: 5 })
  })

  it('judge a webhook by how it would be sent', async () => {
    const person = await world.user()
    await world.option('WorkerUrl', 'https://worker.example')
    const plain = { webhook_url: 'http://hooks.example/' }
    expect((await saves(person, plain)).message).toContain('only https addresses')
    await world.option('WorkerAllowHttpImageRequestEnabled', true)
    dataOf(await saves(person, plain))
  })

  it('keep every change when saved at once from many windows', async () => {
    const person = await world.user()
    const parts = [{ quota_warning_threshold: 7 }, { record_ip_log: true }, { accept_unset_model_ratio_model: true }]
    for (const reply of await Promise.all(parts.map((part) => saves(person, part)))) dataOf(reply)
    expect(await settingOf(person)).toEqual(Object.assign({}, ...parts))
  })
})
