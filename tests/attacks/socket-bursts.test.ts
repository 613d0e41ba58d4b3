import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../gateway/relay/websockets/caller.ts'
import { aSocketVendor, type SocketVendor } from '../gateway/relay/websockets/socket-vendor.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const REALTIME = '/v1/realtime?model=gpt-realtime'
const RESPONSES = '/v1/responses'
const MIB = 1024 * 1024
const IN_WORDS = 'too many frames in a row could not be used'
let world: World
let vendor: SocketVendor
let alice: Person

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({ options: { ModelRatio: { 'gpt-realtime': 1, 'gpt-5': 1 }, RetryTimes: 0 } })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  alice = await world.user({ quota: 1_000_000_000 })
})
afterEach(() => vi.restoreAllMocks())

/**
 * A client frame, masked with zeros, which leave the text unchanged; `head` is its first byte, by default that of a
 * complete text.
 */
function written(text: string, head = 0x81): Buffer {
  const length = Buffer.byteLength(text)
  const size = length < 126 ? Buffer.from([0x80 | length]) : Buffer.from([0xff, 0, 0, 0, 0, 0, 0, 0, 0])
  if (length >= 126) size.writeUInt32BE(length, 5)
  return Buffer.concat([Buffer.from([head]), size, Buffer.alloc(4), Buffer.from(text)])
}

const burst = (texts: readonly string[]) => Buffer.concat(texts.map((text) => written(text)))
const close = Buffer.from([0x88, 0x80, 0, 0, 0, 0])
/** An event that is refused because its model has no price. */
const bad = '{"type":"session.update","session":{"audio":{"input":{"transcription":{"model":"dear"}}}}}'

