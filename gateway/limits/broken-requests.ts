import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'

/** How long whoever sent what is no request may go on sending it, once told. */
const LINGER_MS = 2000

/**
 * Answers what is no request as Node does, but reads on for a while before the connection closes: a reset would overtake
 * the answer while its sender is still writing (RFC 9112 §9.6). Where a request is under way on the connection, that is
 * cut off with it.
 */
export function answerBroken(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, wire) => {
    // Every further part of what is no request comes here again.
    if (wire.writableEnded) return
    if (isAnswering(wire) || !wire.writable || error.code === 'ECONNRESET') return cutOff(error, wire)
    wire.end(answerTo(error))
    const timer = setTimeout(() => wire.destroy(), LINGER_MS)
    timer.unref()
    wire.once('close', () => clearTimeout(timer))
  })
}

/** Whether a request of the connection is being answered; Node's servers keep its answer there. */
export const isAnswering = (wire: Duplex): boolean => answerOf(wire) !== undefined

const answerOf = (wire: Duplex): object | undefined =>
  '_httpMessage' in wire && typeof wire._httpMessage === 'object' ? (wire._httpMessage ?? undefined) : undefined

function cutOff(error: NodeJS.ErrnoException, wire: Duplex): void {
  const answer = answerOf(wire)
  const isBegun = answer !== undefined && 'headersSent' in answer && answer.headersSent === true
  if (wire.writable && !isBegun && error.code !== 'ECONNRESET') wire.write(answerTo(error))
  wire.destroy(error)
}

const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

const answerTo = ({ code = '' }: NodeJS.ErrnoException): string =>
  `HTTP/1.1 ${answers[code] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`
