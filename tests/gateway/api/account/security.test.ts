import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { role } from '../../../../shared/enums.ts'
import { aClient, dataOf } from '../../../support/client.ts'
import { filesWith } from '../../../support/files-with.ts'
import { aWorld, PASSWORD, type Person, type World } from '../../../support/world.ts'
import { aBrowser, type Browser } from '../../accounts/providers/browser.ts'

let world: World
beforeAll(async () => {
  world = await aWorld()
})

const codeOf = (secret: string, steps = 0, clock = world.clock) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() + steps * 30_000 })

/**
 * Sets up two factors; returns the secret and the recovery codes. Advances the clock, so that the next code is a new
 * one.
 */
async function secured(person: Person, clock = world.clock) {
  const { secret, qr_code_data } = dataOf(await person.post('/api/user/2fa/setup', { password: PASSWORD }))
  const { backup_codes } = dataOf(await person.post('/api/user/2fa/enable', { code: codeOf(secret, 0, clock) }))
  clock.advance(60_000)
  return { secret, qr_code_data, codes: backup_codes as string[] }
}

const firstStep = (browser: Browser, username: string) =>
  browser.post('/api/user/login', { username, password: PASSWORD })
const secondStep = (browser: Browser, code: string) => browser.post('/api/user/login/2fa', { code })
/** State of an account that needs no second factor. */
const notAsked = { required: false, missing: false }
const stateOf = async (person: Person) => dataOf(await person.get('/api/user/2fa/status'))

