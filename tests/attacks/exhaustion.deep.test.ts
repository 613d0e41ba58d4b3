import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CHAT, chat, onTheWire } from '../gateway/relay/delivery/wire.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/** A connection from a loopback address of this machine, with the received text. */
type Reached = Readonly<{ socket: Socket; said: () => string; closed: Promise<unknown> }>

async function reach(world: World, localAddress = '127.0.0.1'): Promise<Reached> {
  const { hostname, port } = new URL(world.url)
  const socket = connect({ host: hostname, port: Number(port), localAddress })
  const parts: Buffer[] = []
  socket.on('data', (part: Buffer) => parts.push(part)).on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return { socket, said: () => Buffer.concat(parts).toString(), closed }
}

const headOf = (world: World, path: string, headers: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, `Host: ${new URL(world.url).host}`, 'Accept-Language: en', ...headers, '', ''].join('\r\n')

/** Sends the head of a request whose body never comes; the gateway requests the body with a 100 unless it refuses. */
async function headOnly(
  world: World,
  key: string,
  path = CHAT,
  { type = 'application/json', expect: expected = 'Expect: 100-continue' } = {},
): Promise<Reached> {
  const reached = await reach(world)
  const auth = `${path.startsWith('/v1/messages') ? 'x-api-key' : 'Authorization'}: ${key}`
  const headers = [auth, `Content-Type: ${type}`, 'Content-Length: 99999', expected]
  reached.socket.write(headOf(world, path, headers))
  await expect.poll(reached.said).toMatch(/^HTTP/)
  return reached
}

/** A header in place of `Expect`: the client does not wait for a 100 before it sends its body. */
const UNEXPECTING = { expect: 'X-Unexpecting: 1' }

/** Polls, because the slots are released by connections other than the requesting one. */
const answered = async (status: number, call: () => Promise<Readonly<{ status: number }>>) =>
  expect.poll(async () => (await call()).status).toBe(status)

async function inUse(config: Record<string, string> = {}): Promise<readonly [World, Person, Person]> {
  const world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1 } }, config })
  await world.channel()
  return [world, await world.user({ quota: 1_000_000 }), await world.user({ quota: 1_000_000 })]
}

describe('slots for requests', () => {
  it('are shared out by account and by key: a caller that sends heads without bodies does not affect others', async () => {
    const config = { MAX_REQUESTS: '20', MAX_REQUESTS_PER_USER: '10', MAX_REQUESTS_PER_KEY: '6' }
    const [world, mallory, alice] = await inUse(config)
    const key = await mallory.key()
    const other = await world.token(mallory)
    for (let turn = 0; turn < 30; turn += 1) await headOnly(world, key)
    await answered(429, () => mallory.asks('gpt-4o', 'hi'))
    const { status, headers, json } = await mallory.asks('gpt-4o', 'hi')
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    expect(json.error).toMatchObject({ code: 'too_many_requests' })
    expect(json.error.message).toMatch(/^This token has reached its limit of 6 concurrent requests/)
    expect((await mallory.asks('gpt-4o', 'hi', { key: other.key })).status).toBe(200)
    for (let turn = 0; turn < 30; turn += 1) await headOnly(world, other.key)
    await answered(429, () => mallory.asks('gpt-4o', 'hi', { key: other.key }))
    const refused = await mallory.asks('gpt-4o', 'hi', { key: other.key })
    expect(refused.json.error.message).toMatch(/^This account has reached its limit of 10 concurrent requests/)
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(200)
  })

  it('are given back when the request is over, however it ends', async () => {
    const [world, alice] = await inUse({ MAX_REQUESTS_PER_KEY: '2' })
    const key = await alice.key()
    for (let turn = 0; turn < 3; turn += 1) {
      const waiting = [await headOnly(world, key), await headOnly(world, key)]
      await answered(429, () => alice.asks('gpt-4o', 'hi'))
      for (const { socket } of waiting) socket.resetAndDestroy()
      await answered(200, () => alice.asks('gpt-4o', 'hi'))
      await Promise.all([alice.asks('gpt-4o', 'hi'), alice.calls(CHAT, '{')])
    }
  })

  it('are not used by callers without a key, on any path', async () => {
    const [world, alice] = await inUse({ MAX_REQUESTS: '3' })
    const paths = [CHAT, '/v1/messages', '/v1/messages/count_tokens', '/v1/responses/input_tokens', '/v1/images/edits']
    for (const path of [...paths, '/v1beta/models/gpt-4o:countTokens', '/pg/chat/completions']) {
      const { socket, said } = await headOnly(world, 'sk-nobody', path, UNEXPECTING)
      expect(said(), path).toMatch(/^HTTP\/1.1 40[13] /)
      expect(socket.destroyed).toBe(false)
    }
    expect((await alice.asks('gpt-4o', 'hi')).status).toBe(200)
  })

  it.each([
    [CHAT, { error: { code: 'too_many_requests' } }],
    ['/v1/messages', { type: 'error', error: { type: 'rate_limit_error' } }],
    ['/v1beta/models/gpt-4o:generateContent', { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }],
    ['/v1/messages/count_tokens', { type: 'error', error: { type: 'rate_limit_error' } }],
  ])('are refused in the dialect of %s', async (path, error) => {
    const [world, alice] = await inUse({ MAX_REQUESTS_PER_USER: '1' })
    const key = await alice.key()
    await headOnly(world, key)
    await answered(429, () => onTheWire(world, path, { key, body: chat('gpt-4o') }))
    const { text } = await onTheWire(world, path, { key, body: chat('gpt-4o') })
    expect(JSON.parse(text)).toMatchObject(error)
  })
})

