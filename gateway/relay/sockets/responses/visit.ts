import type { WebSocket } from 'ws'
import { GatewayError, refuse } from '../../../base/errors.ts'
import { requestId } from '../../../base/ids.ts'
import type { JsonObject } from '../../../base/json.ts'
import { usageOf } from '../../../billing/usage.ts'
import { admitCaller } from '../../admit.ts'
import type { Arrival } from '../../arrival.ts'
import { shown } from '../../error-body.ts'
import { responseObject } from '../../formats/responses/response-object.ts'
import type { Asker, RelayDeps } from '../../relay.ts'
import type { Handshake } from '../handshake.ts'
import type { Keeper, Parting } from '../keeper.ts'
import { closing } from '../limits.ts'
import type { Places } from '../places.ts'
import { bid, refuseVisit } from '../refusal.ts'
import type { Visit } from '../visit.ts'
import { bodyOf, type CreateEvent, inputAfter, readCreateEvent } from './create-event.ts'
import { errorFrame, wholeFrames } from './frames.ts'
import type { InnerCalls } from './inner-call.ts'
import type { TurnMemory } from './memory.ts'
import { sendTurn } from './turn.ts'

export type ResponsesDeps = Readonly<{
  relay: RelayDeps
  identify: (arrival: Arrival) => Asker
  handshake: Handshake
  places: Places
  keeper: Keeper
  calls: InnerCalls
  memory: TurnMemory
}>

/**
 * `GET /v1/responses` as a socket (OpenAI's guide "WebSocket mode"): every `response.create` is a relayed request of its
 * own, answered by one frame for each event, one at a time. Never throws.
 */
export async function answerResponses(deps: ResponsesDeps, visit: Visit): Promise<void> {
  const { arrival } = visit
  let leavePlace = () => {}
  try {
    const { caller, suffix } = deps.identify(arrival)
    admitCaller(deps.relay, caller, arrival, suffix)
    leavePlace = deps.places.take(caller.account.id)
    const socket = await deps.handshake.accept(visit)
    await converse(deps, arrival, socket)
  } catch (error) {
    await refuseVisit(deps.handshake, visit, error, { frame: errorFrame })
  } finally {
    leavePlace()
  }
}

/** Takes turns until the socket closes. */
function converse(deps: ResponsesDeps, arrival: Arrival, socket: WebSocket): Promise<void> {
  const { clock, log } = deps.relay
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const state = { lastMs: clock.monotonic(), hangUp: undefined as (() => void) | undefined, busy: false }
  const tell = (error: unknown, id = arrival.requestId) => {
    if (socket.readyState !== socket.OPEN) return
    const told = shown(error, { requestId: id, locale: arrival.locale })
    socket.send(errorFrame(told.status, told.error))
  }
  const take = async (event: CreateEvent) => {
    const id = requestId(clock.now())
    const hold = (hangUp: () => void) => {
      state.hangUp = hangUp
    }
    try {
      await takeTurn(deps, { arrival, socket, event, id, hold })
    } catch (error) {
      if (socket.readyState === socket.OPEN && !(error instanceof GatewayError)) log.error('a turn failed', { requestId: id, error })
      tell(error, id)
    }
  }
  socket.on('message', (data, isBinary) => {
    state.lastMs = clock.monotonic()
    try {
      const event = Buffer.isBuffer(data) ? readCreateEvent(data, isBinary) : undefined
      if (!event) return
      if (state.busy) throw refuse('invalid', 'relay.socketBusy', {}, { code: 'response_already_in_progress' })
      state.busy = true
      void take(event).finally(() => {
        state.busy = false
        state.hangUp = undefined
        state.lastMs = clock.monotonic()
      })
    } catch (error) {
      tell(error)
    }
  })
  socket.on('error', () => {})
  const leave = deps.keeper.keep({
    startedMs: arrival.startedMs,
    sockets: [socket],
    lastMs: () => (state.busy ? clock.monotonic() : state.lastMs),
    part(why) {
      if (why === 'now') return socket.terminate()
      if (state.busy || socket.readyState !== socket.OPEN) return
      if (why === 'limit') tell(hourOver)
      bid(socket, ...farewells[why])
    },
    checkpoint: () => {},
  })
  socket.once('close', () => {
    state.hangUp?.()
    leave()
    deps.memory.forget(socket)
    resolve()
  })
  socket.resume()
  return closed
}

const farewells: Readonly<Record<Parting, readonly [code: number, reason: string]>> = {
  idle: [closing.normal, 'idle'],
  limit: [closing.normal, 'session_limit'],
  leave: [closing.goingAway, 'shutting_down'],
  now: [closing.goingAway, 'shutting_down'],
}

const hourOver: GatewayError = refuse('invalid', 'relay.socketHour', {}, { code: 'websocket_connection_limit_reached' })

type TakenTurn = Readonly<{
  arrival: Arrival
  socket: WebSocket
  event: CreateEvent
  id: string
  /** Told how to hang up on the turn, should its socket close. */
  hold: (hangUp: () => void) => void
}>

async function takeTurn(deps: ResponsesDeps, { arrival, socket, event, id, hold }: TakenTurn): Promise<void> {
  const { memory, relay } = deps
  const before = event.previousId === undefined ? undefined : memory.recall(socket, event.previousId)
  if (event.previousId !== undefined && !before && event.json.store === false) throw noPrevious(event.previousId)
  if (event.isWarmUp) return warmUp(deps, { arrival, socket, event, id }, before)
  const answer = await deps.calls.post({ arrival, requestId: id }, bodyOf(event, before), hold)
  const broken = () => brokenOff(arrival, id)
  const { ended, id: responseId, output, isStored } = await sendTurn(socket, answer, event.lane, broken)
  if (ended !== 'completed' && ended !== 'incomplete') return memory.forget(socket)
  if (isStored && relay.stored.isOn()) return memory.forget(socket)
  memory.keep(socket, responseId, [...inputAfter(before ?? [], event.json), ...output])
}

const noPrevious = (id: string): GatewayError =>
  refuse(
    'invalid',
    'relay.noPreviousResponse',
    { id },
    { code: 'previous_response_not_found', param: 'previous_response_id' },
  )

/** What is told of an answer without an end. */
function brokenOff({ locale }: Arrival, id: string): string {
  const error = refuse('upstream', 'relay.streamBroken', {}, { code: 'stream_response_error' })
  const told = shown(error, { requestId: id, locale })
  return errorFrame(told.status, told.error)
}

/**
 * A turn that only prepares (`generate: false`): no vendor is asked, since only a socket has such a thing, and nothing is
 * charged. The next turn goes on from its id.
 */
function warmUp(
  deps: ResponsesDeps,
  { arrival, socket, event, id }: Omit<TakenTurn, 'hold'>,
  before: readonly JsonObject[] | undefined,
): void {
  const { caller, suffix } = deps.identify(arrival)
  admitCaller(deps.relay, caller, arrival, suffix)
  const request = event.json
  const created = Math.floor(deps.relay.clock.now() / 1000)
  const frame = { id, model: String(request.model ?? ''), created, request, ...unanswered }
  const response = responseObject(frame, { status: 'completed', output: [], usage: usageOf({}) })
  const lane = event.lane === undefined ? {} : { stream_id: event.lane }
  for (const text of wholeFrames(response)) socket.send(JSON.stringify({ ...JSON.parse(text), ...lane }))
  deps.memory.keep(socket, `resp_${id}`, inputAfter(before ?? [], request))
}

const unanswered = { wantsUsage: false, promptTokens: () => 0, isStored: false, customTools: new Set<string>() }