describe('two factors (docs/reference/accounts.md#two-factors)', () => {
  it('are turned on by a user with the password and the app, and required from then on', async () => {
    const person = await world.user()
    expect(await stateOf(person)).toEqual({
      enabled: false,
      backup_codes_remaining: 0,
      has_password: true,
      ...notAsked,
    })
    expect((await person.post('/api/user/2fa/setup', {})).message).toBe('Please enter the original password!')
    expect((await person.post('/api/user/2fa/setup', { password: 'x' })).message).toBe('The original password is wrong')
    const { secret, qr_code_data } = dataOf(await person.post('/api/user/2fa/setup', { password: PASSWORD }))
    expect(new URL(qr_code_data).searchParams.get('secret')).toBe(secret)
    expect(qr_code_data).toContain(`otpauth://totp/Switchyard:${person.username}`)
    // Two factors are not active yet.
    expect(dataOf(await firstStep(aBrowser(world.url), person.username)).id).toBe(person.id)
    expect((await person.post('/api/user/2fa/enable', { code: '000000' })).message).toContain('wrong')
    const { backup_codes } = dataOf(await person.post('/api/user/2fa/enable', { code: codeOf(secret) }))
    expect(backup_codes).toHaveLength(10)
    expect(new Set(backup_codes).size).toBe(10)
    expect(backup_codes[0]).toMatch(/^([a-z0-9]{4}-){3}[a-z0-9]{4}$/)
    expect(await stateOf(person)).toEqual({
      enabled: true,
      backup_codes_remaining: 10,
      has_password: true,
      ...notAsked,
    })
    const browser = aBrowser(world.url)
    const asked = await firstStep(browser, person.username)
    expect(asked.data).toEqual({ require_2fa: true })
    // A login with the correct password but no code is recorded as failed.
    const history = async () => dataOf(await person.get('/api/user/self/sign_ins'))
    const [attempt, ...before] = await history()
    expect(attempt).toMatchObject({ way: 'password', succeeded: false })
    browser.is(person.id)
    expect((await browser.get('/api/user/self')).status).toBe(401)
    world.clock.advance(60_000)
    expect(dataOf(await secondStep(browser, ` ${codeOf(secret).replace(/(...)/, '$1 ')} `))).toMatchObject({
      id: person.id,
      username: person.username,
    })
    expect(await history()).toEqual([{ ...attempt, succeeded: true }, ...before])
    expect(dataOf(await browser.get('/api/user/self')).id).toBe(person.id)
    for (const text of [secret, String(backup_codes[0])]) expect(filesWith(world.folder, text)).toEqual([])
  })

  it('accept each code once, only in this browser, and one step to either side', async () => {
    const person = await world.user()
    const { secret } = await secured(person)
    const [browser, other] = [aBrowser(world.url), aBrowser(world.url)]
    await firstStep(browser, person.username)
    await firstStep(other, person.username)
    const code = codeOf(secret, -1)
    expect((await secondStep(aBrowser(world.url), code)).message).toContain('The login has expired')
    const both = await Promise.all([secondStep(browser, code), secondStep(other, code)])
    expect(both.filter(({ success }) => success)).toHaveLength(1)
    const late = aBrowser(world.url)
    await firstStep(late, person.username)
    expect((await secondStep(late, codeOf(secret, 3))).message).toContain('wrong, has expired or was already used')
    await world.later(300_000)
    expect((await secondStep(late, codeOf(secret))).message).toContain('The login has expired')
  })

  it('take a code once, also where its own step begins only later', async () => {
    const person = await world.user()
    const { secret } = await secured(person)
    const enter = async (code: string) => {
      const browser = aBrowser(world.url)
      await firstStep(browser, person.username)
      return secondStep(browser, code)
    }
    // A code from an authenticator whose clock is ahead stays valid for two more steps.
    const code = codeOf(secret, 1)
    expect(dataOf(await enter(code)).id).toBe(person.id)
    for (let step = 1; step <= 2; step += 1) {
      world.clock.advance(30_000)
      expect((await enter(code)).message).toContain('wrong, has expired or was already used')
    }
  })

  it('are replaced by a recovery code, each once', async () => {
    const person = await world.user()
    const { codes } = await secured(person)
    const enter = async (code: string) => {
      const browser = aBrowser(world.url)
      await firstStep(browser, person.username)
      return secondStep(browser, code)
    }
    expect(dataOf(await enter(codes[0]?.toUpperCase().replaceAll('-', ' ') ?? '')).id).toBe(person.id)
    expect((await enter(codes[0] ?? '')).success).toBe(false)
    expect((await stateOf(person)).backup_codes_remaining).toBe(9)
    // Of many concurrent logins with the same code, one succeeds.
    const browsers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const browser = aBrowser(world.url)
        await firstStep(browser, person.username)
        return browser
      }),
    )
    const together = await Promise.all(browsers.map((browser) => secondStep(browser, codes[1] ?? '')))
    expect(together.filter(({ success }) => success)).toHaveLength(1)
    expect((await stateOf(person)).backup_codes_remaining).toBe(8)
    const [, other] = [person, await world.user()]
    const others = await secured(other)
    expect((await enter(others.codes[0] ?? '')).success).toBe(false)
  })

  it('allow ten guesses in a quarter of an hour at most, over all clients', async () => {
    const person = await world.user()
    const { secret } = await secured(person)
    const statuses: number[] = []
    for (let tries = 1; tries <= 12; tries += 1) {
      const browser = aBrowser(world.url)
      await firstStep(browser, person.username)
      statuses.push((await secondStep(browser, '123456')).status)
    }
    expect(statuses.slice(0, 10)).not.toContain(429)
    expect(statuses.slice(10)).toEqual([429, 429])
    world.clock.advance(900_000)
    const browser = aBrowser(world.url)
    await firstStep(browser, person.username)
    expect(await secondStep(browser, codeOf(secret))).toMatchObject({ success: true })
  })

  it('cannot be blocked for their owner by someone who knows only the password and guesses from elsewhere', async () => {
    const { url, clock, ...own } = await aWorld({ config: { TRUSTED_PROXIES: '127.0.0.1' } })
    const person = await own.user()
    const { secret, codes } = await secured(person, clock)
    const from = async (ip: string, code: string) => {
      const begun = await aClient(url, { 'x-forwarded-for': ip }).post('/api/user/login', {
        username: person.username,
        password: PASSWORD,
      })
      const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0])
      const headers = { 'x-forwarded-for': ip, cookie: cookie.join('; ') }
      return aClient(url, headers).post('/api/user/login/2fa', { code })
    }
    const statuses: number[] = []
    for (let tries = 1; tries <= 11; tries += 1) statuses.push((await from(`203.0.113.${tries}`, '123456')).status)
    expect(statuses.slice(9)).toEqual([200, 429])
    // Codes from an address where the owner is logged in are counted separately, and recovery codes not at all.
    const browser = aBrowser(url)
    await firstStep(browser, person.username)
    expect(await secondStep(browser, codeOf(secret, 0, clock))).toMatchObject({ success: true })
    expect(await from('198.51.100.1', codeOf(secret, 1, clock))).toMatchObject({ status: 429 })
    expect(await from('198.51.100.1', codes[0] ?? '')).toMatchObject({ success: true })
  })

  it('are started again where no code was entered within ten minutes, and can be guessed no more often than at the login', async () => {
    const person = await world.user()
    const proposed = async () => dataOf(await person.post('/api/user/2fa/setup', { password: PASSWORD })).secret
    const enabledBy = (code: string) => person.post('/api/user/2fa/enable', { code })
    const late = 'The setup was not finished within 10 minutes. Start it again.'
    expect((await enabledBy('123456')).message).toBe(late)
    const old = await proposed()
    world.clock.advance(601_000)
    expect((await enabledBy(codeOf(old))).message).toBe(late)
    const secret = await proposed()
    expect((await enabledBy(codeOf(old))).success).toBe(false)
    const statuses: number[] = []
    for (let tries = 2; tries <= 12; tries += 1) statuses.push((await enabledBy('123456')).status)
    expect(statuses.slice(0, 9)).not.toContain(429)
    expect(statuses.slice(9)).toEqual([429, 429])
    expect((await enabledBy(codeOf(secret))).status).toBe(429)
    // The account may start a setup twenty times in twenty minutes.
    world.clock.advance(1_200_000)
    dataOf(await enabledBy(codeOf(await proposed())))
    expect((await stateOf(person)).enabled).toBe(true)
  })

  it('are turned off, and codes renewed, by a code', async () => {
    const person = await world.user()
    const { secret, codes } = await secured(person)
    expect((await person.post('/api/user/2fa/setup', { password: PASSWORD })).message).toContain('already on')
    expect((await person.post('/api/user/2fa/backup_codes', { code: 'x' })).success).toBe(false)
    const renewed = dataOf(await person.post('/api/user/2fa/backup_codes', { code: codeOf(secret) }))
    expect(renewed.backup_codes).not.toContain(codes[0])
    expect((await person.post('/api/user/2fa/disable', { code: codes[0] })).success).toBe(false)
    dataOf(await person.post('/api/user/2fa/disable', { code: renewed.backup_codes[0] }))
    expect(await stateOf(person)).toEqual({
      enabled: false,
      backup_codes_remaining: 0,
      has_password: true,
      ...notAsked,
    })
    expect(dataOf(await firstStep(aBrowser(world.url), person.username)).id).toBe(person.id)
    await world.gateway.inner.ledger.flush()
    const rows = await world.gateway.inner.db
      .selectFrom('logs')
      .select('content')
      .where('user_id', '=', person.id)
      .execute()
    const told = rows.map(({ content }) => content)
    expect(told).toContain('Two-factor authentication was turned on')
  })

  it('are reset by a user of a higher role, never by an equal', async () => {
    const [clerk, peer] = [await world.user({ role: role.admin }), await world.user({ role: role.admin })]
    const person = await world.user()
    await secured(person)
    await secured(peer)
    expect((await person.delete(`/api/user/${peer.id}/2fa`)).message).toContain('permission')
    expect((await clerk.delete(`/api/user/${peer.id}/2fa`)).message).toContain('same or a higher role')
    expect((await clerk.delete(`/api/user/${world.admin.id}/2fa`)).message).toContain('same or a higher role')
    dataOf(await clerk.delete(`/api/user/${person.id}/2fa`))
    expect((await stateOf(person)).enabled).toBe(false)
    dataOf(await world.admin.delete(`/api/user/${peer.id}/2fa`))
    expect((await stateOf(peer)).enabled).toBe(false)
  })
})

