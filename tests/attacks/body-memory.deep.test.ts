import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHAT, onTheWire, type WireAnswer } from '../gateway/relay/delivery/wire.ts'
import { aCaller } from '../gateway/relay/websockets/caller.ts'
import { chatAnswer } from '../support/chat.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const MIB = 1024 * 1024
/** Memory that a byte of a socket frame takes. */
const FRAME_MEMORY = 4
let world: World
let alice: Person
let bob: Person
let key: string

beforeAll(async () => {
  world = await aWorld({ config: { MAX_BODY_MEMORY_MB: '16' }, options: { ModelRatio: { 'gpt-4o': 1 } } })
  await world.channel({ models: 'gpt-4o' })
  alice = await world.user({ quota: 1_000_000_000 })
  bob = await world.user({ quota: 1_000_000_000 })
  key = await alice.key()
})
afterEach(() => world.upstream.reset())

const body = (mib: number): string =>
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'x'.repeat(mib * MIB) }] })
const ask = (mib: number): Promise<WireAnswer> => onTheWire(world, CHAT, { key, body: body(mib) })

/** A vendor that responds only after it is released. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
  world.upstream.answers(async () => {
    isAsked()
    await promise
    return { body: chatAnswer('Hello') }
  })
  return { asked, letGo: resolve }
}

/** Sends only the start of a body on an open connection. */
async function begun(mib: number, of = key): Promise<Socket> {
  const { port } = new URL(world.url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const head = [
    `POST ${CHAT} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${of}`,
    'content-type: application/json',
    `content-length: ${64 * MIB}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(Buffer.alloc(mib * MIB, ' '))
  return socket
}
/**
 * Opens such a connection whose body takes all the memory. If it is refused because the probing request still held
 * some, opens another.
 */
async function holding(mib: number): Promise<Socket> {
  for (;;) {
    const socket = await begun(mib)
    let isRefused = false
    socket.once('data', () => {
      isRefused = true
    })
    while (!isRefused) if ((await ask(10)).status === 503) return socket
    socket.destroy()
  }
}
const isFree = () => expect.poll(async () => (await ask(10)).status).toBe(200)

describe('the bodies of all running requests', () => {
  it('have a common limit, and requests beyond it are refused with the advice to retry', async () => {
    const vendor = held()
    const first = ask(10)
    await vendor.asked
    const refused = await ask(10)
    expect(refused.status).toBe(503)
    expect(refused.headers['retry-after']).toBe('2')
    expect(refused.error.message).toContain('too many large requests')
    const small = ask(0)
    vendor.letGo()
    expect((await small).status).toBe(200)
    expect((await first).status).toBe(200)
    expect((await ask(10)).status).toBe(200)
  })

  it('of one account leave as much free as they take, however many there are', async () => {
    const mallory = await (await world.user()).key()
    let refused = 0
    const sockets: Socket[] = []
    for (let times = 0; times < 8; times += 1) {
      const socket = await begun(3, mallory)
      socket.once('data', () => {
        refused += 1
      })
      sockets.push(socket)
    }
    await expect.poll(() => refused).toBeGreaterThanOrEqual(6)
    expect((await ask(4)).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await isFree()
  })

  it('release their memory when the caller leaves, while it sends and while it waits', async () => {
    const sending = await holding(10)
    sending.destroy()
    await isFree()
    const vendor = held()
    const leaving = new AbortController()
    const waiting = fetch(world.url + CHAT, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: body(10),
      signal: leaving.signal,
    }).catch(() => undefined)
    await vendor.asked
    expect((await ask(10)).status).toBe(503)
    leaving.abort()
    await waiting
    vendor.letGo()
    await isFree()
  })

  it('release it when they are refused, and count as they are unpacked', async () => {
    const packed = gzipSync(JSON.stringify({ model: 'gpt-4o', prompt: randomBytes(8 * MIB).toString('hex') }))
    for (let times = 0; times < 3; times += 1) {
      const answer = await onTheWire(world, CHAT, { key, body: packed, headers: { 'content-encoding': 'gzip' } })
      expect(answer.status).toBe(503)
      expect((await onTheWire(world, CHAT, { key, body: `[${body(9)}]` })).status).toBe(400)
    }
    expect((await ask(14)).status).toBe(200)
  })

  it('count the received parts of incomplete socket frames; the one too many is closed, the others continue', async () => {
    // Sends the beginning of a message that takes this much memory; the pong shows that the gateway has received it.
    const sending = async (person: Person, mib: number) => {
      const caller = await aCaller(world, '/v1/responses', person)
      caller.socket.send(Buffer.alloc((mib * MIB) / FRAME_MEMORY, ' '), { fin: false })
      caller.socket.ping('x'.repeat(100))
      await Promise.race([once(caller.socket, 'pong'), caller.closed])
      return caller
    }
    const callers = [await sending(alice, 7), await sending(bob, 4)]
    expect((await ask(4)).status).toBe(503)
    expect(await (await sending(bob, 4)).closed).toMatchObject({ code: 1013 })
    expect(callers.map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN])
    for (const { socket } of callers) socket.terminate()
    await Promise.all(callers.map(({ closed }) => closed))
    await isFree()
  })

  it('release the memory of a frame once it is complete', async () => {
    const caller = await aCaller(world, '/v1/responses', alice)
    for (let times = 0; times < 3; times += 1) {
      const from = caller.frames.length
      caller.send(JSON.stringify({ type: 'nothing', more: ' '.repeat((7 * MIB) / FRAME_MEMORY) }))
      await caller.gets('error', from)
    }
    expect((await ask(10)).status).toBe(200)
    caller.socket.terminate()
  })

  it('are not read at all where the key is unknown', async () => {
    const answer = await onTheWire(world, CHAT, { key: 'nobody', body: body(15) })
    expect(answer.status).toBe(401)
    const counted = await onTheWire(world, '/v1/messages/count_tokens', { key: 'nobody', body: body(15) })
    expect(counted.status).toBe(401)
  })
})
