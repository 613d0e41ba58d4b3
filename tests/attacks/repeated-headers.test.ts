import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { chatAnswer, chatStream } from '../support/chat.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let alice: Person
let vendor: Server
/** Sends the response of the current test. */
let answer: (socket: Socket) => void = () => {}
const open = new Set<Socket>()

beforeAll(async () => {
  vendor = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    socket.on('data', (bytes) => {
      if (String(bytes).includes('"messages"')) answer(socket)
    })
  })
  await new Promise<void>((resolve) => void vendor.listen(0, '127.0.0.1', resolve))
  const { port } = vendor.address() as { port: number }
  world = await aWorld({ options: { ModelRatio: { m: 1 } } })
  await world.channel({ base_url: `http://127.0.0.1:${port}`, models: 'm' })
  alice = await world.user({ quota: 1_000_000_000 })
})
afterAll(() => {
  for (const socket of open) socket.destroy()
  vendor.close()
})

const headOf = (...headers: string[]) => `HTTP/1.1 200 OK\r\n${headers.join('\r\n')}\r\n\r\n`
const chunkOf = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const EVENTS = 'content-type: text/event-stream'
const stream = chatStream(['hello'], { prompt: 7, completion: 3 }).map((event) =>
  chunkOf(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`),
)

it.each([
  ['content-type', [EVENTS, EVENTS]],
  ['connection', [EVENTS, 'connection: keep-alive', 'connection: x-ratelimit-limit-requests']],
  ['content-encoding', [EVENTS, 'content-encoding: identity', 'content-encoding: identity']],
  ['x-request-id', [EVENTS, 'x-request-id: one', 'x-request-id: two']],
  ['retry-after', [EVENTS, 'retry-after: 1', 'retry-after: 2']],
])('a stream whose vendor sends %s twice is delivered, charged and closed', async (name, headers) => {
  answer = (socket) => {
    socket.write(headOf('transfer-encoding: chunked', 'x-ratelimit-limit-requests: 5', ...headers))
    socket.write(stream.join(''))
    // The vendor goes on sending after the end.
    const more = setInterval(() => socket.write(chunkOf(`: ${'x'.repeat(100_000)}\n\n`)), 10)
    socket.on('close', () => clearInterval(more))
  }
  const { status, content, headers: received } = await alice.asks('m', 'hi', { stream: true })
  if (name === 'content-encoding') expect([200, 502]).toContain(status)
  else {
    expect([status, content]).toEqual([200, 'hello'])
    expect(await lastReceipt(world, alice.id)).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 })
  }
  if (name === 'connection') expect(received.has('x-ratelimit-limit-requests')).toBe(false)
  await vi.waitFor(() => expect(open.size).toBe(0), 15_000)
})

it('a whole response whose vendor sends a header twice is delivered', async () => {
  const body = JSON.stringify(chatAnswer('hello'))
  answer = (socket) =>
    void socket.write(
      `${headOf('content-type: application/json', 'content-type: text/html', 'connection: keep-alive', 'connection: keep-alive', `content-length: ${body.length}`)}${body}`,
    )
  const { status, content, headers } = await alice.asks('m', 'hi')
  expect([status, content, headers.get('content-type')]).toEqual([200, 'hello', 'application/json'])
})
