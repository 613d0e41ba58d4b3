import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Arrival } from '../arrival.ts'
import type { Waiting } from '../patience.ts'

/** A request to become a socket, as the HTTP server hands it over. */
export type Visit = Readonly<{
  arrival: Arrival
  wire: Duplex
  /** What came after the request's head. */
  head: Buffer
  /** The arrival's patience; it ends with the connection. */
  waiting: Waiting
}>

/** An HTTP answer for a request that the server has let go of to become a socket; the connection ends with it. */
export function answerOn(request: IncomingMessage, wire: Duplex): ServerResponse {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  // Node's own servers hand over connections of the network, which `assignSocket` is declared for.
  const socket = wire as Socket
  response.assignSocket(socket)
  response.once('finish', () => {
    response.detachSocket(socket)
    wire.end()
  })
  return response
}

/** Takes the connection back from the answer that was not needed. */
export function withdraw({ arrival, wire }: Visit): void {
  // As above.
  arrival.response.detachSocket(wire as Socket)
}
