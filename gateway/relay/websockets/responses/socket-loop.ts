import type { WebSocket } from 'ws'
import { GatewayError, refuse } from '../../../base/errors.ts'
import { requestId } from '../../../base/ids.ts'
import { LARGE } from '../../../base/json/json-scan.ts'
import { type MaybePromise, whenKnown } from '../../../base/maybe-promise.ts'
import { shown } from '../../delivery/error-body.ts'
import type { RequestContext } from '../../model/request-context.ts'
import { createOutflow, type Outflow, readOn } from '../../upstream/socket-wire.ts'
import { closeGracefully, closing, MAX_BAD_FRAMES, TOO_MANY_BAD } from '../closing.ts'
import { createFrameQueue } from '../frame-queue.ts'
import type { CallerSocket } from '../handshake.ts'
import type { Frame } from '../realtime/greeting.ts'
import type { CloseReason, SocketSupervisor } from '../supervisor.ts'
import { type CreateEvent, readCreateEvent } from './create-event.ts'
import { errorFrame } from './frames.ts'
import { type SocketTurn, type TurnDeps, takeTurn } from './turn.ts'

export type ConversationDeps = TurnDeps & Readonly<{ supervisor: SocketSupervisor }>

/**
 * An open socket: whether a turn is active, how to hang up on it and to resume it, and the number of consecutive bad
 * frames.
 */
type OpenSocket = {
  readonly socket: WebSocket
  readonly out: Outflow
  lastMs: number
  busy: boolean
  /** The frame of the active turn, which needs it until its end. */
  turnFrame: Buffer | undefined
  hangUp: (() => void) | undefined
  goOn: (() => void) | undefined
  bad: number
}

/** Handles turns, one at a time, until the socket closes; every `response.create` is a separate relayed request. */
export function converse(
  deps: ConversationDeps,
  context: RequestContext,
  { socket, release }: CallerSocket,
): Promise<void> {
  const { clock, log } = deps.relay
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const out = createOutflow(socket, () => {
    talk.goOn?.()
    if (!frames.isWaiting()) readOn(socket)
  })
  const lastMs = clock.monotonic()
  const idle = { busy: false, turnFrame: undefined, hangUp: undefined, goOn: undefined }
  const talk: OpenSocket = { socket, out, lastMs, bad: 0, ...idle }
  const begin = (event: CreateEvent | undefined): MaybePromise<void> => {
    if (!event || !out.isOpen()) return
    if (talk.busy) throw busy()
    talk.bad = 0
    talk.turnFrame = event.bytes
    const running = runTurn(deps, context, event, talk, frames.waitFor).then(() => {
      release(event.bytes)
    })
    // A warm-up contacts no vendor and ends soon: later frames wait.
    if (event.isWarmUp) return running
  }
  const refused = (error: unknown) => {
    if (!(error instanceof GatewayError)) log.error('a frame failed', { requestId: context.requestId, error })
    sendError(out, context, error)
    talk.bad += 1
    if (talk.bad >= MAX_BAD_FRAMES) closeGracefully(socket, closing.policy, TOO_MANY_BAD)
  }
  const read = ({ data, isBinary }: Frame): MaybePromise<void> => {
    if (!out.isOpen()) return
    talk.lastMs = clock.monotonic()
    try {
      // A large frame is not parsed only to be refused.
      if (talk.busy && data.length > LARGE) throw busy()
      const beginning = whenKnown(readCreateEvent(data, isBinary), begin)
      if (beginning instanceof Promise) return beginning.catch(refused).then(() => pauseReading(talk))
    } catch (error) {
      refused(error)
    }
    pauseReading(talk)
  }
  const releaseRead = ({ data }: Frame) => {
    if (talk.turnFrame !== data) release(data)
  }
  const frames = createFrameQueue(
    socket,
    (frame) => whenKnown(read(frame), () => releaseRead(frame)),
    () => out.isFull(),
  )
  socket.on('message', (data, isBinary) => {
    if (Buffer.isBuffer(data)) frames.take({ data, isBinary })
  })
  const leave = deps.supervisor.keep({
    startedMs: context.startedMs,
    sockets: [socket],
    lastMs: () => (talk.busy ? clock.monotonic() : talk.lastMs),
    end: (why) => endSocket(talk, context, why),
    checkpoint: () => {},
  })
  socket.once('close', () => {
    talk.hangUp?.()
    leave()
    deps.memory.forget()
    resolve()
  })
  socket.resume()
  return closed
}

const busy = (): GatewayError => refuse('invalid', 'relay.socketBusy', {}, { code: 'response_already_in_progress' })

/** Stops reading from a caller that does not read. */
function pauseReading({ socket, out }: OpenSocket): void {
  if (out.isOpen() && out.isFull()) socket.pause()
}

/** Runs one turn, during which the socket accepts no other. Never rejects. */
async function runTurn(
  deps: ConversationDeps,
  context: RequestContext,
  event: CreateEvent,
  talk: OpenSocket,
  waitFor: SocketTurn['waitFor'],
): Promise<void> {
  const { clock, log } = deps.relay
  const { out } = talk
  const id = requestId(clock.now())
  talk.busy = true
  const hold = (hangUp: () => void) => {
    talk.hangUp = hangUp
  }
  const whenWritable = (goOn: () => void) => {
    talk.goOn = goOn
  }
  try {
    await takeTurn(deps, { context, out, event, id, hold, whenWritable, waitFor })
  } catch (error) {
    if (out.isOpen() && !(error instanceof GatewayError)) log.error('a turn failed', { requestId: id, error })
    sendError(out, { ...context, requestId: id }, error)
  }
  talk.busy = false
  talk.turnFrame = undefined
  talk.hangUp = undefined
  talk.goOn = undefined
  talk.lastMs = clock.monotonic()
  pauseReading(talk)
}

function sendError(out: Outflow, { requestId: id, locale }: RequestContext, error: unknown): void {
  const failure = shown(error, { requestId: id, locale })
  out.send(errorFrame(failure.status, failure.error))
}

/** Closes between turns; `immediate` does not wait for the active one. */
function endSocket({ socket, out, busy: isBusy }: OpenSocket, context: RequestContext, why: CloseReason): void {
  if (why === 'immediate') {
    socket.terminate()
    return
  }
  if (isBusy || !out.isOpen()) return
  if (why === 'limit') sendError(out, context, socketExpired)
  closeGracefully(socket, ...closeMessages[why])
}

const closeMessages: Readonly<Record<Exclude<CloseReason, 'immediate'>, readonly [code: number, reason: string]>> = {
  idle: [closing.normal, 'idle'],
  limit: [closing.normal, 'session_limit'],
  shutdown: [closing.goingAway, 'shutting_down'],
}

const socketExpired: GatewayError = refuse(
  'invalid',
  'relay.socketHour',
  {},
  { code: 'websocket_connection_limit_reached' },
)
