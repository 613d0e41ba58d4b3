import type { WebSocket } from 'ws'
import { sendError } from '../auxiliary/reply.ts'
import { shown } from '../delivery/error-body.ts'
import type { ErrorFacts } from '../delivery/error-shapes.ts'
import type { Handshake } from './handshake.ts'
import { closing } from './limits.ts'
import type { UpgradeRequest } from './upgrade.ts'

type ErrorFrame = (status: number, error: ErrorFacts) => string

type ErrorOrigin = Parameters<typeof sendError>[2]

/**
 * Refuses a socket: over HTTP, or, for a caller with sub-protocols, as browsers use, which cannot read HTTP responses,
 * in an error frame before the close.
 */
export async function refuseUpgrade(
  handshake: Handshake,
  upgrade: UpgradeRequest,
  error: unknown,
  { where = {}, frame }: Readonly<{ where?: ErrorOrigin; frame: ErrorFrame }>,
): Promise<void> {
  const { context } = upgrade
  if (context.request.headers['sec-websocket-protocol'] === undefined) return sendError(context, error, where)
  const failure = shown(error, { requestId: context.requestId, locale: context.locale, ...where })
  const socket = await handshake.accept(upgrade, 0).catch(() => undefined)
  if (!socket) return
  socket.on('error', () => socket.terminate())
  socket.send(frame(failure.status, failure.error))
  closeGracefully(socket, codeFor(failure.status), String(failure.error.code || 'refused'))
}

/** The close code that shows whose fault it is. */
export const codeFor = (status: number): number => {
  if (status === 503 || status === 429) return closing.later
  return status < 500 ? closing.policy : closing.fault
}

/** Closes a socket; terminates it if the peer does not answer within two seconds. */
export function closeGracefully(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === socket.CLOSED) return
  const timer = setTimeout(() => socket.terminate(), CLOSE_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  socket.close(code, cut(reason))
}

const CLOSE_MS = 2000
const MAX_REASON_LENGTH = 120

function cut(text: string): string {
  let end = Math.min(text.length, MAX_REASON_LENGTH)
  while (Buffer.byteLength(text.slice(0, end)) > MAX_REASON_LENGTH) end -= 1
  return text.slice(0, end)
}
