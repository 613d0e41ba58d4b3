import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long the sender of an invalid request may go on sending after the response. */
const LINGER_MS = 2000

/**
 * Responds to invalid requests as Node does, but reads on for a while before closing the connection: a reset could
 * overtake the response while the client is still writing (RFC 9112 §9.6). If a response is in progress on the
 * connection, closes it at once.
 */
export function answerBroken(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, wire) => {
    // Emitted again for every further chunk of an invalid request.
    if (wire.writableEnded) return
    if (isAnswering(wire) || !wire.writable || error.code === 'ECONNRESET') return cutOff(error, wire)
    wire.end(answerTo(error))
    const timer = setTimeout(() => wire.destroy(), LINGER_MS)
    timer.unref()
    wire.once('close', () => clearTimeout(timer))
  })
}

/** Whether a response is in progress on the connection; Node's servers store it there. */
export const isAnswering = (wire: Duplex): boolean => answerOf(wire) !== undefined

const answerOf = (wire: Duplex): object | undefined =>
  '_httpMessage' in wire && typeof wire._httpMessage === 'object' ? (wire._httpMessage ?? undefined) : undefined

function cutOff(error: NodeJS.ErrnoException, wire: Duplex): void {
  const answer = answerOf(wire)
  const isStarted = answer !== undefined && 'headersSent' in answer && answer.headersSent === true
  if (wire.writable && !isStarted && error.code !== 'ECONNRESET') wire.write(answerTo(error))
  wire.destroy(error)
}

const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

const answerTo = ({ code = '' }: NodeJS.ErrnoException): string =>
  `HTTP/1.1 ${answers[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`