describe('a body that comes too slowly', () => {
  let world: World
  let alice: Person

  beforeAll(async () => {
    ;[world, alice] = await inUse()
  })

  it.each([
    [CHAT, 'application/json', { error: { code: 'read_request_body_failed' } }],
    ['/v1/images/edits', 'multipart/form-data; boundary=b', { error: { code: 'read_request_body_failed' } }],
    ['/v1/messages', 'application/json', { type: 'error', error: { type: 'timeout_error' } }],
    ['/v1/messages/count_tokens', 'application/json', { type: 'error', error: { type: 'timeout_error' } }],
    ['/v1beta/models/gpt-4o:generateContent', 'application/json', { error: { code: 408, status: 'INVALID_ARGUMENT' } }],
  ])('is cut off with 408 at %s', async (path, type, error) => {
    const { socket, said, closed } = await headOnly(world, await alice.key(), path, { type })
    socket.write('{')
    world.clock.advanceSeconds(11)
    await closed
    expect(cutOff(said())).toMatchObject(error)
  })

  it('is cut off with 408 in the console', async () => {
    const { socket, said, closed } = await headOnly(world, 'nobody', '/api/user/login')
    socket.write('{')
    world.clock.advanceSeconds(11)
    await closed
    expect(cutOff(said())).toMatchObject({ success: false })
  })

  it.each([
    ['is not even waited for once its request has been answered', UNEXPECTING],
    ['is waited for no longer where its connection ends with the answer', { expect: 'Connection: close' }],
  ])('%s', async (_, how) => {
    const { socket, said, closed } = await headOnly(world, 'sk-nobody', CHAT, how)
    expect(said()).toMatch(/^HTTP\/1.1 401 /)
    socket.write('{')
    let isOver = false
    void closed.then(() => {
      isOver = true
    })
    await expect
      .poll(
        () => {
          world.clock.advanceSeconds(11)
          return isOver
        },
        { timeout: 10_000 },
      )
      .toBe(true)
  })

  it('is let be while it comes fast enough', async () => {
    const { socket, said } = await reach(world)
    const body = Buffer.from(chat('gpt-4o', { user: 'x'.repeat(36 * 1024) }))
    const headers = [`Authorization: ${await alice.key()}`, 'Content-Type: application/json']
    socket.write(headOf(world, CHAT, [...headers, `Content-Length: ${body.length}`, 'Connection: close']))
    for (let from = 0; from < body.length; from += 12 * 1024) {
      socket.write(body.subarray(from, from + 12 * 1024))
      await aTurn()
      world.clock.advanceSeconds(9)
    }
    await expect.poll(said).toMatch(/^HTTP\/1.1 200 /)
  })
})

/** The body of a 408 after a 100. */
function cutOff(said: string): unknown {
  const [, head = '', body = ''] = said.split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 408 /)
  return JSON.parse(body)
}

/** Longer than an interval of the gateway's timer. */
const aTurn = () => new Promise((resolve) => setTimeout(resolve, 1500))

describe('connections', () => {
  it('of one address are bounded, this machine included, and others are served meanwhile', async () => {
    const [world, alice] = await inUse({ MAX_SOCKETS_PER_ADDRESS: '20' })
    const key = await alice.key()
    const held = []
    for (let turn = 0; turn < 20; turn += 1) held.push(await reach(world, '127.0.0.2'))
    const late = await reach(world, '127.0.0.2')
    await late.closed
    expect(late.said()).toMatch(/^HTTP\/1.1 429 Too Many Requests\r\nRetry-After: 5\r\n/)
    expect((await onTheWire(world, CHAT, { key, body: chat('gpt-4o') })).status).toBe(200)
    for (const { socket } of held.slice(0, 10)) socket.resetAndDestroy()
    await expect
      .poll(async () => {
        const { socket, said } = await reach(world, '127.0.0.2')
        socket.write(`GET /api/status HTTP/1.1\r\nHost: ${new URL(world.url).host}\r\nConnection: close\r\n\r\n`)
        await once(socket, 'close')
        return said()
      })
      .toMatch(/^HTTP\/1.1 200 /)
  })

  it('of a trusted proxy are not: its address is shared by all clients', async () => {
    const [world] = await inUse({ MAX_SOCKETS_PER_ADDRESS: '5', TRUSTED_PROXIES: '127.0.0.3' })
    const held = await Promise.all(Array.from({ length: 12 }, () => reach(world, '127.0.0.3')))
    for (const { socket, said } of held) {
      socket.write(`GET /api/status HTTP/1.1\r\nHost: ${new URL(world.url).host}\r\n\r\n`)
      await expect.poll(said).toMatch(/^HTTP\/1.1 200 /)
    }
  })
})
