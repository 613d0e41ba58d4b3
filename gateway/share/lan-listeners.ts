import type { Server } from 'node:http'
import { createServer as createListener, type Server as Listener, type Socket } from 'node:net'
import { normalAddress, type Ranges } from '../limits/client-address.ts'

/** The entry point for other devices: listeners on addresses of this machine, with one server behind them. */
export interface LanListeners {
  open(address: string): Promise<void>
  close(address: string): void
  addresses(): readonly string[]
  /** Only admits these ranges from now on, and closes all other connections. */
  admit(isAllowed: Ranges): void
  connections(): ReadonlyMap<string, number>
  /** Stops listening; active connections continue. */
  stopListening(): void
  destroy(): void
}

type LanListenersDeps = Readonly<{
  server: Server
  /** Maximum connections in total; `mayStay` limits the connections of one address. */
  max: number
  mayStay: (socket: Socket) => boolean
  isAllowed: Ranges
  port: number
  /** Handles connections without TLS, if the server uses TLS. */
  plain?: Server
  onError: (error: Error) => void
  firstByteMs?: number
}>

/** How long a connection may be silent before its protocol is known. */
const FIRST_BYTE_MS = 10_000
/** The first byte of a TLS connection: a handshake record (RFC 8446 §5.1). */
const HANDSHAKE = 0x16

/**
 * Connections that are not admitted are closed before a byte is read. The server never listens itself: connections are
 * passed to it, as Node allows, so that its limits apply to all addresses together.
 */
export function createLanListeners({
  server,
  max,
  mayStay,
  isAllowed: first,
  port,
  plain,
  onError,
  firstByteMs = FIRST_BYTE_MS,
}: LanListenersDeps): LanListeners {
  const listeners = new Map<string, Listener>()
  const open = new Set<Socket>()
  let isAllowed = first
  // The server's timer for slow headers starts with this event.
  for (const each of [server, plain]) each?.emit('listening')
  const onConnection = (socket: Socket) => {
    socket.on('error', ignore)
    if (open.size >= max || !mayEnter(socket, isAllowed)) return void socket.destroy()
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    if (!mayStay(socket)) return
    if (plain) sort(socket, server, plain, firstByteMs)
    else server.emit('connection', socket)
  }
  const endAll = (isOver: (socket: Socket) => boolean) => {
    for (const socket of open) if (isOver(socket)) socket.destroy()
  }
  const stopListening = () => {
    for (const listener of listeners.values()) listener.close()
    listeners.clear()
  }
  return {
    async open(address) {
      const listener = createListener({ allowHalfOpen: true, noDelay: true }, onConnection)
      await new Promise<void>((resolve, reject) => {
        listener.once('error', reject)
        listener.listen({ host: address, port, ipv6Only: true }, resolve)
      })
      listener.removeAllListeners('error').on('error', onError)
      listeners.set(address, listener)
    },
    close(address) {
      listeners.get(address)?.close()
      listeners.delete(address)
      endAll(({ localAddress }) => normalAddress(localAddress ?? '') === address)
    },
    addresses: () => [...listeners.keys()],
    admit(next) {
      isAllowed = next
      endAll((socket) => !mayEnter(socket, isAllowed))
    },
    connections() {
      const counts = new Map<string, number>()
      for (const { remoteAddress } of open) {
        const address = normalAddress(remoteAddress ?? '')
        counts.set(address, (counts.get(address) ?? 0) + 1)
      }
      return counts
    },
    stopListening,
    destroy() {
      stopListening()
      endAll(() => true)
      for (const each of [server, plain]) each?.close(ignore)
    },
  }
}

const ignore = () => {}

/**
 * Whether a connection is admitted. A connection from the same address that it goes to is this machine's own, since the
 * system prevents others from claiming it; the self-check is not blocked by the allow list.
 */
function mayEnter({ remoteAddress = '', localAddress }: Socket, isAllowed: Ranges): boolean {
  const peer = normalAddress(remoteAddress)
  return peer !== '' && (peer === normalAddress(localAddress ?? '') || isAllowed(peer))
}

/** Reads the first byte, puts it back, and passes the connection to the server of its protocol. */
function sort(socket: Socket, server: Server, plain: Server, firstByteMs: number): void {
  const timer = setTimeout(() => socket.destroy(), firstByteMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  // A half-closed connection without data will send nothing more.
  const onEnd = () => socket.destroy()
  socket.once('end', onEnd)
  socket.once('data', (chunk: Buffer) => {
    clearTimeout(timer)
    socket.off('end', onEnd)
    socket.pause()
    socket.unshift(chunk)
    const next = chunk[0] === HANDSHAKE ? server : plain
    next.emit('connection', socket)
    if (next === plain) socket.resume()
  })
}
