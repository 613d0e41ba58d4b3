import { createSocket } from 'node:dgram'
import createMulticast, { type MulticastDNS } from 'multicast-dns'
import type { Clock } from '../base/clock.ts'

const PORT = 5353
/** Max bytes of a packet (RFC 6762 §17). */
const MAX_BYTES = 9000
/** Max questions and records of one packet: each may point to a name of maximum length. */
const MAX_ENTRIES = 64
/** Max packets read per second, on all interfaces together. */
const MAX_PER_SECOND = 50
const SECOND_MS = 1000

/**
 * Opens multicast DNS sockets, each for the interface with an address. Packets are checked before the library parses
 * them, so that no device on the network can block the process (docs/reference/share.md#announced-name).
 */
export function multicastSockets(clock: Clock, port = PORT): (address: string) => MulticastDNS {
  const mayRead = perSecond(clock, MAX_PER_SECOND)
  return (address) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    const multicast = createMulticast({ socket, interface: address, bind: '0.0.0.0', port })
    const readers = socket.listeners('message')
    socket.removeAllListeners('message')
    socket.on('message', (packet, from) => {
      if (isBounded(packet) && mayRead()) for (const read of readers) read(packet, from)
    })
    return multicast
  }
}

const HEADER_BYTES = 12

/** Checks the length of a packet, and the number of its entries: the header counts four kinds. */
function isBounded(packet: Buffer): boolean {
  if (packet.length < HEADER_BYTES || packet.length > MAX_BYTES) return false
  const entries = [4, 6, 8, 10].reduce((sum, at) => sum + packet.readUInt16BE(at), 0)
  return entries <= MAX_ENTRIES
}

export function perSecond(clock: Clock, max: number): () => boolean {
  let since = Number.NEGATIVE_INFINITY
  let count = 0
  return () => {
    if (clock.monotonic() - since >= SECOND_MS) {
      since = clock.monotonic()
      count = 0
    }
    count += 1
    return count <= max
  }
}
