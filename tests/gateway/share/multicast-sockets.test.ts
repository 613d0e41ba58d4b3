import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { multicastSockets } from '../../../gateway/share/multicast-sockets.ts'
import { aClock } from '../../support/clock.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

async function bound(): Promise<Socket> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

/** The sockets of a gateway on a separate port, the messages received on them, and a sender on the same machine. */
async function aNetwork() {
  const probe = await bound()
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  const clock = aClock(0)
  const multicast = multicastSockets(clock, port)('127.0.0.1')
  const read: number[] = []
  multicast.on('packet', ({ id = 0 }) => read.push(id))
  multicast.on('warning', () => read.push(-1))
  await once(multicast, 'ready')
  const sender = await bound()
  ends.push(
    () => multicast.destroy(),
    () => sender.close(),
  )
  const send = (packet: Buffer) => new Promise((resolve) => sender.send(packet, port, '127.0.0.1', resolve))
  return { clock, read, send }
}

type Counts = readonly [questions: number, answers?: number, authorities?: number, additionals?: number]

/** A query with this id for one host; further questions repeat its name by a compression pointer. */
function aQuery(id: number, counts: Counts = [1], more = 0): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt16BE(id, 0)
  for (const [index, count = 0] of counts.entries()) header.writeUInt16BE(count, 4 + 2 * index)
  const asked = Buffer.from([1, 0x61, 0, 0, 1, 0, 1])
  const again = Buffer.from([0xc0, 12, 0, 1, 0, 1])
  return Buffer.concat([header, asked, ...Array<Buffer>(Math.max(0, counts[0] - 1)).fill(again), Buffer.alloc(more)])
}

describe('packets of multicast DNS (docs/reference/share.md#announced-name)', () => {
  it('are not read where they are too long, or have too much in them', async () => {
    const { read, send } = await aNetwork()
    await send(aQuery(1, [1], 9000))
    await send(aQuery(2, [65]))
    await send(aQuery(3, [10_789]))
    await send(aQuery(4, [1, 65]))
    await send(aQuery(5, [1, 0, 65]))
    await send(aQuery(6, [1, 0, 0, 65]))
    await send(Buffer.alloc(11))
    await send(aQuery(7, [64]))
    await expect.poll(() => read).toEqual([7])
  })

  it('are not read more often than is needed', async () => {
    const { clock, read, send } = await aNetwork()
    for (let id = 1; id <= 60; id += 1) await send(aQuery(id))
    await expect.poll(() => read.at(-1)).toBe(50)
    clock.advance(1000)
    await send(aQuery(100))
    await expect.poll(() => read.at(-1)).toBe(100)
    expect(read).toHaveLength(51)
  })
})
