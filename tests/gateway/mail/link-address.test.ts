import { once } from 'node:events'
import { request } from 'node:http'
import { expect, it } from 'vitest'
import { aWorld } from '../../support/world.ts'
import { aMailServer, partOf } from './mail-server.ts'

const EMAIL = 'alice@example.org'

/**
 * A gateway behind a proxy on this machine, a user with a mail address, and a function that returns the link in the
 * mail that a call triggers.
 */
async function aForgetfulPerson(ServerAddress = '') {
  const { port, taken } = await aMailServer({ hideSTARTTLS: true })
  const world = await aWorld({
    options: { SMTPServer: '127.0.0.1', SMTPPort: port, SMTPFrom: 'gateway@example.com' },
    config: { TRUSTED_PROXIES: '127.0.0.1', ALLOWED_HOSTS: 'ai.example.com' },
  })
  if (ServerAddress) await world.gateway.inner.settings.set('ServerAddress', ServerAddress)
  const person = await world.user()
  await world.gateway.inner.db.updateTable('users').set({ email: EMAIL }).where('id', '=', person.id).execute()
  const linkFor = async (headers: Record<string, string>) => {
    const before = taken.length
    const all = { 'new-api-user': '-1', ...headers }
    const asked = request(`${world.url}/api/reset_password?email=${EMAIL}`, { headers: all }).end()
    const [response] = await once(asked, 'response')
    response.resume()
    expect(response.statusCode).toBe(200)
    await expect.poll(() => taken.length).toBe(before + 1)
    return /\S+\/user\/reset/.exec(partOf(taken.at(-1)?.raw ?? '', 'text/plain'))?.[0]
  }
  return { world, linkFor }
}

it('a mail caused by a call links to the allowed https host of the call, where no server address is set (docs/reference/share.md#addresses-in-links)', async () => {
  const { world, linkFor } = await aForgetfulPerson()
  const forwarded = { host: 'ai.example.com', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }
  expect(await linkFor(forwarded)).toBe('https://ai.example.com/user/reset')
  world.clock.advanceSeconds(3600)
  const inTheClear = { ...forwarded, 'x-forwarded-proto': 'http' }
  expect(await linkFor(inTheClear)).toBe(`${world.url}/user/reset`)
  world.clock.advanceSeconds(3600)
  const loopback = { ...forwarded, host: new URL(world.url).host }
  expect(await linkFor(loopback)).toBe(`${world.url}/user/reset`)
})

it('a server address that others can open is preferred to the host of the call (docs/reference/share.md#addresses-in-links)', async () => {
  const { linkFor } = await aForgetfulPerson('https://set.example.com')
  const headers = { host: 'ai.example.com', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }
  expect(await linkFor(headers)).toBe('https://set.example.com/user/reset')
})
