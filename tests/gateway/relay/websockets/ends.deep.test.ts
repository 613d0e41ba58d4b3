import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt } from '../metering/receipts.ts'
import { aCaller, type Caller, eventually, rawUpgrade, refused } from './caller.ts'
import { aSocketVendor, type SocketVendor, say } from './socket-vendor.ts'

const GIVEN = 1_000_000_000
const MINUTE = 60_000
const REALTIME = '/v1/realtime?model=gpt-realtime'
const RESPONSES = '/v1/responses'
let world: World
let vendor: SocketVendor
let alice: Person

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    options: { ModelRatio: { 'gpt-realtime': 1, 'gpt-5': 1 }, CompletionRatio: { 'gpt-realtime': 1 }, RetryTimes: 1 },
  })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime', priority: 1 })
  await world.channel({ models: 'gpt-5' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  world.upstream.reset()
  alice = await world.user({ quota: GIVEN })
})

const handshake = {
  connection: 'upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16).toString('base64'),
}
const usage = { total_tokens: 100, input_tokens: 70, output_tokens: 30 }
const done = { type: 'response.done', response: { usage } }

describe('requests to become a socket (docs/reference/streams.md#realtime-sessions)', () => {
  it.each([
    ['/v1/nowhere', 'GET'],
    ['/api/status', 'GET'],
    ['/', 'GET'],
    ['/v1/realtime', 'POST'],
  ])('are answered with 404 at %s by %s, and the connection ends', async (path, method) => {
    const { status, text } = await rawUpgrade(world, path, handshake, method)
    expect(status).toBe(404)
    expect(JSON.parse(text).error).toMatchObject({ type: 'invalid_request_error' })
  })

  it('are turned away under a host name that is not ours', async () => {
    const { status } = await rawUpgrade(world, REALTIME, { ...handshake, host: 'evil.example' })
    expect(status).toBe(421)
  })

  it('need a whole handshake', async () => {
    const { 'sec-websocket-key': _, ...broken } = handshake
    const headers = { ...broken, authorization: `Bearer ${await alice.key()}` }
    expect((await rawUpgrade(world, RESPONSES, headers)).status).toBe(400)
  })

  it('from any site have nothing but a key to come in with', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    const caller = await aCaller(world, RESPONSES, alice, { headers })
    caller.socket.close()
    const cookies = { cookie: alice.identity().cookie ?? '', authorization: '' }
    expect(await refused(aCaller(world, RESPONSES, alice, { headers: cookies }))).toMatchObject({ status: 401 })
  })

  it('that request an upgrade to anything but a socket are answered as if they did not', async () => {
    const headers = { connection: 'upgrade', upgrade: 'h2c', 'http2-settings': '' }
    expect(await rawUpgrade(world, '/api/status', headers)).toMatchObject({ status: 200 })
  })

  it('are at most fifty at once for an account', async () => {
    const opened = await Promise.all(Array.from({ length: 50 }, () => aCaller(world, RESPONSES, alice)))
    const refusal = await refused(aCaller(world, RESPONSES, alice))
    expect(refusal).toMatchObject({ status: 429, error: { code: 'too_many_sockets' } })
    const bob = await world.user({ quota: GIVEN })
    const other = await aCaller(world, RESPONSES, bob)
    opened[0]?.socket.close()
    await opened[0]?.closed
    await eventually(() => aCaller(world, RESPONSES, alice).then(({ socket }) => socket.terminate())).toBeUndefined()
    for (const { socket } of [...opened, other]) socket.terminate()
  })
})

