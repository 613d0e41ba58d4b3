import { unixSeconds } from '../../../base/clock.ts'
import { type GatewayError, refuse } from '../../../base/errors.ts'
import { textIn } from '../../../base/json/json.ts'
import { LARGE } from '../../../base/json/json-scan.ts'
import { type MaybePromise, whenKnown } from '../../../base/maybe-promise.ts'
import { usageOf } from '../../../billing/usage.ts'
import type { RateTicket } from '../../../limits/model-rates.ts'
import { admitCaller } from '../../admission/admit.ts'
import { enterGate } from '../../admission/credentials.ts'
import { shown } from '../../delivery/error-body.ts'
import { NO_CLIENT_TOOLS } from '../../formats/codec.ts'
import { responseObject } from '../../formats/responses/response-object.ts'
import type { MemoryShare } from '../../intake/body-memory.ts'
import type { Caller, Requester } from '../../model/caller.ts'
import type { RequestContext } from '../../model/request-context.ts'
import type { RelayDeps } from '../../relay.ts'
import type { Outflow } from '../../upstream/socket-wire.ts'
import { bodyOf, type CreateEvent, inputAfter } from './create-event.ts'
import { errorFrame, wholeEvents } from './frames.ts'
import type { InnerCalls } from './inner-call.ts'
import { type LastTurn, MAX_STORED_MIB, type StoredItems, TurnOutput } from './memory.ts'
import { type Outlet, sendAnswer } from './turn-answer.ts'

export type TurnDeps = Readonly<{
  relay: RelayDeps
  identify: (context: RequestContext) => MaybePromise<Requester>
  calls: InnerCalls
  memory: LastTurn
  /** For the output of the socket's running turn. */
  outputMemory: MemoryShare
}>

/** One turn: its event, its request id, the target of its response, and `hold` to register how to hang up. */
export type SocketTurn = Readonly<{
  context: RequestContext
  out: Outflow
  event: CreateEvent
  id: string
  hold: (hangUp: () => void) => void
  whenWritable: Outlet['whenWritable']
  /**
   * Delays further frames until a turn is stored, since the caller may continue the turn right after its last event.
   */
  waitFor: (work: Promise<void>) => Promise<void>
}>

/**
 * Runs a turn: a relayed request whose events are sent as frames. Remembers its result for the next turn; if it failed,
 * or its response can be found among the stored ones, only forgets the previous turn. Throws if a turn with
 * `store: false` continues a response that is not remembered here.
 */
export async function takeTurn(deps: TurnDeps, turn: SocketTurn): Promise<void> {
  const { context, out, event, id, hold, whenWritable, waitFor } = turn
  const { memory, relay } = deps
  const before = event.previousId === undefined ? undefined : memory.recall(event.previousId)
  if (event.previousId !== undefined && !before && event.json.store === false) throw noPrevious(event.previousId)
  if (event.isWarmUp) return warmUp(deps, turn, before)
  const body = await bodyOf(event, before)
  if (!out.isOpen()) return
  const answer = await deps.calls.post({ context, requestId: id }, body, hold)
  const broken = () => brokenOff(context, id)
  const outlet = { out, lane: event.lane, whenWritable }
  const output = new TurnOutput(deps.outputMemory)
  try {
    const { ended, id: responseId, isStored } = await sendAnswer(outlet, answer, output, broken)
    const isGood = ended === 'completed' || ended === 'incomplete'
    if (!isGood || (isStored && relay.stored.isOn())) return memory.forget()
    const store = async () => {
      const input = await inputAfter(before ?? [], event.json, isLarge(event))
      const items = await output.stored()
      if (!items) return memory.forget()
      if (out.isOpen()) memory.keep(responseId, [...input, ...items])
    }
    await (isLarge(event) || output.isLarge ? waitFor(store()) : store())
  } finally {
    output.drop()
  }
}

const isLarge = ({ bytes }: CreateEvent): boolean => bytes.length > LARGE

const noPrevious = (id: string): GatewayError =>
  refuse(
    'invalid',
    'relay.noPreviousResponse',
    { id },
    { code: 'previous_response_not_found', param: 'previous_response_id' },
  )

function brokenOff({ locale }: RequestContext, id: string): string {
  const error = refuse('upstream', 'relay.streamBroken', {}, { code: 'stream_response_error' })
  const failure = shown(error, { requestId: id, locale })
  return errorFrame(failure.status, failure.error)
}

/**
 * Runs a warm-up turn (`generate: false`): contacts no vendor, since only sockets support it, and charges nothing. It
 * counts as a request. The next turn can continue its id; throws if its input is too long to store.
 */
async function warmUp(
  deps: TurnDeps,
  { context, out, event, id }: SocketTurn,
  before: StoredItems | undefined,
): Promise<void> {
  const { memory, relay } = deps
  const entering = enterUncharged(deps, context)
  if (entering instanceof Promise) await entering
  const limit = MAX_STORED_MIB
  const items = await inputAfter(before ?? [], event.json, isLarge(event))
  if (!out.isOpen()) return
  if (!memory.keep(`resp_${id}`, items))
    throw refuse('invalid', 'relay.preparedTooLong', { limit }, { code: 'context_length_exceeded', param: 'input' })
  const request = event.json
  const model = textIn(request.model) ?? ''
  // If a large request were repeated, a caller that does not read could fill the memory.
  const repeated = isLarge(event) ? { model } : request
  const frame = { id, model, created: unixSeconds(relay.clock), request: repeated, ...silent }
  const response = responseObject(frame, { status: 'completed', output: [], usage: usageOf({}) })
  const lane = event.lane === undefined ? {} : { stream_id: event.lane }
  for (const frame of wholeEvents(response)) {
    out.send(JSON.stringify({ ...frame, ...lane }))
  }
}

/** Authenticates and counts an uncharged request, as for a charged one; synchronous if possible. */
function enterUncharged({ relay, identify }: TurnDeps, context: RequestContext): MaybePromise<void> {
  return whenKnown(identify(context), ({ caller, suffix }) => {
    admitCaller(relay, caller, context, suffix)
    return whenKnown(enterGate(relay, caller), (ticket) => countFor(caller, ticket))
  })
}

/** Counts a turn toward the limits of its token; if refused, releases its slot among the account's. */
function countFor({ limits }: Caller, ticket: RateTicket | undefined): MaybePromise<void> {
  try {
    const ready = limits?.needsPreparing ? limits.prepare() : undefined
    const counting = ready ? ready.then(() => limits?.admit()) : limits?.admit()
    if (!(counting instanceof Promise)) return ticket?.succeed()
    return counting.then(
      () => ticket?.succeed(),
      (error) => {
        ticket?.fail()
        throw error
      },
    )
  } catch (error) {
    ticket?.fail()
    throw error
  }
}

const silent = { wantsUsage: false, promptTokens: () => 0, isStored: false, clientTools: NO_CLIENT_TOOLS }
