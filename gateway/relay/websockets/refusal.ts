import type { WebSocket } from 'ws'
import { sendError } from '../auxiliary/reply.ts'
import { shown } from '../delivery/error-body.ts'
import type { ErrorFacts } from '../delivery/error-shapes.ts'
import type { Handshake } from './handshake.ts'
import { closing } from './limits.ts'
import type { UpgradeRequest } from './upgrade.ts'

/** How an error is written as a frame. */
type ErrorFrame = (status: number, error: ErrorFacts) => string

/** Known of where it went wrong, as `shown` wants it. */
type Whereabouts = Parameters<typeof sendError>[2]

/**
 * Tells a caller why there will be no socket: in HTTP, or, where the caller used sub-protocols as browsers do, which
 * cannot read such an answer, in an error frame before the close.
 */
export async function refuseUpgrade(
  handshake: Handshake,
  upgrade: UpgradeRequest,
  error: unknown,
  { where = {}, frame }: Readonly<{ where?: Whereabouts; frame: ErrorFrame }>,
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

/** The close code that says whose fault it is. */
export const codeFor = (status: number): number => {
  if (status === 503 || status === 429) return closing.later
  return status < 500 ? closing.policy : closing.fault
}

/** Closes a socket; who does not answer the close within two seconds is let go. */
export function closeGracefully(socket: WebSocket, code: number, reason: string): void {
  if (socket.readyState === socket.CLOSED) return
  const timer = setTimeout(() => socket.terminate(), CLOSE_MS)
  socket.once('close', () => clearTimeout(timer))
  socket.resume()
  socket.close(code, cut(reason))
}

const CLOSE_MS = 2000
/** Bytes that a close frame has room for. */
const MAX_REASON_LENGTH = 120

/** As much of a text as fits, in whole characters. */
function cut(text: string): string {
  let end = Math.min(text.length, MAX_REASON_LENGTH)
  while (Buffer.byteLength(text.slice(0, end)) > MAX_REASON_LENGTH) end -= 1
  return text.slice(0, end)
}
