import { sendError } from '../auxiliary/reply.ts'
import { shown } from '../delivery/error-body.ts'
import type { ErrorFacts } from '../delivery/error-shapes.ts'
import { closeGracefully, codeFor } from './closing.ts'
import type { Handshake } from './handshake.ts'
import type { UpgradeRequest } from './upgrade.ts'

type ErrorFrame = (status: number, error: ErrorFacts) => string

type ErrorOrigin = Parameters<typeof sendError>[2]

/**
 * Refuses a socket: over HTTP or, for a caller with sub-protocols, in an error frame before the close, since browsers
 * use sub-protocols and cannot read HTTP responses.
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
  const accepted = await handshake.accept(upgrade, 0).catch(() => undefined)
  if (!accepted) return
  const { socket } = accepted
  socket.on('error', () => socket.terminate())
  socket.send(frame(failure.status, failure.error))
  closeGracefully(socket, codeFor(failure.status), String(failure.error.code || 'refused'))
}
