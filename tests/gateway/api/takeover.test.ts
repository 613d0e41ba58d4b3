import { connect } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { createSessions } from '../../../gateway/accounts/login/sessions.ts'
import { createUserAdmin } from '../../../gateway/accounts/user-admin.ts'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { aClient, dataOf, signedIn } from '../../support/client.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../support/world.ts'
import { aBrowser } from '../accounts/providers/browser.ts'

const ANOTHER = 'another-password'
const codeOf = ({ clock }: World, secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() })

async function withFactor(world: World, person: Person): Promise<string> {
  const { secret } = dataOf(await person.post('/api/user/2fa/setup', { password: PASSWORD }))
  dataOf(await person.post('/api/user/2fa/enable', { code: codeOf(world, secret) }))
  world.clock.advanceSeconds(60)
  return secret
}

/** Sends the head of a request; returns a function that sends the rest. */
async function halfSent(world: World, who: Person, method: string, path: string, fields: object) {
  const { hostname, port, host } = new URL(world.url)
  const body = JSON.stringify(fields)
  const headers = { ...who.identity(), host, 'content-type': 'application/json', 'content-length': body.length }
  const socket = connect(Number(port), hostname)
  const said = new Promise<string>((resolve, reject) => {
    let answer = ''
    socket.on('data', (part) => {
      answer += part
      if (answer.includes('"success"')) resolve(answer)
    })
    socket.on('error', reject)
  })
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  await new Promise((sent) => socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n{`, sent))
  // When a later call returns, the head has been read.
  await who.get('/api/user/self')
  return async () => {
    socket.write(body.slice(1))
    const answer = await said
    socket.destroy()
    return answer
  }
}

describe('a caller’s rights are checked again when the call is executed (docs/reference/accounts.md#authorization)', () => {
  it.each(['disable', 'demote', 'delete'] as const)('also where a body came slowly: %s', async (action) => {
    const world = await aWorld()
    const [clerk, victim] = [await world.user({ role: 10 }), await world.user()]
    const channel = { type: 1, name: 'evil', key: 'k', models: 'gpt-4o', group: 'default' }
    const begun = [
      await halfSent(world, clerk, 'POST', '/api/user', { username: 'back', password: PASSWORD }),
      await halfSent(world, clerk, 'PUT', '/api/user', { id: victim.id, password: ANOTHER }),
      await halfSent(world, clerk, 'POST', '/api/invitation', { quota: 1, uses: 1 }),
      await halfSent(world, clerk, 'POST', '/api/channel', channel),
    ]
    dataOf(await world.admin.post('/api/user/manage', { id: clerk.id, action }))
    for (const rest of begun) expect(await rest()).toContain('"success":false')
    const { db } = world.gateway.inner
    expect(await db.selectFrom('users').select('id').where('username', '=', 'back').execute()).toEqual([])
    expect(await db.selectFrom('invitations').select('id').execute()).toEqual([])
    expect((await victim.get('/api/user/self')).success).toBe(true)
  })

  it('also where a password is hashed meanwhile', async () => {
    const { gateway, clock, admin, ...world } = await aWorld()
    const clerk = await world.user({ role: 10 })
    const { db, ledger, settings } = gateway.inner
    const hash = async () => {
      dataOf(await admin.post('/api/user/manage', { id: clerk.id, action: 'disable' }))
      return 'a-hash'
    }
    const passwords = { hash, busy: () => false }
    const rules = createUserAdmin({ db, ledger, settings, clock, passwords, show: String, onChange: () => undefined })
    const by = { id: clerk.id, username: clerk.username, role: 10, locale: 'en' } as const
    const fields = { username: 'late', password: PASSWORD, display_name: '' }
    await expect(rules.create(by, fields)).rejects.toThrow('auth.forbidden')
    expect(await db.selectFrom('users').select('id').where('username', '=', 'late').execute()).toEqual([])
  })

  it('and a session that has ended changes nothing', async () => {
    const world = await aWorld()
    const person = await world.user()
    const rest = await halfSent(world, person, 'PUT', '/api/user/setting', { record_ip_log: true })
    await world.gateway.inner.db.deleteFrom('sessions').where('user_id', '=', person.id).execute()
    expect(await rest()).toContain('401')
  })
})

describe('an account stays with its owner', () => {
  it('an access token ends when the password is changed, by any user, and gives no other access', async () => {
    const world = await aWorld()
    const person = await world.user()
    const token = async () => {
      const authorization = dataOf(await person.get('/api/user/token'))
      return aClient(world.url, { authorization, 'new-api-user': String(person.id) })
    }
    const thief = await token()
    expect((await thief.get('/api/user/self')).success).toBe(true)
    for (const reply of [
      await thief.get('/api/user/token'),
      await thief.delete('/api/user/self'),
      await thief.post('/api/user/2fa/setup', { password: PASSWORD }),
      await thief.get('/api/oauth/email/bind?email=a@example.com&code=1'),
      await thief.get('/api/oauth/wechat/bind?code=1'),
      await thief.get('/api/oauth/state'),
      await thief.delete('/api/user/self/binding/github'),
    ])
      expect(reply.message).toBe('Log in to do this: an access token is not enough')
    dataOf(await person.put('/api/user/self', { original_password: PASSWORD, password: ANOTHER }))
    expect((await thief.get('/api/user/self')).status).toBe(401)
    await world.gateway.inner.db.updateTable('users').set({ access_token_hash: null }).execute()
    const again = await signedIn(world.url, person.username, ANOTHER)
    const authorization = dataOf(await again.get('/api/user/token'))
    dataOf(await world.admin.put('/api/user', { id: person.id, password: 'third-password' }))
    const old = aClient(world.url, { authorization, 'new-api-user': String(person.id) })
    expect((await old.get('/api/user/self')).status).toBe(401)
  })

  it('root must prove their identity to change their own password and factors, like everyone else', async () => {
    const world = await aWorld()
    const { admin } = world
    await withFactor(world, admin)
    expect((await admin.delete(`/api/user/${admin.id}/2fa`)).message).toMatch(/your own two factors/)
    expect((await admin.put('/api/user', { id: admin.id, password: ANOTHER })).message).toMatch(/your own password/)
    expect((await admin.put('/api/user', { id: admin.id, display_name: 'Boss' })).success).toBe(true)
  })

  it('a login by the old password has no session once the new one is in force', async () => {
    const world = await aWorld()
    const person = await world.user()
    const { db } = world.gateway.inner
    const before = await db.selectFrom('users').select('password').where('id', '=', person.id).executeTakeFirstOrThrow()
    await withFactor(world, person)
    const thief = aBrowser(world.url)
    expect(dataOf(await thief.post('/api/user/login', { username: person.username, password: PASSWORD }))).toEqual({
      require_2fa: true,
    })
    dataOf(await person.put('/api/user/self', { original_password: PASSWORD, password: ANOTHER }))
    expect((await thief.post('/api/user/login/2fa', { code: '000000' })).message).toBe(
      'The login has expired. Log in again.',
    )
    const sessions = createSessions({ db, clock: world.clock, log: silentLogger })
    const device = { ip: '127.0.0.1', userAgent: '' }
    await expect(sessions.start({ id: person.id, ...before }, device)).rejects.toThrow('login.invalid')
  })

  it('a new mail address is written down, and so is a bound account', async () => {
    const world = await aWorld({ options: { TelegramBotToken: '1:t', TelegramOAuthEnabled: true } })
    const person = await world.user()
    const { db } = world.gateway.inner
    await db.updateTable('users').set({ telegram_id: '7' }).where('id', '=', person.id).execute()
    dataOf(await person.delete('/api/user/self/binding/telegram'))
    await world.gateway.inner.ledger.flush()
    const rows = await db.selectFrom('logs').select('content').where('user_id', '=', person.id).execute()
    expect(rows).toContainEqual({ content: 'The link of your account to Telegram was removed' })
  })

  it('a hidden mail address is not found by its letters', async () => {
    const world = await aWorld()
    const clerk = await world.user({ role: 10 })
    const { db } = world.gateway.inner
    await db.updateTable('users').set({ email: 'boss7q@corp.example' }).where('id', '=', world.admin.id).execute()
    await db.updateTable('users').set({ email: 'clerk7q@corp.example' }).where('id', '=', clerk.id).execute()
    const found = async (who: Person) =>
      dataOf(await who.get('/api/user/search?keyword=7q')).items.map(({ id }: { id: number }) => id)
    expect(await found(clerk)).toEqual([clerk.id])
    expect(await found(world.admin)).toEqual([clerk.id, world.admin.id])
  })

  it('a username is never treated as a message key', async () => {
    const world = await aWorld()
    const person = await world.user({ username: '$t(pw.same)' })
    dataOf(await world.admin.post('/api/user/manage', { id: person.id, action: 'disable' }))
    const { content } = await world.gateway.inner.db
      .selectFrom('logs')
      .select('content')
      .where('content', 'like', '%disabled%')
      .executeTakeFirstOrThrow()
    expect(content).toContain('“$t(pw.same)”')
  })
})

describe('amounts beyond the maximum of an account (docs/reference/accounts.md#managing-accounts)', () => {
  it('are refused with a message, and do not prevent registration', async () => {
    const world = await aWorld({ options: { QuotaForInviter: 1e15, QuotaForInvitee: 0, QuotaForNewUser: 0 } })
    const inviter = await world.user()
    const aff_code = dataOf(await inviter.get('/api/user/aff'))
    for (const username of ['one', 'two'])
      dataOf(await world.visitor.post('/api/user/register', { username, password: PASSWORD, aff_code }))
    const earned = dataOf(await inviter.get('/api/user/self'))
    expect([earned.aff_count, earned.aff_quota, earned.aff_history_quota]).toEqual([2, 1e15, 1e15])
    const rich = await world.user({ quota: 10 })
    const beyond = 'The balance would be larger or smaller than an account can have'
    for (const change of [{ quota: 1e15, quota_base: 0 }, { quota: -1e15 }])
      expect((await world.admin.put('/api/user', { id: rich.id, ...change })).message).toBe(beyond)
    await world.gateway.inner.db.updateTable('users').set({ aff_quota: 1e15 }).where('id', '=', rich.id).execute()
    expect((await rich.post('/api/user/aff_transfer', { quota: 1e15 })).message).toBe(beyond)
    expect(dataOf(await rich.get('/api/user/self'))).toMatchObject({ quota: 10, aff_quota: 1e15 })
    expect(await reconcile(world.gateway.inner.db)).toEqual([])
  })
})
