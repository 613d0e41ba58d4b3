import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import type { RequestContext } from '../../model/request-context.ts'

/** Handles a request like the HTTP server, with a known caller. */
export type Answering<By extends InnerCaller = CalledBy> = (
  request: IncomingMessage,
  response: ServerResponse,
  by: By,
) => Promise<void>

/** The caller's path, query and headers for an inner call. */
type InnerCaller = Readonly<{
  context: Pick<RequestContext, 'path' | 'query'> & Readonly<{ request: Pick<IncomingMessage, 'headers'> }>
}>

type CalledBy = Readonly<{ context: RequestContext; requestId: string }>

/** Requests of the gateway to itself, in memory, such as the turns of a socket. */
export interface InnerCalls<By extends InnerCaller = CalledBy> {
  /**
   * Posts a body to the caller's path; resolves with the response's headers. `hold` receives a function that hangs up.
   */
  post(by: By, body: Buffer, hold: (hangUp: () => void) => void): Promise<IncomingMessage>
}

/** Uses in-process connections with Node's HTTP parser and responses. */
export function createInnerCalls<By extends InnerCaller = CalledBy>(answer: Answering<By>): InnerCalls<By> {
  const callers = new WeakMap<object, By>()
  const server = createServer((incoming, response) => {
    const by = callers.get(incoming.socket)
    if (!by) return void response.destroy()
    answer(incoming, response, by).catch(() => response.destroy())
  })
  /** A connection whose other end is handled by the server; both ends close together. */
  const connect = (by: By): Duplex => {
    const [near, far] = duplexPair()
    callers.set(far, by)
    near.on('error', ignore).once('close', () => far.destroy())
    far.on('error', ignore).once('close', () => near.destroy())
    server.emit('connection', far)
    return near
  }
  return {
    post(by, body, hold) {
      const { path, query } = by.context
      const wire = connect(by)
      hold(() => wire.destroy())
      const posted = new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = request(
          {
            method: 'POST',
            path: query === '' ? path : `${path}?${query}`,
            headers: { ...headersOf(by.context.request), 'content-length': body.length },
            createConnection: () => wire,
          },
          (incoming) => {
            incoming.once('close', () => wire.destroy())
            resolve(incoming)
          },
        )
        outgoing.on('error', reject)
        outgoing.end(body)
      })
      return posted.catch((error: unknown) => {
        // `request` and `end` throw for headers that Node does not accept; nothing else would close the connection.
        wire.destroy()
        throw error
      })
    },
  }
}

/** An error of an in-process connection also closes it, and the close is handled. */
const ignore = () => {}

/** Headers of the handshake that concern the connection or the socket, or that a turn sets itself. */
const SOCKET_HEADERS =
  /^(connection|keep-alive|proxy-|te$|trailer|transfer-encoding|upgrade|content-|accept$|expect$|openai-beta$|sec-websocket-(?!protocol))/

/** The handshake's headers for every turn: above all the key, also in a sub-protocol. */
function headersOf({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string | string[]> {
  const headersOfTurn: Record<string, string | string[]> = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
  }
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !SOCKET_HEADERS.test(name)) headersOfTurn[name] = value
  return { ...headersOfTurn, connection: 'close' }
}
