import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aFreshGateway, rootFields } from '../gateway/api/fresh-gateway.ts'
import { aClient, setupPath } from '../support/client.ts'
import { aWorld, PASSWORD } from '../support/world.ts'

/**
 * A reverse proxy with only `proxy_pass` configured: on this machine, with the gateway's own Host and no headers of its
 * own.
 */
async function aSilentProxy(target: string): Promise<string> {
  const { hostname, port, host } = new URL(target)
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host }
    const onward = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` // it listens on a port, not on a pipe
}

describe('a stranger behind a proxy on this machine that does not forward their address', () => {
  it('cannot set the gateway up, and its owner behind the same proxy can', async () => {
    const gateway = await aFreshGateway()
    const stranger = aClient(await aSilentProxy(gateway.url))
    for (const path of ['/api/setup', '/api/setup?code=', '/api/setup?code=guess'])
      expect((await stranger.post(path, rootFields)).message).toMatch(/one-time code is missing or wrong/)
    expect(await gateway.inner.db.selectFrom('users').select('id').execute()).toEqual([])
    expect((await stranger.post(setupPath(gateway.setupLink), rootFields)).success).toBe(true)
  })

  it('cannot sign in by password where that is off, not even with the right one of root', async () => {
    const world = await aWorld()
    await world.gateway.inner.settings.set('PasswordLoginEnabled', 'false')
    const stranger = aClient(await aSilentProxy(world.url))
    expect((await stranger.post('/api/user/login', { username: 'root', password: PASSWORD })).message).toBe(
      'Password login has been turned off by the administrator',
    )
  })

  it('is limited like any other address, in calls and in files', async () => {
    const world = await aWorld({ config: { GLOBAL_API_RATE_LIMIT: '5', GLOBAL_WEB_RATE_LIMIT: '3' } })
    const proxy = await aSilentProxy(world.url)
    const statuses = async (path: string) => {
      const codes = []
      for (let call = 0; call < 6; call += 1) codes.push((await fetch(proxy + path)).status)
      return codes
    }
    expect(await statuses('/api/status')).toContain(429)
    expect((await statuses('/')).slice(3)).toEqual([429, 429, 429])
  })
})
