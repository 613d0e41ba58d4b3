import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MetadataAddressRefused } from '../../../../gateway/base/network/metadata-address.ts'
import { openWire } from '../../../../gateway/relay/upstream/socket-wire.ts'
import { aHttpProxy, aSocksProxy, type LoopbackProxy } from '../../../support/proxies.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { aCaller, refused } from '../websockets/caller.ts'
import { aSocketVendor, type SocketVendor } from '../websockets/socket-vendor.ts'

/** The only credentials that the proxy accepts. */
const WHO = { user: 'me', password: 'secret' }

let world: World
let vendor: SocketVendor
let http: LoopbackProxy
let socks: LoopbackProxy
let alice: Person
let port: string

beforeAll(async () => {
  vendor = await aSocketVendor()
  http = await aHttpProxy(WHO)
  socks = await aSocksProxy(WHO)
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  alice = await world.user({ quota: 1_000_000_000 })
  port = new URL(vendor.url).port
  const channel = (models: string, base_url: string, proxy = '') =>
    world.channel({ models, base_url, setting: JSON.stringify({ proxy }) })
  await channel('by-http', vendor.url, `http://me:secret@127.0.0.1:${http.port}`)
  await channel('by-socks', vendor.url, `socks5://me:secret@127.0.0.1:${socks.port}`)
  await channel('by-socks-name', `http://localhost:${port}`, `socks5h://me:secret@127.0.0.1:${socks.port}`)
  await channel('forbidden', 'http://forbidden.example', `http://me:secret@127.0.0.1:${http.port}`)
})
afterAll(() => Promise.all([vendor.stop(), http.stop(), socks.stop()]))

const session = (model: string) => aCaller(world, `/v1/realtime?model=${model}`, alice)

describe('the connection to a channel of sessions (docs/reference/channel-types.md#common-rules)', () => {
  it.each([
    ['by-http', () => http, '127.0.0.1'],
    ['by-socks', () => socks, '127.0.0.1'],
    ['by-socks-name', () => socks, 'localhost'],
  ])('leads through the proxy of the channel: %s', async (model, proxy, host) => {
    const caller = await session(model)
    await caller.gets('session.created')
    expect(proxy().asked.at(-1)).toBe(`${host}:${port}`)
    caller.socket.close()
    await caller.closed
  })

  it('fails where a SOCKS proxy refuses, hangs up, sends nonsense or nothing, or the login is too long', async () => {
    const answers: readonly (readonly [string, (socket: Socket) => unknown])[] = [
      ['a sign-in it does not take', (socket) => socket.write(Buffer.from([5, 255]))],
      ['the end', (socket) => socket.end()],
      ['nonsense', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
      ['nothing', () => {}],
    ]
    for (const [what, answer] of answers) {
      const proxy = createServer((socket) => socket.on('error', () => {}).once('data', () => answer(socket)))
      await once(proxy.listen(0, '127.0.0.1'), 'listening')
      const { port: at } = proxy.address() as AddressInfo // it listens on a port, not on a pipe
      const opening = openWire(new URL(vendor.url.replace('http', 'ws')), `socks5://127.0.0.1:${at}`, 300)
      await expect(opening, what).rejects.toThrow()
      proxy.close()
    }
    const long = `socks5://${'u'.repeat(256)}:secret@127.0.0.1:${socks.port}`
    await expect(openWire(new URL(vendor.url.replace('http', 'ws')), long, 300)).rejects.toThrow('no room')
  })

  it('ends where the proxy requires it', async () => {
    expect(await refused(session('forbidden'))).toMatchObject({ status: 502, error: { code: 'do_request_failed' } })
  })

  it.each([
    ['directly', () => ''],
    ['through a proxy', () => `http://127.0.0.1:${http.port}`],
  ])('never leads to a metadata service, %s', async (_, proxy) => {
    const asked = http.asked.length
    const opening = openWire(new URL('ws://169.254.169.254/v1/realtime'), proxy(), 1000)
    await expect(opening).rejects.toThrow(MetadataAddressRefused)
    expect(http.asked).toHaveLength(asked)
  })
})
