import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { aWorld, type World } from '../../../support/world.ts'
import { aHeldVendor, begins } from '../upstream/held-vendor.ts'

const CHUNK = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x'.repeat(8000) } }] })}\n\n`
const KIB = 1024

/** The gateway's response object for a client that requests a stream and does not read it. */
async function unread(world: World, key: string): Promise<ServerResponse> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  const look = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse } // as Node documents it
    if (request.url === '/v1/chat/completions' && response.req === request) resolve(response)
  }
  subscribe('http.server.request.start', look)
  onTestFinished(() => void unsubscribe('http.server.request.start', look))
  const { port } = new URL(world.url)
  const body = JSON.stringify({ model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] })
  const socket = connect(Number(port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const head = `Authorization: Bearer sk-${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${head}\r\n\r\n${body}`)
  socket.pause()
  return promise
}

/** The maximum buffered for the response after its client has become slow, observed for some turns. */
async function keptOf(response: ServerResponse, enough: number): Promise<number> {
  while (!response.writableNeedDrain) await sleep(5)
  let max = 0
  for (let turn = 0; turn < 200 && max < enough; turn += 1) {
    max = Math.max(max, response.writableLength)
    await sleep(5)
  }
  return max
}

it('StreamCacheQueueLength is how much is taken ahead for a caller that reads slowly (docs/reference/streams.md#slow-callers)', async () => {
  const vendor = await aHeldVendor()
  vendor.answers((response) => {
    begins(response)
    let left = 5000
    const goOn = (): void => {
      for (; left > 0; left -= 1) if (!response.write(CHUNK)) return void response.once('drain', goOn)
      response.end()
    }
    goOn()
  })
  const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 0 } } })
  await world.channel({ base_url: vendor.url })
  const alice = await world.user({ quota: 1_000_000 })
  const key = await alice.key()
  expect(await keptOf(await unread(world, key), 600 * KIB)).toBeLessThan(300 * KIB)
  await world.option('StreamCacheQueueLength', 10_000)
  expect(await keptOf(await unread(world, key), 600 * KIB)).toBeGreaterThanOrEqual(600 * KIB)
  await world.option('StreamCacheQueueLength', 0)
  expect(await keptOf(await unread(world, key), 600 * KIB)).toBeLessThan(300 * KIB)
})