describe('callers that leave early', () => {
  it('while the vendor has not accepted the session yet reserve nothing, and the vendor is disconnected', async () => {
    const silent = createServer()
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo // it listens on a port, not on a pipe
    const id = await world.channel({ base_url: `http://127.0.0.1:${port}`, models: 'gpt-realtime', priority: 9 })
    const reached = once(silent, 'connection')
    const { WebSocket } = await import('ws')
    const headers = { authorization: `Bearer ${await alice.key()}` }
    const leaving = new WebSocket(world.url.replace('http', 'ws') + REALTIME, { headers })
    leaving.on('error', () => {})
    const [wire] = await reached
    wire.resume()
    leaving.terminate()
    await once(wire, 'close')
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ type: 5, quota: 0, other: { error_code: 'client_gone' } })
    expect(vendor.sessions).toHaveLength(0)
    await world.admin.delete(`/api/channel/${id}`)
    silent.close()
  })

  it('while a turn waits for its answer have it ended as soon as it begins, and pay the prompt', async () => {
    const { promise, resolve } = Promise.withResolvers<Script>()
    world.upstream.answers(() => promise)
    const caller = await aCaller(world, RESPONSES, alice)
    caller.send({ type: 'response.create', model: 'gpt-5', input: 'hi' })
    await eventually(() => world.upstream.requests.length).toBe(1)
    caller.socket.terminate()
    resolve({ events: [Buffer.from(': ping\n\n')], hang: true })
    expect(await world.upstream.last().aborted).toBe(true)
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ type: 2, other: { ended: 'client-gone' } })
    expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: receipt.quota })
  })
})