/** A socket whose client reads nothing until `readAll`, which resolves with everything received once it is closed. */
async function aWire(path: string) {
  const { port } = new URL(world.url)
  const headers = {
    authorization: `Bearer sk-${await alice.key()}`,
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  const wire = await new Promise<Duplex>((resolve, reject) => {
    const outgoing = request({ port, path, headers, agent: false })
    outgoing.on('upgrade', (_, opened) => resolve(opened)).on('error', reject)
    outgoing.end()
  })
  wire.on('error', () => {}).pause()
  const readAll = () =>
    new Promise<string>((resolve) => {
      let text = ''
      wire.on('data', (bytes) => {
        text += bytes.toString('latin1')
      })
      wire.on('end', () => wire.end()).once('close', () => resolve(text))
      wire.resume()
    })
  return { wire, readAll }
}

const errorsIn = (text: string) => text.split('"type":"error"').length - 1

/** The gateway's end of the socket opened next, which is paused before anyone reads it. */
function gatewaysEnd(isServer = true): () => WebSocket {
  const pausing = vi.spyOn(WebSocket.prototype, 'pause')
  return () => {
    const ends = pausing.mock.contexts.filter(
      (each) => (each as unknown as { _isServer: boolean })._isServer === isServer,
    )
    const end = ends.at(-1)
    if (!(end instanceof WebSocket)) throw new Error('no socket was opened')
    return end
  }
}

const wireOf = (socket: WebSocket) => (socket as unknown as { _socket: Duplex })._socket

describe('a burst of frames in one packet (docs/reference/limits.md#sockets)', () => {
  it('lets others in between its frames', async () => {
    const [{ wire }, { wire: other }] = await Promise.all([aWire(RESPONSES), aWire(RESPONSES)])
    const order: string[] = []
    wire.resume().once('data', () => order.push('burst'))
    other.resume().once('data', () => order.push('other'))
    wire.write(burst([...Array(1700).fill('{"type":"response.processed"}'), 'x']))
    other.write(written('x'))
    await eventually(() => order).toEqual(['other', 'burst'])
    for (const each of [wire, other]) each.destroy()
  })

  it.each([RESPONSES, REALTIME])('closes %s after ten invalid ones, each reported once', async (path) => {
    const { wire, readAll } = await aWire(path)
    wire.write(Buffer.concat([burst(Array(2000).fill(path === RESPONSES ? 'x' : bad)), close]))
    const text = await readAll()
    expect(errorsIn(text)).toBe(10)
    expect(text).toContain(`\x03\xf0${IN_WORDS}`)
  })

  it.each([RESPONSES, REALTIME])('may be followed by invalid ones, which end %s and nothing else', async (path) => {
    const faults: unknown[] = []
    const onFault = (error: unknown) => faults.push(error)
    process.on('uncaughtException', onFault)
    const { wire, readAll } = await aWire(path)
    const invalid = Buffer.from([0x81, 0x84, 1, 2, 3, 4, 0xfe, 0xfd, 0xfc, 0xfb])
    wire.write(Buffer.concat(Array(2000).fill(Buffer.from([0x8a, 0x80, 1, 2, 3, 4]))))
    for (let count = 0; count < 50; count += 1) {
      // Each in a separate packet, which arrives while earlier frames wait for their turn.
      await sleep(1)
      wire.write(invalid)
    }
    expect(await readAll()).toContain('\x88\x02\x03\xef')
    process.off('uncaughtException', onFault)
    expect(faults).toEqual([])
  })

  it('does not count frames before one that could be used', async () => {
    const { wire, readAll } = await aWire(REALTIME)
    for (let round = 0; round < 3; round += 1) wire.write(burst([...Array(9).fill(bad), '{"type":"good"}']))
    wire.write(close)
    const text = await readAll()
    expect(errorsIn(text)).toBe(27)
    expect(vendor.last().frames).toEqual(Array(3).fill({ type: 'good' }))
  })
})

describe('a peer that does not read (docs/reference/limits.md#sockets)', () => {
  /** A turn that generates nothing; two events of the response repeat its instructions. */
  const instructions = 'i'.repeat(MIB - 1000)
  const warmUp = written(JSON.stringify({ type: 'response.create', generate: false, instructions }))

  it('is read no further until the answers before are taken', async () => {
    const end = gatewaysEnd()
    const { wire, readAll } = await aWire(RESPONSES)
    wireOf(end()).cork()
    for (let turn = 0; turn < 4; turn += 1) wire.write(warmUp)
    await eventually(() => end().isPaused && end().bufferedAmount > MIB).toBe(true)
    expect(end().bufferedAmount).toBeLessThan(3 * MIB)
    wireOf(end()).uncork()
    const completedIn = (text: string) => text.split('"type":"response.completed"').length - 1
    const text = readAll()
    let read = ''
    wire.on('data', (bytes) => {
      read += bytes.toString('latin1')
    })
    await eventually(() => completedIn(read)).toBe(4)
    wire.write(close)
    expect(completedIn(await text)).toBe(4)
  })

  it('is read no further while errors are not taken, though frames between them can be used', async () => {
    const [upstreamEnd, end] = [gatewaysEnd(false), gatewaysEnd()]
    const { wire, readAll } = await aWire(REALTIME)
    await eventually(() => upstreamEnd().readyState).toBe(WebSocket.OPEN)
    wireOf(end()).cork()
    wire.write(burst(Array(1500).fill([bad, '{"type":"good"}']).flat()))
    await eventually(() => end().isPaused).toBe(true)
    expect(end().bufferedAmount).toBeLessThan(MIB)
    wireOf(end()).uncork()
    const text = readAll()
    await eventually(() => vendor.last().frames.length).toBe(1500)
    wire.write(close)
    expect(errorsIn(await text)).toBe(1500)
  })

  it('of a vendor, pauses its caller by the number of waiting frames, too', async () => {
    const [upstreamEnd, callersEnd] = [gatewaysEnd(false), gatewaysEnd()]
    const { wire } = await aWire(REALTIME)
    await eventually(() => vendor.sessions.length).toBe(1)
    wireOf(upstreamEnd()).cork()
    wire.write(burst(Array(1500).fill('{}')))
    await eventually(() => callersEnd().isPaused).toBe(true)
    wireOf(upstreamEnd()).uncork()
    await eventually(() => vendor.last().frames.length).toBe(1500)
    expect(callersEnd().isPaused).toBe(false)
    wire.destroy()
  })
})

describe('a message in pieces', () => {
  it('ends the socket where it has more of them than a message may have', async () => {
    const { wire, readAll } = await aWire(RESPONSES)
    wire.write(Buffer.concat([written('', 0x01), ...Array(20_000).fill(written('', 0x00))]))
    expect(await readAll()).toContain('\x88\x02\x03\xf0')
  })
})
