import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import type { RequestContext } from '../../model/request-context.ts'

/** Answers a request as the HTTP server would, told who is behind it. */
export type Answering<By extends InnerCaller = CalledBy> = (
  request: IncomingMessage,
  response: ServerResponse,
  by: By,
) => Promise<void>

/** What an inner call takes of whoever makes it: where it goes, and the headers it has. */
type InnerCaller = Readonly<{
  context: Pick<RequestContext, 'path' | 'query'> & Readonly<{ request: Pick<IncomingMessage, 'headers'> }>
}>

/** The visit whose turn it is, and the turn's own request id. */
type CalledBy = Readonly<{ context: RequestContext; requestId: string }>

/** Calls of the gateway to itself, in memory: every turn of a socket is a whole request. */
export interface InnerCalls<By extends InnerCaller = CalledBy> {
  /** Posts a body to the visit's path; resolves with the answer's head. `hold` is told how to hang up. */
  post(by: By, body: Buffer, hold: (hangUp: () => void) => void): Promise<IncomingMessage>
}

/** Requests over connections that never leave the process, through the very parser and answers of HTTP. */
export function createInnerCalls<By extends InnerCaller = CalledBy>(answer: Answering<By>): InnerCalls<By> {
  const callers = new WeakMap<object, By>()
  const server = createServer((incoming, response) => {
    const by = callers.get(incoming.socket)
    if (!by) return void response.destroy()
    answer(incoming, response, by).catch(() => response.destroy())
  })
  /** A connection whose far end the server answers; neither end outlives the other. */
  const connect = (by: By): Duplex => {
    const [near, far] = duplexPair()
    callers.set(far, by)
    near.on('error', ignore).once('close', () => far.destroy())
    far.on('error', ignore).once('close', () => near.destroy())
    server.emit('connection', far)
    return near
  }
  return {
    post: (by, body, hold) =>
      new Promise((resolve, reject) => {
        const { path, query } = by.context
        const wire = connect(by)
        hold(() => wire.destroy())
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
      }),
  }
}

/** What breaks a connection within the process is told by its close. */
const ignore = () => {}

/** Headers of the handshake that were about the socket, or that the body of a turn has of its own. */
const OF_THE_SOCKET =
  /^(connection|upgrade|content-|transfer-encoding|accept$|expect$|openai-beta$|sec-websocket-(?!protocol))/

/** The handshake's headers as every turn has them again: the key above all, also in a sub-protocol. */
function headersOf({ headers }: Pick<IncomingMessage, 'headers'>): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = { 'content-type': 'application/json', accept: 'text/event-stream' }
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OF_THE_SOCKET.test(name)) kept[name] = value
  return { ...kept, connection: 'close' }
}