describe('sessions and logins (docs/reference/accounts.md#sessions)', () => {
  it('are listed with their device, and ended one by one or all but this', async () => {
    const person = await world.user()
    const browsers = await Promise.all(
      [1, 2, 3].map(async () => {
        const browser = aBrowser(world.url)
        await browser.logIn(person.username, PASSWORD)
        return browser
      }),
    )
    const [first, second] = browsers
    const listed = dataOf(await (first as Browser).get('/api/user/self/sessions'))
    expect(listed).toHaveLength(4)
    expect(listed.filter(({ is_current }: { is_current: boolean }) => is_current)).toHaveLength(1)
    expect(listed[0]).toMatchObject({ ip: '127.0.0.1', created_at: expect.any(Number) })
    const own = dataOf(await (second as Browser).get('/api/user/self/sessions')).find(
      ({ is_current }: { is_current: boolean }) => is_current,
    )
    const stranger = await world.user()
    dataOf(await stranger.delete(`/api/user/self/sessions/${own.id}`))
    expect((await (second as Browser).get('/api/user/self')).status).toBe(200)
    dataOf(await (first as Browser).delete(`/api/user/self/sessions/${own.id}`))
    expect((await (second as Browser).get('/api/user/self')).status).toBe(401)
    dataOf(await (first as Browser).delete('/api/user/self/sessions'))
    expect(dataOf(await (first as Browser).get('/api/user/self/sessions'))).toHaveLength(1)
    expect((await person.get('/api/user/self')).status).toBe(401)
  })

  it('are listed with failures, the newest first, and fifty of each: failed attempts of others never displace the logins', async () => {
    const person = await world.user()
    await aBrowser(world.url).logIn(person.username, PASSWORD)
    await world.visitor.post('/api/user/login', { username: person.username, password: 'wrong-password' })
    const told = dataOf(await person.get('/api/user/self/sign_ins'))
    expect(told.map(({ way, succeeded }: { way: string; succeeded: boolean }) => [way, succeeded])).toEqual([
      ['password', false],
      ['password', true],
      ['password', true],
    ])
    for (let times = 0; times < 60; times += 1) await aBrowser(world.url).logIn(person.username, PASSWORD)
    const kept: { succeeded: boolean }[] = dataOf(await person.get('/api/user/self/sign_ins'))
    expect([kept.filter((one) => one.succeeded), kept.filter((one) => !one.succeeded)].map((of) => of.length)).toEqual([
      50, 1,
    ])
  })
})
