import { request } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { eventually } from '../gateway/relay/websockets/caller.ts'
import { aSocketVendor, type SocketVendor } from '../gateway/relay/websockets/socket-vendor.ts'
import { aWorld, type World } from '../support/world.ts'

const MIB = 1024 * 1024
const SOCKETS = 6
const LENGTH = 2 * MIB
let world: World
let vendor: SocketVendor
let key: string

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({ options: { ModelRatio: { 'gpt-realtime': 1, 'gpt-5': 1 } } })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
  key = await (await world.user({ quota: 1_000_000_000 })).key()
})
afterAll(() => vendor.stop())
afterEach(() => vi.restoreAllMocks())

/** A long text frame; a client's is masked with zeros, which leave the text unchanged. */
function frameOf(isMasked: boolean): Buffer {
  const head = Buffer.alloc(isMasked ? 14 : 10)
  head[0] = 0x81
  head[1] = isMasked ? 0xff : 0x7f
  head.writeUInt32BE(LENGTH, 6)
  const text = '{"type":"response.processed","pad":"'
  return Buffer.concat([head, Buffer.from(`${text.padEnd(LENGTH - 2, 'a')}"}`)])
}

/** A caller's bare connection, without a client that would respond. */
async function aWire(path: string): Promise<Socket> {
  const { port } = new URL(world.url)
  const headers = {
    authorization: `Bearer sk-${key}`,
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  }
  const wire = await new Promise<Socket>((resolve, reject) => {
    const outgoing = request({ port, path, headers, agent: false })
    outgoing.on('upgrade', (_, opened) => resolve(opened as Socket)).on('error', reject)
    outgoing.end()
  })
  onTestFinished(() => void wire.destroy())
  return wire.on('error', () => {}).resume()
}

const wireOf = (socket: WebSocket) => (socket as unknown as { _socket: Socket })._socket

/** Opens sockets; returns the gateway's ends of them, to callers or to vendors, which it pauses at first. */
async function gatewaysEnds(path: string, isServer: boolean) {
  const pausing = vi.spyOn(WebSocket.prototype, 'pause')
  const wires = await Promise.all(Array.from({ length: SOCKETS }, () => aWire(path)))
  const ends = new Set(
    pausing.mock.contexts.filter((each) => (each as unknown as { _isServer: boolean })._isServer === isServer),
  ) as Set<WebSocket>
  expect(ends.size).toBe(SOCKETS)
  return { wires, ends: [...ends] }
}

/**
 * Writes all frames except their last 500 bytes, then these all at once; returns the maximum number of frames received
 * in one turn of the event loop.
 */
async function mostInOneTurn(ends: readonly WebSocket[], peers: readonly Socket[], frame: Buffer): Promise<number> {
  const before = ends.map((end) => wireOf(end).bytesRead)
  for (const peer of peers) peer.write(frame.subarray(0, -500))
  const received = () => ends.map((end, index) => wireOf(end).bytesRead - (before[index] ?? 0))
  await eventually(() => Math.min(...received())).toBe(frame.length - 500)
  let isOver = false
  let inTurn = 0
  let max = 0
  let all = 0
  const turn = () => {
    inTurn = 0
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  for (const end of ends)
    end.once('message', () => {
      all += 1
      inTurn += 1
      max = Math.max(max, inTurn)
    })
  for (const peer of peers) peer.write(frame.subarray(-500))
  await eventually(() => all).toBe(SOCKETS)
  isOver = true
  return max
}

it('one long frame of callers is completed in a turn of the event loop (docs/reference/limits.md#sockets)', async () => {
  const { ends, wires } = await gatewaysEnds('/v1/responses', true)
  expect(await mostInOneTurn(ends, wires, frameOf(true))).toBe(1)
})

it('one long frame of vendors, too', async () => {
  const { ends } = await gatewaysEnds('/v1/realtime?model=gpt-realtime', false)
  const peers = vendor.sessions.map(({ socket }) => wireOf(socket))
  expect(await mostInOneTurn(ends, peers, frameOf(false))).toBe(1)
})
