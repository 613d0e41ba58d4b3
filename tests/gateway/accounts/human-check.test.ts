import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHumanCheck } from '../../../gateway/accounts/human-check.ts'
import { createHttpClient } from '../../../gateway/base/http-client.ts'
import { aWorld } from '../../support/world.ts'

/** Stands in for Cloudflare: believes `good` once it is told so, and keeps what it was asked. */
async function aVerifier(answer: (form: URLSearchParams) => string) {
  const asked: Record<string, string>[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const form = new URLSearchParams(text)
    asked.push(Object.fromEntries(form))
    response.end(answer(form))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const http = createHttpClient()
  onTestFinished(async () => {
    await http.close()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const check = (isOn: boolean) =>
    createHumanCheck({
      settings: {
        get: (key) => ({ TurnstileCheckEnabled: isOn, TurnstileSecretKey: 'the-secret' })[key as string] as never,
      },
      fetchTrusted: http.fetchTrusted,
      verifyUrl: `http://127.0.0.1:${port}/siteverify`,
    })
  return { asked, check, server }
}

const believer = (form: URLSearchParams) => JSON.stringify({ success: form.get('response') === 'good' })

describe('the human check (spec/console.md §1.5)', () => {
  it('passes everybody while it is off', async () => {
    const { check, asked } = await aVerifier(believer)
    await check(false)(undefined, '203.0.113.9')
    expect(asked).toEqual([])
  })

  it('verifies every token anew with the secret and the address', async () => {
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

  it('stands before the password at sign-in', async () => {
    const world = await aWorld({
      options: { TurnstileSiteKey: 'a-key', TurnstileSecretKey: 'a-secret', TurnstileCheckEnabled: true },
    })
    const reply = await world.visitor.post('/api/user/login', { username: 'root', password: 'a-long-password' })
    expect(reply).toMatchObject({ success: false, message: 'The human check token is empty' })
  })
})
