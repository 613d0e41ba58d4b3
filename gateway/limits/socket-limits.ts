import type { Server, Socket } from 'node:net'
import type { Logger } from '../base/logger.ts'
import { networkOf, normalAddress, type Ranges } from './client-address.ts'

export type SocketBounds = Readonly<{
  /** Connections at once, in all. */
  all: number
  /** Connections at once from one address (of IPv6: one /64 network); 0 is no limit. */
  perAddress: number
  /** Proxies, behind whose one address is everybody. */
  isExempt: Ranges
  log: Pick<Logger, 'warn'>
}>

/** Answered without having been asked, so that whoever reads it knows to wait. */
const REFUSAL = 'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
const MAX_REMEMBERED = 10_000

/**
 * Bounds the connections of a server by the address they come from, this machine's own included: nothing about
 * loopback tells a program here from a proxy that lets the world in (docs/reference/limits.md#connections). Also gives
 * every connection its first error listener, before anything is read from or written to it: one that breaks is just
 * gone.
 */
export function boundSockets(server: Server, bounds: SocketBounds): void {
  const mayStay = createSocketCount(bounds)
  server.maxConnections = bounds.all
  server.prependListener('connection', (socket: Socket) => {
    socket.on('error', ignore)
    mayStay(socket)
  })
}

/**
 * Counts connections by the address they come from, until they close; answers whether one more may stay. One that may not is
 * told so, and ended.
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
      if (warned.size >= MAX_REMEMBERED) warned.clear()
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
