import { beforeEach, describe, expect, it } from 'vitest'
import { aClient, dataOf } from '../../../support/client.ts'
import { aClock } from '../../../support/clock.ts'
import { anAuthenticator } from '../../../support/passkey-device.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../../support/world.ts'
import { aBrowser, type Browser } from '../providers/browser.ts'

const AGAIN = {
  success: false,
  message: 'Log in again to change how this account is opened: your last login was a while ago',
  body: { code: 'log_in_again' },
}

let world: World
let alice: Person
let browser: Browser
beforeEach(async () => {
  world = await aWorld({ clock: aClock(1_700_000_000_000) })
  alice = await world.user()
  browser = aBrowser(world.url)
  await browser.logIn(alice.username, PASSWORD)
})

const users = () => world.gateway.inner.db.updateTable('users')
const withoutPassword = () => users().set({ password: '', github_id: '7' }).where('id', '=', alice.id).execute()
const calls = [
  '/api/oauth/state',
  '/api/oauth/wechat/bind?code=c',
  '/api/oauth/telegram/bind?id=1',
  '/api/oauth/email/bind?email=a@example.org&code=1',
  '/api/user/token',
]

describe('the login methods of an account (docs/reference/accounts.md#recent-login)', () => {
  it('are changed only after a recent login of that same account', async () => {
    world.clock.advanceSeconds(15 * 60)
    expect((await browser.get('/api/oauth/state')).success).toBe(true)
    world.clock.advanceSeconds(1)
    for (const path of calls) expect(await browser.get(path), path).toMatchObject(AGAIN)
    expect(await browser.delete('/api/user/self/binding/github')).toMatchObject(AGAIN)
    expect((await aBrowser(world.url).get('/api/oauth/state')).success, 'a visitor logs in').toBe(true)
    expect((await browser.get('/api/user/self')).success, 'all else goes on').toBe(true)
    await browser.logIn(alice.username, PASSWORD)
    for (const path of calls) expect((await browser.get(path)).body.code, path).toBeUndefined()
  })

  it('need no proof of an account that has neither password nor passkey', async () => {
    await withoutPassword()
    world.clock.advanceSeconds(3600)
    expect((await browser.get('/api/oauth/state')).success).toBe(true)
    dataOf(await browser.put('/api/user/self', { password: 'a-first-password' }))
    await browser.logIn(alice.username, 'a-first-password')
  })

  it('by a first password needs it where there is a passkey, and is set by no access token', async () => {
    const origin = `http://localhost:${new URL(world.url).port}`
    const at = aClient(origin, { ...alice.identity(), origin })
    const begun = await at.post('/api/user/passkey/register/begin', { password: PASSWORD })
    const [mark = ''] = begun.headers.getSetCookie().map((line) => line.split(';')[0])
    const { cookie = '' } = alice.identity()
    const marked = aClient(origin, { ...alice.identity(), cookie: `${cookie}; ${mark}`, origin })
    const made = anAuthenticator(origin).creates(dataOf(begun))
    dataOf(await marked.post('/api/user/passkey/register/finish', { ...made, name: 'mine' }))
    const token = dataOf(await alice.get('/api/user/token'))
    await withoutPassword()
    const program = aClient(world.url, { authorization: token, 'new-api-user': String(alice.id) })
    expect(await program.put('/api/user/self', { password: 'a-first-password' })).toMatchObject({
      success: false,
      message: 'Log in to do this: an access token is not enough',
    })
    dataOf(await program.put('/api/user/self', { display_name: 'Ann' }))
    world.clock.advanceSeconds(16 * 60)
    expect(await browser.put('/api/user/self', { password: 'a-first-password' })).toMatchObject(AGAIN)
    expect(await browser.post('/api/user/passkey/register/begin', {})).toMatchObject(AGAIN)
    expect(await browser.post('/api/user/2fa/setup', {})).toMatchObject(AGAIN)
    expect(await browser.delete('/api/user/passkey/1')).toMatchObject(AGAIN)
  })

  it('is not a login by a clock that was ahead', async () => {
    world.clock.setSeconds(86_400)
    await browser.logIn(alice.username, PASSWORD)
    world.clock.setSeconds(-86_400)
    for (const path of calls) expect(await browser.get(path), path).toMatchObject(AGAIN)
  })
})

describe('the data key (docs/reference/backup.md#the-data-key)', () => {
  it('is exported for a super administrator without a password only after a recent login', async () => {
    const { db } = world.gateway.inner
    await users().set({ password: '' }).where('id', '=', world.admin.id).execute()
    const passkey = {
      credential_id: 'x',
      user_handle: 'h',
      name: 'n',
      public_key: 'k',
      rp_id: 'localhost',
      created_at: 1,
    }
    await db
      .insertInto('passkeys')
      .values({ ...passkey, user_id: world.admin.id })
      .execute()
    const exported = () => world.admin.post('/api/backup/key', { password: '', passphrase: 'a long passphrase' })
    expect((await exported()).success).toBe(true)
    world.clock.advanceSeconds(16 * 60)
    expect(await exported()).toMatchObject(AGAIN)
  })
})
