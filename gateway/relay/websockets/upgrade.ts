import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { CancellationSource } from '../model/cancellation.ts'
import type { RequestContext } from '../model/request-context.ts'

export type UpgradeRequest = Readonly<{
  context: RequestContext
  wire: Duplex
  head: Buffer
  /** Stops watching for a disconnect: from now on the reader notices it. */
  unwatch: () => void
}>

/**
 * Cancels a request when its connection ends before the upgrade: nothing reads from it yet, and the end of the stream
 * is preserved for the socket. Returns a function that stops watching.
 */
export function watch(wire: Duplex, waiting: CancellationSource): () => void {
  const look = () => {
    if (wire.readableLength === 0) wire.read(0)
  }
  wire.on('error', () => wire.destroy())
  wire.once('close', () => waiting.end())
  wire.once('end', () => waiting.end())
  wire.on('readable', look)
  return () => void wire.off('readable', look)
}

/** Milliseconds for which a caller may keep its half of the connection open after its response. */
const HALF_OPEN_MS = 2000

/** An HTTP response for a request that the server has released for an upgrade; ends the connection. */
export function answerOn(request: IncomingMessage, wire: Duplex): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  // Node's servers pass network sockets, which `assignSocket` is declared for.
  const socket = wire as Socket
  response.assignSocket(socket)
  response.once('finish', () => {
    response.detachSocket(socket)
    const timer = setTimeout(() => wire.destroy(), HALF_OPEN_MS)
    wire.once('close', () => clearTimeout(timer))
    wire.end()
  })
  return response
}

export function withdraw({ context, wire, unwatch }: UpgradeRequest): void {
  unwatch()
  // A network socket, as above.
  if (context.response.socket) context.response.detachSocket(wire as Socket)
}
