import { describe, expect, it, onTestFinished } from 'vitest'
import { createHumanCheck } from '../../../../gateway/accounts/login/human-check.ts'
import { createHttpClient } from '../../../../gateway/base/network/http-client.ts'
import { dataOf } from '../../../support/client.ts'
import { aWorld } from '../../../support/world.ts'
import { aTurnstile } from '../turnstile.ts'

async function aVerifier(answer: (form: URLSearchParams) => string) {
  const { asked, url: verifyUrl } = await aTurnstile(answer)
  const http = createHttpClient()
  onTestFinished(() => http.close())
  const check = (isOn: boolean) =>
    createHumanCheck({
      settings: {
        get: (key) => ({ TurnstileCheckEnabled: isOn, TurnstileSecretKey: 'the-secret' })[key as string] as never,
      },
      fetchTrusted: http.fetchTrusted,
      verifyUrl,
    })
  return { asked, check }
}

const believer = (form: URLSearchParams) => JSON.stringify({ success: form.get('response') === 'good' })

describe('the human check (docs/reference/accounts.md#human-verification)', () => {
  it('passes everyone while it is off', async () => {
    const { check, asked } = await aVerifier(believer)
    await check(false)(undefined, '203.0.113.9')
    expect(asked).toEqual([])
  })

  it('verifies every token again with the secret and the address', async () => {
    const { check, asked } = await aVerifier(believer)
    const isHuman = check(true)
    await isHuman('good', '203.0.113.9')
    await isHuman('good', '203.0.113.9')
    expect(asked).toEqual(Array(2).fill({ secret: 'the-secret', response: 'good', remoteip: '203.0.113.9' }))
    await expect(isHuman('bad', '203.0.113.9')).rejects.toMatchObject({ key: 'turnstile.fail' })
    await expect(isHuman(undefined, '203.0.113.9')).rejects.toMatchObject({ key: 'turnstile.empty' })
    await expect(isHuman('', '203.0.113.9')).rejects.toMatchObject({ key: 'turnstile.empty' })
  })

  it.each(['', 'nonsense', '{}', '{"success":"true"}', 'x'.repeat(100_000)])(
    'fails closed on an unusable answer %#',
    async (answer) => {
      const { check } = await aVerifier(() => answer)
      await expect(check(true)('good', '203.0.113.9')).rejects.toMatchObject({ key: 'turnstile.fail' })
    },
  )

  it('is required for everything a visitor can do: logging in, registering, sending mail', async () => {
    const { asked, url } = await aTurnstile(believer)
    const world = await aWorld({
      options: { TurnstileSiteKey: 'a-key', TurnstileSecretKey: 'a-secret' },
      verifyUrl: url,
    })
    const change = { key: 'TurnstileCheckEnabled', value: true }
    expect((await world.admin.put('/api/option?turnstile=good', change)).success).toBe(true)
    asked.length = 0
    const newcomer = { username: 'newcomer', password: 'a-long-password' }
    const calls: readonly [string, string, object?][] = [
      ['POST', '/api/user/login', { username: 'root', password: 'a-long-password' }],
      ['POST', '/api/user/register', newcomer],
      ['GET', '/api/verification?email=a@example.com'],
      ['GET', '/api/reset_password?email=a@example.com'],
    ]
    for (const [method, path, body] of calls) {
      const reply = await world.visitor.send(method, path, body)
      expect(reply, path).toMatchObject({ success: false, message: 'Complete the human verification first' })
    }
    expect(asked).toEqual([])
    for (const [method, path, body] of calls)
      await world.visitor.send(method, `${path}${path.includes('?') ? '&' : '?'}turnstile=good`, body)
    expect(asked.map(({ response }) => response)).toEqual(calls.map(() => 'good'))
    expect(dataOf(await world.admin.get('/api/user/search?keyword=newcomer')).items).toHaveLength(1)
  })
})
