import { beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../../gateway/base/ids.ts'
import { role } from '../../../shared/enums.ts'
import { withAuthenticator } from '../../support/authenticator.ts'
import { chatAnswer } from '../../support/chat.ts'
import { aClient, dataOf } from '../../support/client.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../support/world.ts'

const refused = {
  status: 200,
  success: false,
  message: 'Set up two-factor authentication first. Until then your account can do nothing else here.',
  body: { code: 'two_factors_required' },
}
type Scope = 'nobody' | 'root' | 'admin' | 'everybody'

let world: World
let clerk: Person
let user: Person
let codes: string[]
beforeEach(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } } })
  clerk = await world.user({ role: role.admin })
  user = await world.user({ quota: 1_000_000 })
  codes = await withAuthenticator(world.admin, PASSWORD, world.clock)
})

const isClosed = async (person: Person) => (await person.get('/api/token')).body.code === 'two_factors_required'
const stateOf = async (person: Person) => dataOf(await person.get('/api/user/2fa/status'))

describe('two factors that are required (docs/reference/accounts.md#two-factors-required)', () => {
  it.each<[Scope, boolean[]]>([
    ['nobody', [false, false, false]],
    ['root', [true, false, false]],
    ['admin', [true, true, false]],
    ['everybody', [true, true, true]],
  ])('are required of %s at once, by role', async (scope, closed) => {
    await world.option('TwoFactorRequiredRole', scope)
    await world.gateway.inner.db.deleteFrom('authenticators').execute()
    for (const [place, person] of [world.admin, clerk, user].entries()) {
      expect(await isClosed(person), `${place}`).toBe(closed[place])
      expect(await stateOf(person)).toMatchObject({ required: closed[place], missing: closed[place] })
    }
  })

  it('close sessions and access tokens until they are set up, and open them again at once after that', async () => {
    const token = dataOf(await user.get('/api/user/token'))
    const program = aClient(world.url, { authorization: `Bearer ${token}`, 'new-api-user': String(user.id) })
    await world.option('TwoFactorRequiredRole', 'everybody')
    for (const caller of [user, program]) {
      for (const path of ['/api/token', '/api/user/models', '/api/pricing', '/api/oauth/state', '/api/overview'])
        expect(await caller.get(path), path).toMatchObject(refused)
      expect(await caller.post('/api/token', { name: 'a token' })).toMatchObject(refused)
      for (const path of ['/api/user/self', '/api/user/2fa/status', '/api/user/self/sessions', '/api/status'])
        expect((await caller.get(path)).success, path).toBe(true)
    }
    expect((await world.visitor.get('/api/pricing')).success, 'who is nobody is not asked').toBe(true)
    const chinese = aClient(world.url, { ...user.identity(), 'accept-language': 'zh' })
    expect((await chinese.get('/api/token')).message).toContain('请先设置两步验证')
    await withAuthenticator(user, PASSWORD, world.clock)
    expect(await stateOf(user)).toMatchObject({ enabled: true, required: true, missing: false })
    for (const caller of [user, program]) expect((await caller.get('/api/token')).success).toBe(true)
  })

  it('are satisfied where an account is opened only by passkeys', async () => {
    await world.option('TwoFactorRequiredRole', 'everybody')
    const { db } = world.gateway.inner
    const passkey = {
      credential_id: 'a',
      user_handle: 'b',
      name: 'c',
      public_key: 'd',
      rp_id: 'localhost',
      created_at: 1,
    }
    await db
      .insertInto('passkeys')
      .values({ ...passkey, user_id: user.id })
      .execute()
    const become = (change: object) => db.updateTable('users').set(change).where('id', '=', user.id).execute()
    // A login with a password or at a provider would have fewer factors than one with the passkey.
    expect(await isClosed(user)).toBe(true)
    await become({ password: '', github_id: '1' })
    expect(await isClosed(user)).toBe(true)
    await become({ github_id: '' })
    expect(await isClosed(user)).toBe(false)
    expect(await stateOf(user)).toMatchObject({ enabled: false, required: true, missing: false })
  })

  it('close the playground, and do not affect API keys', async () => {
    await world.channel()
    const key = await user.key()
    await world.option('TwoFactorRequiredRole', 'everybody')
    world.upstream.answers({ body: chatAnswer('hello', { prompt: 1, completion: 1 }) })
    expect((await user.asks('gpt-4o', 'hi', { key })).status).toBe(200)
    const plays = () =>
      user.post('/pg/chat/completions', {
        model: 'gpt-4o',
        group: 'default',
        messages: [{ role: 'user', content: 'x' }],
      })
    expect(await plays()).toMatchObject({ status: 403, body: { error: { code: 'two_factors_required' } } })
    await world.option('TwoFactorRequiredRole', 'admin')
    expect((await plays()).status).toBe(200)
  })

  it('cost no database query for users who do not need them', async () => {
    await world.option('TwoFactorRequiredRole', 'admin')
    const { schema } = world.gateway.inner.db
    await schema.alterTable('authenticators').renameTo('elsewhere').execute()
    expect((await user.get('/api/token')).success).toBe(true)
    expect((await clerk.get('/api/token')).status).toBe(500)
    await schema.alterTable('elsewhere').renameTo('authenticators').execute()
  })

  it('cannot be turned off by users who need them, and the code is not used up by the attempt', async () => {
    await world.option('TwoFactorRequiredRole', 'root')
    const off = await world.admin.post('/api/user/2fa/disable', { code: codes[0] })
    expect(off.message).toBe('Your account must have two-factor authentication, so it cannot be turned off.')
    expect(await stateOf(world.admin)).toMatchObject({ enabled: true, backup_codes_remaining: 10 })
    await withAuthenticator(clerk, PASSWORD, world.clock)
    await world.option('TwoFactorRequiredRole', 'nobody')
    expect((await world.admin.post('/api/user/2fa/disable', { code: codes[0] })).success).toBe(true)
  })

  it('are required again of a user whose factors an administrator has removed', async () => {
    await withAuthenticator(clerk, PASSWORD, world.clock)
    await world.option('TwoFactorRequiredRole', 'admin')
    expect(await isClosed(clerk)).toBe(false)
    dataOf(await world.admin.delete(`/api/user/${clerk.id}/2fa`))
    expect(await isClosed(clerk)).toBe(true)
  })
})

