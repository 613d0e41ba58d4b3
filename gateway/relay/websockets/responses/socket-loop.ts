import type { WebSocket } from 'ws'
import { GatewayError, refuse } from '../../../base/errors.ts'
import { requestId } from '../../../base/ids.ts'
import { shown } from '../../delivery/error-body.ts'
import type { RequestContext } from '../../model/request-context.ts'
import { closing } from '../limits.ts'
import { closeGracefully } from '../refusal.ts'
import type { CloseReason, SocketSupervisor } from '../supervisor.ts'
import { type CreateEvent, readCreateEvent } from './create-event.ts'
import { errorFrame } from './frames.ts'
import { type TurnDeps, takeTurn } from './turn.ts'

export type ConversationDeps = TurnDeps & Readonly<{ supervisor: SocketSupervisor }>

/** A socket that talks: whether a turn is under way, and how to hang up on it. */
type Talk = { lastMs: number; busy: boolean; hangUp: (() => void) | undefined }

/** Takes turns, one at a time, until the socket closes; every `response.create` is a relayed request of its own. */
export function converse(deps: ConversationDeps, context: RequestContext, socket: WebSocket): Promise<void> {
  const { clock, log } = deps.relay
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const talk: Talk = { lastMs: clock.monotonic(), busy: false, hangUp: undefined }
  socket.on('message', (data, isBinary) => {
    talk.lastMs = clock.monotonic()
    try {
      const event = Buffer.isBuffer(data) ? readCreateEvent(data, isBinary) : undefined
      if (!event) return
      if (talk.busy) throw refuse('invalid', 'relay.socketBusy', {}, { code: 'response_already_in_progress' })
      void attend(deps, context, socket, event, talk)
    } catch (error) {
      if (!(error instanceof GatewayError)) log.error('a frame failed', { requestId: context.requestId, error })
      tell(socket, context, error)
    }
  })
  socket.on('error', () => {})
  const leave = deps.supervisor.keep({
    startedMs: context.startedMs,
    sockets: [socket],
    lastMs: () => (talk.busy ? clock.monotonic() : talk.lastMs),
    end: (why) => endSocket(socket, context, why, talk.busy),
    checkpoint: () => {},
  })
  socket.once('close', () => {
    talk.hangUp?.()
    leave()
    deps.memory.forget(socket)
    resolve()
  })
  socket.resume()
  return closed
}

/** One turn, during which the socket takes no other. Never rejects. */
async function attend(
  deps: ConversationDeps,
  context: RequestContext,
  socket: WebSocket,
  event: CreateEvent,
  talk: Talk,
) {
  const { clock, log } = deps.relay
  const id = requestId(clock.now())
  talk.busy = true
  const hold = (hangUp: () => void) => {
    talk.hangUp = hangUp
  }
  try {
    await takeTurn(deps, { context, socket, event, id, hold })
  } catch (error) {
    if (socket.readyState === socket.OPEN && !(error instanceof GatewayError))
      log.error('a turn failed', { requestId: id, error })
    tell(socket, { ...context, requestId: id }, error)
  }
  talk.busy = false
  talk.hangUp = undefined
  talk.lastMs = clock.monotonic()
}

/** Tells of an error in a frame, where anybody can still read it. */
function tell(socket: WebSocket, { requestId: id, locale }: RequestContext, error: unknown): void {
  if (socket.readyState !== socket.OPEN) return
  const failure = shown(error, { requestId: id, locale })
  socket.send(errorFrame(failure.status, failure.error))
}

/** Closes between turns; one that must end now is not waited for. */
function endSocket(socket: WebSocket, context: RequestContext, why: CloseReason, isBusy: boolean): void {
  if (why === 'immediate') {
    socket.terminate()
    return
  }
  if (isBusy || socket.readyState !== socket.OPEN) return
  if (why === 'limit') tell(socket, context, hourOver)
  closeGracefully(socket, ...farewells[why])
}

const farewells: Readonly<Record<Exclude<CloseReason, 'immediate'>, readonly [code: number, reason: string]>> = {
  idle: [closing.normal, 'idle'],
  limit: [closing.normal, 'session_limit'],
  shutdown: [closing.goingAway, 'shutting_down'],
}

const hourOver: GatewayError = refuse('invalid', 'relay.socketHour', {}, { code: 'websocket_connection_limit_reached' })
