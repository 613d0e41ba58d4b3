import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may wait for their responses (docs/reference/limits.md#connections). */
export const MAX_PIPELINED = 16

/** A socket with Node's HTTP parser, which hands each head to `onIncoming`; 2 makes it stop there. */
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