describe('requiring two factors (docs/reference/accounts.md#two-factors-required)', () => {
  const own = 'Turn on two-factor authentication for your own account before you require it of others.'
  const put = (person: Person, value: Scope) => person.put('/api/option', { key: 'TwoFactorRequiredRole', value })

  it('is only for users who have them, no matter how the option is changed', async () => {
    const other = await world.user({ role: role.root })
    for (const scope of ['root', 'admin', 'everybody'] as const) expect((await put(other, scope)).message).toBe(own)
    const file = { version: 1, product: 'Switchyard', exported_at: 1, options: { TwoFactorRequiredRole: 'admin' } }
    const dry = dataOf(await other.post('/api/option/import', { file }))
    expect(dry.items).toMatchObject([{ key: 'TwoFactorRequiredRole', outcome: 'refused', why: own }])
    const keys = ['TwoFactorRequiredRole']
    expect((await other.post('/api/option/import', { file, dry_run: false, keys })).message).toContain(own)
    const changes = [{ key: 'TwoFactorRequiredRole', value: 'everybody' }]
    expect((await other.put('/api/option/batch', { changes })).message).toBe(own)
    expect((await put(other, 'nobody')).success).toBe(true)
    expect(world.gateway.inner.settings.get('TwoFactorRequiredRole')).toBe('nobody')
    expect((await put(world.admin, 'admin')).success).toBe(true)
    expect(await put(other, 'nobody')).toMatchObject(refused)
    expect((await put(world.admin, 'admin')).success, 'the same again').toBe(true)
    expect((await put(world.admin, 'nobody')).success).toBe(true)
  })

  it('is up to the super administrator', async () => {
    await withAuthenticator(clerk, PASSWORD, world.clock)
    await world.option('TwoFactorRequiredRole', 'everybody')
    for (const scope of ['nobody', 'root', 'admin'] as const)
      expect((await put(clerk, scope)).message).toContain('Only the super administrator')
  })

  it('does not affect the desktop’s own window in self-use mode, but everyone else', async () => {
    await world.option('SelfUseModeEnabled', true)
    await world.option('TwoFactorRequiredRole', 'everybody')
    await world.gateway.inner.db.deleteFrom('authenticators').execute()
    const ticket = await world.gateway.ticket()
    const reply = await world.visitor.post('/api/user/ticket', { ticket: ticket?.secret })
    const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const window = aClient(world.url, { cookie, 'new-api-user': String(world.admin.id) })
    expect((await window.get('/api/token')).success).toBe(true)
    expect(dataOf(await window.get('/api/user/2fa/status'))).toMatchObject({ required: true, missing: false })
    expect(await world.admin.get('/api/token'), 'a session of the same person by password').toMatchObject(refused)
    const changed = await window.put('/api/user/self', { original_password: PASSWORD, password: 'another-long-one' })
    const renewed = aClient(world.url, {
      cookie: changed.headers.getSetCookie()[0]?.split(';')[0] ?? '',
      'new-api-user': String(world.admin.id),
    })
    expect((await renewed.get('/api/token')).success, 'in the session that a new password begins').toBe(true)
    expect((await renewed.put('/api/option', { key: 'SelfUseModeEnabled', value: false })).success).toBe(true)
    expect(await renewed.get('/api/token'), 'not alone any more').toMatchObject(refused)
  })

  it('counts for an access token of the same account as well', async () => {
    await world.option('TwoFactorRequiredRole', 'admin')
    const { db } = world.gateway.inner
    await db
      .updateTable('users')
      .set({ access_token_hash: sha256('a-token') })
      .where('id', '=', clerk.id)
      .execute()
    const program = aClient(world.url, { authorization: 'a-token', 'new-api-user': String(clerk.id) })
    expect(await program.get('/api/channel')).toMatchObject(refused)
    expect(await program.put('/api/option', { key: 'TwoFactorRequiredRole', value: 'nobody' })).toMatchObject(refused)
  })
})
