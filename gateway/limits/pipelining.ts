import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { yieldToOthers } from '../base/fair-yield.ts'

/** Requests of one connection that may wait for their responses (docs/reference/limits.md#connections). */
export const MAX_PIPELINED = 16

/**
 * A socket with Node's HTTP parser, which passes the head of each request to `onIncoming` and stops if that returns 2.
 */
type ParsedSocket = Socket & {
  parser?: { onIncoming?: ((request: IncomingMessage, keepAlive: boolean) => number) | null } | null
}
const STOP = 2

/**
 * Ends a connection that sends more requests than may wait for their responses. Node parses all requests of one read at
 * once, some 2,000 in 64 KiB, and nothing else runs meanwhile: a handler that refuses them comes too late, so the
 * parser is stopped.
 */
export function boundPipelining(server: Server): void {
  const unanswered = new WeakMap<Socket, { count: number }>()
  const watch = (socket: ParsedSocket) => {
    const { parser } = socket
    const take = parser?.onIncoming
    if (!parser || !take) return
    const own = { count: 0 }
    unanswered.set(socket, own)
    parser.onIncoming = (request, keepAlive) => {
      own.count += 1
      if (own.count <= MAX_PIPELINED) return take(request, keepAlive)
      socket.destroy()
      return STOP
    }
  }
  const follow = ({ socket }: IncomingMessage, response: ServerResponse) => {
    const own = unanswered.get(socket)
    if (own)
      response.once('close', () => {
        own.count -= 1
      })
  }
  server.on('connection', watch)
  server.on('secureConnection', watch)
  server.on('request', follow)
  server.on('checkContinue', follow)
}

/** Starts of the requests that wait on a connection; absent while no request of the connection is handled. */
const waiting = new WeakMap<Socket, (() => void)[]>()

/**
 * Returns a listener that handles the requests of a connection one after another: the next one once the response before
 * it has been sent. Pipelined requests of many connections are parsed in one iteration of the event loop, so each
 * waiting request starts in a later iteration.
 */
export const oneAtATime =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const { socket } = request
    const next = () => {
      const start = waiting.get(socket)?.shift()
      if (start) void yieldToOthers().then(start)
      else waiting.delete(socket)
    }
    const start = () => {
      if (socket.destroyed) return
      response.once('close', next)
      listener(request, response)
    }
    const others = waiting.get(socket)
    if (others) return void others.push(start)
    waiting.set(socket, [])
    start()
  }
