import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { CancellationSource } from '../model/cancellation.ts'
import type { RequestContext } from '../model/request-context.ts'

/** A request to become a socket, as the HTTP server hands it over. */
export type UpgradeRequest = Readonly<{
  context: RequestContext
  wire: Duplex
  /** What came after the request's head. */
  head: Buffer
  /** Ends the watch for a caller that leaves: from now on whoever reads will know. */
  unwatch: () => void
}>

/**
 * Cancels a caller's request when its connection ends, which nobody reads yet: a caller that hangs up says so in the very
 * stream that is kept for the socket. Answers how to stop watching.
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

/** How long a caller that has its answer may keep its half of the connection open. */
const HALF_OPEN_MS = 2000

/** An HTTP answer for a request that the server has let go of to become a socket; the connection ends with it. */
export function answerOn(request: IncomingMessage, wire: Duplex): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  // Node's own servers hand over connections of the network, which `assignSocket` is declared for.
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

/** Takes the connection back from the answer that was not needed, where that still has it. */
export function withdraw({ context, wire, unwatch }: UpgradeRequest): void {
  unwatch()
  // As above.
  if (context.response.socket) context.response.detachSocket(wire as Socket)
}
