import type { Server } from 'node:http'
import { createServer as createListener, type Server as Listener, type Socket } from 'node:net'
import { normalAddress, type Ranges } from '../limits/client-address.ts'

/** The place where others come in: listeners on addresses of this machine, and one server behind them all. */
export interface Door {
  /** Listens on an address; throws what the system throws. */
  open(address: string): Promise<void>
  /** Stops listening on an address and ends its connections. */
  close(address: string): void
  /** Where it listens. */
  addresses(): readonly string[]
  /** Lets in whom these ranges hold from now on, and ends the connections of everybody else. */
  admit(isAllowed: Ranges): void
  /** Connections by the address they come from. */
  connections(): ReadonlyMap<string, number>
  /** Listens no more; what is under way goes on. */
  stopListening(): void
  /** Ends everything now. */
  destroy(): void
}

type DoorDeps = Readonly<{
  server: Server
  /** Connections at once, in all, and whether one more of an address may stay. */
  max: number
  mayStay: (socket: Socket) => boolean
  isAllowed: Ranges
  port: number
  /** Over TLS: answers who comes without it. */
  plain?: Server
  onError: (error: Error) => void
  firstByteMs?: number
}>

/** How long a connection may say nothing before it is known whether it speaks TLS. */
const FIRST_BYTE_MS = 10_000
/** The first byte of a TLS connection: a handshake record (RFC 8446 §5.1). */
const HANDSHAKE = 0x16

/**
 * Who is not let in is gone before a byte of theirs was read. The server behind never listens itself: connections are handed to
 * it, as Node allows, so that its bounds hold for all addresses together.
 */
export function createDoor({
  server,
  max,
  mayStay,
  isAllowed: first,
  port,
  plain,
  onError,
  firstByteMs = FIRST_BYTE_MS,
}: DoorDeps): Door {
  const listeners = new Map<string, Listener>()
  const open = new Set<Socket>()
  let isAllowed = first
  // Its clock for slow heads begins with this event.
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
 * Whether somebody may come in. What comes from the very address it goes to is this machine, which the system lets nobody else
 * claim; its check of itself is not shut out by a list of others.
 */
function mayEnter({ remoteAddress = '', localAddress }: Socket, isAllowed: Ranges): boolean {
  const peer = normalAddress(remoteAddress)
  return peer !== '' && (peer === normalAddress(localAddress ?? '') || isAllowed(peer))
}

/** Looks at the first byte, puts it back, and hands the connection on to who speaks its protocol. */
function sort(socket: Socket, server: Server, plain: Server, firstByteMs: number): void {
  const timer = setTimeout(() => socket.destroy(), firstByteMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
  // A half that was closed without a word says nothing any more.
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
