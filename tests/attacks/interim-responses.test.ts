import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from '../../gateway/base/network/http-client.ts'
import { aCaller, refused } from '../gateway/relay/websockets/caller.ts'
import { aWorld } from '../support/world.ts'

/**
 * Interim responses (1xx, RFC 9110 §15.2) come before the response, any number of them. No client limits them, and each
 * restarts its timeouts (docs/reference/limits.md#connections).
 */
const INTERIM = 'HTTP/1.1 103 Early Hints\r\n\r\n'

/** A server that sends interim responses to a connection until it is closed, at once or at intervals. */
async function aHintingServer(everyMs = 0) {
  const state = { sent: 0, open: 0 }
  const server = createServer((socket) => {
    state.open += 1
    socket.on('error', () => {}).on('close', () => (state.open -= 1))
    socket.once('data', async () => {
      for (; !socket.destroyed; state.sent += 1) {
        if (!socket.write(INTERIM)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
        if (everyMs > 0) await sleep(everyMs)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const closed = (state: { open: number }) => expect.poll(() => state.open).toBe(0)
const messages = [{ role: 'user', content: 'hi' }]

it('an upstream that sends only interim responses is left', async () => {
  const { state, url } = await aHintingServer()
  const world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  await world.channel({ base_url: url, models: 'gpt-4o,gpt-realtime' })
  const alice = await world.user({ quota: 1e9 })
  expect((await alice.calls('/v1/chat/completions', { model: 'gpt-4o', messages })).status).toBe(502)
  await closed(state)
  expect(await refused(aCaller(world, '/v1/realtime?model=gpt-realtime', alice))).toMatchObject({ status: 502 })
  await closed(state)
})

it('interim responses do not extend the time limit for headers', async () => {
  const { state, url } = await aHintingServer(200)
  const world = await aWorld({
    options: { SelfUseModeEnabled: true, RetryTimes: 0 },
    config: { UPSTREAM_HEADERS_TIMEOUT: '1' },
  })
  await world.channel({ base_url: url, models: 'gpt-4o' })
  const alice = await world.user({ quota: 1e9 })
  expect((await alice.calls('/v1/chat/completions', { model: 'gpt-4o', messages, stream: true })).status).toBe(504)
  await closed(state)
  expect(state.sent).toBeLessThan(16)
})

it('a file’s server, and a server that the gateway itself calls, are left likewise', async () => {
  const { state, url } = await aHintingServer()
  const world = await aWorld({
    options: { SelfUseModeEnabled: true, RetryTimes: 0 },
    config: { FETCH_ALLOWED_ADDRESSES: '127.0.0.1' },
  })
  await world.channel({ type: 24, models: 'gemini-2.0-flash' })
  const alice = await world.user({ quota: 1e9 })
  const image = { type: 'image_url', image_url: { url: `${url}/a.png` } }
  const asked = await alice.calls('/v1/chat/completions', {
    model: 'gemini-2.0-flash',
    messages: [{ role: 'user', content: [image] }],
  })
  expect(asked.status).toBe(400)
  await closed(state)
  const client = createHttpClient()
  onTestFinished(() => client.close())
  const options = { timeoutMs: 60_000, maxBytes: 1000 }
  await expect(client.fetchTrusted(url, options)).rejects.toMatchObject({ kind: 'upstream' })
  await closed(state)
})
