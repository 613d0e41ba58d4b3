import { describe, expect, it } from 'vitest'
import { aWorld, PASSWORD, type World } from '../../../support/world.ts'
import { ask } from '../../api/raw.ts'
import { aTurnstile } from '../turnstile.ts'

/** Key pairs that the fake verifier knows; a token is the site key that created it. */
const pairs: Record<string, string> = { 'site-1': 'secret-1', 'site-2': 'secret-2' }
const believer = (form: URLSearchParams) =>
  JSON.stringify({ success: pairs[form.get('response') ?? ''] === form.get('secret') })

const unproven = /Before you save, complete a human verification with these keys/
const disproven = /so nothing was saved. Check both keys/

const put = (world: World, key: string, value: unknown, token?: string) =>
  world.admin.put(`/api/option${token === undefined ? '' : `?turnstile=${token}`}`, { key, value })

async function withKeys(siteKey: string, secretKey: string) {
  const turnstile = await aTurnstile(believer)
  const options = { TurnstileSiteKey: siteKey, TurnstileSecretKey: secretKey }
  const world = await aWorld({ options, verifyUrl: turnstile.url })
  const isOn = () => world.gateway.inner.settings.get('TurnstileCheckEnabled')
  return { ...turnstile, world, isOn }
}

describe('the human check is proven before it can lock users out (docs/reference/accounts.md#human-verification)', () => {
  it('can be switched on only with a token that is valid for exactly these keys', async () => {
    const { world, asked, isOn } = await withKeys('site-1', 'secret-1')
    expect((await put(world, 'TurnstileCheckEnabled', true)).message).toMatch(unproven)
    expect((await put(world, 'TurnstileCheckEnabled', true, '')).message).toMatch(unproven)
    expect((await put(world, 'TurnstileCheckEnabled', true, 'site-2')).message).toMatch(disproven)
    expect(isOn()).toBe(false)
    expect((await put(world, 'TurnstileCheckEnabled', true, 'site-1')).success).toBe(true)
    expect(isOn()).toBe(true)
    expect(asked).toEqual([
      { secret: 'secret-1', response: 'site-2', remoteip: '127.0.0.1' },
      { secret: 'secret-1', response: 'site-1', remoteip: '127.0.0.1' },
    ])
  })

  it('stays off with wrong keys, so that root still signs in', async () => {
    const { world, isOn } = await withKeys('site-1', 'secret-2')
    expect((await put(world, 'TurnstileCheckEnabled', true, 'site-1')).message).toMatch(disproven)
    expect(isOn()).toBe(false)
    const fields = { username: 'root', password: PASSWORD }
    expect((await world.visitor.post('/api/user/login', fields)).success).toBe(true)
  })

  it('is refused when the verification service does not respond', async () => {
    const { world } = await withKeys('site-1', 'secret-1')
    const deaf = await aWorld({
      options: { TurnstileSiteKey: 'site-1', TurnstileSecretKey: 'secret-1' },
      verifyUrl: `${world.url}/nothing`,
    })
    expect((await put(deaf, 'TurnstileCheckEnabled', true, 'site-1')).message).toMatch(disproven)
  })

  it('protects its keys while it is on: a new key must be proven, and none can be removed', async () => {
    const { world } = await withKeys('site-1', 'secret-1')
    await put(world, 'TurnstileCheckEnabled', true, 'site-1')
    const { settings } = world.gateway.inner
    for (const [key, value] of [
      ['TurnstileSecretKey', 'secret-2'],
      ['TurnstileSiteKey', 'site-2'],
    ] as const) {
      expect((await put(world, key, value)).message).toMatch(unproven)
      expect((await put(world, key, value, 'site-1')).success).toBe(key === 'TurnstileSiteKey')
      expect((await put(world, key, ' ')).message).toMatch(/Turn it off before you remove a key/)
    }
    expect(settings.get('TurnstileSecretKey')).toBe('secret-1')
    expect((await put(world, 'TurnstileSecretKey', 'secret-1')).success, 'the same again').toBe(true)
    expect((await put(world, 'TurnstileCheckEnabled', false)).success).toBe(true)
    expect((await put(world, 'TurnstileSecretKey', '')).success).toBe(true)
  })

  it('cannot be outrun: a key exchanged while the switch is being proven is not the one in force', async () => {
    const { world, isOn } = await withKeys('site-1', 'secret-1')
    const [, exchanged] = await Promise.all([
      put(world, 'TurnstileCheckEnabled', true, 'site-1'),
      put(world, 'TurnstileSecretKey', 'secret-2'),
    ])
    const { settings } = world.gateway.inner
    expect([isOn(), settings.get('TurnstileSecretKey')]).not.toEqual([true, 'secret-2'])
    if (isOn()) expect(exchanged.message).toMatch(unproven)
  })
})

describe('the server address is proven by the call that changes it', () => {
  it('may not take away the name the console is open at', async () => {
    const world = await aWorld({ options: { ServerAddress: 'https://gate.example' } })
    const { admin, url } = world
    const change = (host: string, origin: string | undefined, value: string) =>
      ask(`${url}/api/option`, {
        method: 'PUT',
        headers: {
          ...admin.identity(),
          host,
          ...(origin ? { origin } : {}),
          'content-type': 'application/json',
          'accept-language': 'en',
        },
        body: JSON.stringify({ key: 'ServerAddress', value }),
      })
    const refused = /would stop responding at gate.example/
    for (const value of ['https://gaet.example', '', 'https://gate.example:8443'])
      expect((await change('gate.example', undefined, value)).json.message, value).toMatch(refused)
    // Behind a proxy that rewrites Host, the configured address confirms the page's own origin.
    const own = new URL(url).host
    expect((await change(own, 'https://gate.example', 'https://gaet.example')).json.message).toMatch(refused)
    expect((await change('gate.example', 'https://gate.example', 'https://gate.example/')).json.success).toBe(true)
    expect((await change(own, undefined, 'https://new.example')).json.success).toBe(true)
  })
})
