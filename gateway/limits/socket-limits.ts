import type { Server, Socket } from 'node:net'
import type { Logger } from '../base/log/logger.ts'
import { networkOf, normalAddress, type Ranges } from './client-address.ts'

export type SocketBounds = Readonly<{
  /** Max connections in total. */
  all: number
  /** Max connections per address (for IPv6, per /64 network); 0 means unlimited. */
  perAddress: number
  /** Proxies, which share one address among all their clients. */
  isExempt: Ranges
  log: Pick<Logger, 'warn'>
}>

/** Sent before any request arrives, so that clients know to wait. */
const REFUSAL = 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
const MAX_WARNED = 10_000

/**
 * Limits the connections of a server in total and per address, including loopback: a local program cannot be
 * distinguished from a proxy that forwards public traffic (docs/reference/limits.md#connections). Also adds the first
 * error listener to every connection, before anything is read or written, so that a broken connection is simply closed.
 */
export function boundSockets(server: Server, bounds: SocketBounds): void {
  const isAllowed = createSocketCount(bounds)
  server.maxConnections = bounds.all
  server.prependListener('connection', (socket: Socket) => {
    socket.on('error', ignore)
    isAllowed(socket)
  })
}

/**
 * Returns a function that counts a connection until it closes, and returns whether its address may have it. A rejected
 * connection gets an error response and is closed.
 */
export function createSocketCount({
  perAddress,
  isExempt,
  log,
}: Omit<SocketBounds, 'all'>): (socket: Socket) => boolean {
  const counts = new Map<string, number>()
  const warned = new Set<string>()
  return (socket) => {
    const address = normalAddress(socket.remoteAddress ?? '')
    if (perAddress === 0 || isExempt(address)) return true
    const network = networkOf(address)
    const count = counts.get(network) ?? 0
    if (count >= perAddress) {
      socket.end(REFUSAL, () => socket.destroy())
      if (warned.size >= MAX_WARNED) warned.clear()
      if (!warned.has(network)) log.warn('an address has as many connections as it may', { address, perAddress })
      warned.add(network)
      return false
    }
    counts.set(network, count + 1)
    socket.once('close', () => {
      const left = (counts.get(network) ?? 1) - 1
      if (left > 0) counts.set(network, left)
      else counts.delete(network)
    })
    return true
  }
}

const ignore = () => {}