describe('frames that should not be', () => {
  it.each([REALTIME, RESPONSES])('end %s with 1009 where they are longer than 16 MiB', async (path) => {
    const caller = await aCaller(world, path, alice)
    caller.socket.send(Buffer.alloc(16 * 1024 * 1024 + 1))
    expect((await caller.closed).code).toBe(1009)
  })

  it('end a session where the vendor sends them', async () => {
    vendor.behaves(({ socket }, frame) => frame && socket.send(Buffer.alloc(16 * 1024 * 1024 + 1)))
    const caller = await aCaller(world, REALTIME, alice)
    caller.send({ type: 'response.create' })
    expect((await caller.closed).code).toBe(1011)
  })

  it('end the connection where they break the protocol', async () => {
    const url = new URL(world.url)
    const wire = connect(Number(url.port), url.hostname)
    const lines = Object.entries({ ...handshake, host: url.host, authorization: `Bearer ${await alice.key()}` })
    wire.write(`GET ${RESPONSES} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
    await once(wire, 'data')
    wire.write(Buffer.alloc(64, 0xff))
    wire.resume()
    await once(wire, 'close')
  })

  it('slow the vendor down while the caller does not read', async () => {
    const caller = await aCaller(world, REALTIME, alice)
    await caller.gets('session.created')
    const { socket } = await vendor.opened()
    caller.socket.pause()
    const megabyte = Buffer.alloc(1024 * 1024, 1)
    for (let sent = 0; sent < 64; sent += 1) socket.send(megabyte)
    await eventually(() => socket.bufferedAmount).toBeGreaterThan(8 * megabyte.length)
    caller.socket.resume()
    await eventually(() => caller.frames.length).toBe(65)
    caller.socket.terminate()
  })
})

describe('sockets that have been open for long', () => {
  const opened = (path: string) => aCaller(world, path, alice)

  it('end after ten minutes without a frame', async () => {
    const callers = await Promise.all([opened(REALTIME), opened(RESPONSES)])
    world.clock.advance(10 * MINUTE + 1000)
    expect(await Promise.all(callers.map(({ closed }) => closed))).toEqual([
      { code: 1000, reason: 'idle' },
      { code: 1000, reason: 'idle' },
    ])
  })

  it('end after an hour, which callers of responses are notified of', async () => {
    vendor.behaves((session, frame) => frame !== undefined && say(session, done))
    const [session, talk] = await Promise.all([opened(REALTIME), opened(RESPONSES)])
    for (let minute = 0; minute <= 60; minute += 9) {
      session.send({ type: 'response.create' })
      await eventually(() => session.frames.length).toBe(minute / 9 + 1)
      talk.send({ type: 'response.processed', response_id: 'resp_1' })
      world.clock.advance(9 * MINUTE)
    }
    expect(await talk.gets('error')).toMatchObject({ error: { code: 'websocket_connection_limit_reached' } })
    expect(await talk.closed).toEqual({ code: 1000, reason: 'session_limit' })
    expect(await session.closed).toEqual({ code: 1000, reason: 'session_limit' })
    expect((await lastReceipt(world, alice.id)).quota).toBe(7 * (70 + 30))
  })

  it('are closed where the caller reads nothing between two pings, no matter what it sends', async () => {
    const { WebSocket } = await import('ws')
    const pausing = vi.spyOn(WebSocket.prototype, 'pause')
    const caller = await opened(RESPONSES)
    const [end] = pausing.mock.contexts
    if (!(end instanceof WebSocket)) throw new Error('no socket was opened')
    caller.socket.pause()
    const instructions = 'i'.repeat(1024 * 1024)
    while (!end.isPaused) {
      caller.send({ type: 'response.create', generate: false, instructions })
      await eventually(() => end.isPaused || end.bufferedAmount > 0 || caller.socket.bufferedAmount === 0).toBe(true)
    }
    for (let pings = 0; pings < 2; pings += 1) {
      caller.send({ type: 'response.processed' })
      world.clock.advance(30_500)
      await new Promise((resolve) => setTimeout(resolve, 1100))
    }
    await eventually(() => end.readyState).toBe(WebSocket.CLOSED)
    caller.socket.terminate()
    pausing.mockRestore()
  })

  it('are pinged, and closed when they do not answer', async () => {
    const { WebSocket } = await import('ws')
    const headers = { authorization: `Bearer ${await alice.key()}` }
    const mute = new WebSocket(world.url.replace('http', 'ws') + RESPONSES, { headers, autoPong: false })
    const asked = once(mute, 'ping')
    await once(mute, 'open')
    const lively = await opened(RESPONSES)
    world.clock.advance(31_000)
    await asked
    const gone = once(mute, 'close')
    world.clock.advance(31_000)
    expect((await gone)[0]).toBe(1006)
    expect(lively.socket.readyState).toBe(WebSocket.OPEN)
    lively.socket.close()
  })
})

describe('a session whose caller loses its permission', () => {
  it('ends within seconds, with an error that has the reason', async () => {
    const token = await world.token(alice)
    vendor.behaves((session, frame) => say(session, frame === undefined ? { type: 'session.created' } : done))
    const caller = await aCaller(world, REALTIME, alice, { key: token.key })
    caller.send({ type: 'response.create' })
    await caller.gets('response.done')
    await alice.delete(`/api/token/${token.id}`)
    world.clock.advance(6000)
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'invalid_api_key' } })
    expect(await caller.closed).toEqual({ code: 1008, reason: 'invalid_api_key' })
    expect((await lastReceipt(world, alice.id)).quota).toBe(70 + 30)
  })

  it('ends likewise once its token may no longer use its model', async () => {
    const token = await world.token(alice)
    vendor.behaves((session, frame) => say(session, frame === undefined ? { type: 'session.created' } : done))
    const caller = await aCaller(world, REALTIME, alice, { key: token.key })
    await caller.gets('session.created')
    await alice.put('/api/token/', { ...token, model_limits_enabled: true, model_limits: 'gpt-5' })
    world.clock.advance(6000)
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'model_not_allowed' } })
    expect(await caller.closed).toMatchObject({ code: 1008 })
  })

  it('has been written down before, for a gateway that dies', async () => {
    vendor.behaves((session, frame) => say(session, frame === undefined ? { type: 'session.created' } : done))
    const caller = await aCaller(world, REALTIME, alice)
    caller.send({ type: 'response.create' })
    await caller.gets('response.done')
    world.clock.advance(6000)
    const checkpoints = () => readFile(join(world.folder, 'progress.journal'), 'utf8')
    await eventually(checkpoints).toContain(`"userId":${alice.id}`)
    caller.socket.close()
    expect((await lastReceipt(world, alice.id)).quota).toBe(70 + 30)
  })
})

describe('channels of a session (docs/reference/selection.md#retries)', () => {
  it('are tried one after the other while there is no content', async () => {
    const spare = await aSocketVendor()
    const id = await world.channel({ base_url: spare.url, models: 'gpt-realtime', priority: 0, name: 'spare' })
    vendor.refuses({ status: 500 })
    const caller = await aCaller(world, REALTIME, alice)
    await caller.gets('session.created')
    expect(spare.sessions).toHaveLength(1)
    caller.socket.close()
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt.channel_id).toBe(id)
    expect(receipt.other.admin_info.use_channel).toHaveLength(2)
    await world.admin.delete(`/api/channel/${id}`)
    await spare.stop()
  })

  it('are tried again where the first opens a session only to refuse it, as for a wrong key', async () => {
    const spare = await aSocketVendor()
    const id = await world.channel({ base_url: spare.url, models: 'gpt-realtime', priority: 0, name: 'spare' })
    const error = { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect key: upstream-key' }
    vendor.behaves((session) => say(session, { type: 'error', error }))
    const caller = await aCaller(world, REALTIME, alice)
    expect(await caller.gets('session.created')).toBeDefined()
    caller.socket.close()
    const { admin_info } = (await lastReceipt(world, alice.id)).other
    expect(admin_info.tried[0]).toMatchObject({ status: 401, reason: 'Incorrect key: ***' })

    await world.admin.delete(`/api/channel/${id}`)
    await spare.stop()
    const refusal = await refused(aCaller(world, REALTIME, alice))
    expect(refusal).toMatchObject({ status: 401, error: { code: 'invalid_api_key' } })
    expect(refusal.message + JSON.stringify(refusal.error)).not.toContain('upstream-key')
  })

  it('do not reveal their keys in later errors', async () => {
    vendor.behaves((session, frame) => {
      if (frame === undefined) say(session, { type: 'session.created' })
      else say(session, { type: 'error', error: { message: 'the key upstream-key is no good' } })
    })
    const caller = await aCaller(world, REALTIME, alice)
    caller.send({ type: 'response.create' })
    expect(await caller.gets('error')).toEqual({ type: 'error', error: { message: 'the key *** is no good' } })
    vendor.last().socket.close(4000, 'upstream-key')
    expect((await caller.closed).reason).not.toContain('upstream-key')
  })

  it('are Azure deployments at a separate address', async () => {
    const fields = { type: 3, base_url: vendor.url, models: 'azure-realtime', other: '2025-04-01-preview' }
    await world.channel({ ...fields, model_mapping: '{"azure-realtime":"gpt-4o-realtime"}' })
    await world.option('ModelRatio', { 'gpt-realtime': 1, 'gpt-5': 1, 'azure-realtime': 1 })
    const caller = await aCaller(world, '/v1/realtime?model=azure-realtime', alice)
    await caller.gets('session.created')
    expect(vendor.last().path).toBe('/openai/realtime?deployment=gpt-4o-realtime&api-version=2025-04-01-preview')
    expect(vendor.last().headers).toMatchObject({ 'api-key': 'upstream-key' })
    caller.socket.close()
  })
})

describe('a gateway that stops', () => {
  it('ends sockets with 1001 and charges their usage', async () => {
    const house = await aWorld({
      options: { ModelRatio: { 'gpt-realtime': 1, 'gpt-5': 1 }, CompletionRatio: { 'gpt-realtime': 1 } },
    })
    await house.channel({ base_url: vendor.url, models: 'gpt-realtime' })
    await house.channel({ models: 'gpt-5' })
    const person = await house.user({ quota: GIVEN })
    vendor.behaves((session, frame) => frame !== undefined && say(session, { type: 'response.created' }, done))
    const session = await aCaller(house, REALTIME, person)
    session.send({ type: 'response.create' })
    await session.gets('response.done')
    house.upstream.answers({ hang: true })
    const talks: Caller[] = [await aCaller(house, RESPONSES, person), await aCaller(house, RESPONSES, person)]
    talks[1]?.send({ type: 'response.create', model: 'gpt-5', input: 'hi' })
    await eventually(() => house.upstream.requests.length).toBe(1)

    const next = house.restart()
    expect(await session.closed).toEqual({ code: 1001, reason: 'shutting_down' })
    expect(await talks[0]?.closed).toEqual({ code: 1001, reason: 'shutting_down' })
    await talks[1]?.closed
    const { balanced, spent } = await balancesOf(await next, person.id, GIVEN)
    expect({ balanced, spent }).toEqual({ balanced: true, spent: 70 + 30 })
  })
})
