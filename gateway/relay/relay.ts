import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { sumOf, type Usage } from '../billing/usage.ts'
import type { ClientUsage } from '../channels/health/client-usage.ts'
import type { ActiveChannel } from '../channels/registry/active-channel.ts'
import type { Settings } from '../settings/settings.ts'
import { warnOfBudget } from './admission/credentials.ts'
import type { WordGuard } from './content-filter/word-guard.ts'
import { type DeliverDeps, deliver } from './delivery/deliver.ts'
import { isSentInStream, writeError, writeErrorEvent, writeErrorStream } from './delivery/error-body.ts'
import { type KeepAlive, keepAliveFor } from './delivery/keep-alive.ts'
import type { StreamSupervisor } from './delivery/stream-supervisor.ts'
import { noteFailure } from './failure.ts'
import type { BodyMemory } from './intake/body-memory.ts'
import { parseRequest } from './intake/parse.ts'
import type { KeptBodies } from './kept-bodies/kept-bodies.ts'
import { checkpointOrder, settleFailed, UNDELIVERED, undeliveredUsage, unreadUsage } from './metering/charge.ts'
import type { FailureLog } from './metering/failure-log.ts'
import type { SettledCalls } from './metering/settled-calls.ts'
import type { AcceptedOrder, Answer } from './model/answer.ts'
import type { Requester } from './model/caller.ts'
import type { RouteMatch } from './model/endpoint.ts'
import type { RequestContext } from './model/request-context.ts'
import { RelayedRequest, type RequestDeps, type ReservedCall } from './relayed-request.ts'
import type { Recording } from './response-cache/recording.ts'
import { type CacheDeps, throughCache } from './response-cache/through-cache.ts'
import { conversationKey } from './routing/affinity-key.ts'
import type { Conversations } from './stored/conversations.ts'
import { isReferring, recalled } from './stored/recall.ts'
import type { StoredResponses } from './stored/stored-responses.ts'
import type { RecordingMeter } from './tokenizer/recording-meter.ts'
import { type LimitDeps, withCallTimeout } from './upstream/call-timeout.ts'
import { billedFailure, outputOf } from './upstream/failed-work.ts'
import { type SendDeps, send } from './upstream/send.ts'
import { OversizeAnswer, UpstreamError } from './upstream/upstream-error.ts'

export type RelayDeps = RequestDeps &
  SendDeps &
  DeliverDeps &
  LimitDeps &
  CacheDeps &
  Readonly<{
    clientUsage: ClientUsage
    settings: Settings
    bodies: BodyMemory
    recordings: RecordingMeter
    supervisor: StreamSupervisor
    settled: SettledCalls
    failures: FailureLog
    stored: StoredResponses
    conversations: Conversations
    words: WordGuard
    keptBodies: KeptBodies
    clock: Clock
    log: Logger
  }>

/**
 * Handles a relayed request from authentication to the charge. Never rejects: errors are sent to the caller in its
 * dialect.
 */
export async function relay(
  deps: RelayDeps,
  context: RequestContext,
  match: RouteMatch,
  identify: () => MaybePromise<Requester>,
): Promise<void> {
  const request = new PlainRequest(deps, context)
  try {
    const { caller, suffix } = await request.enter(identify)
    const received = await parseRequest(deps, context, caller.account.id, match)
    request.call = received
    keepBodies(deps, request)
    const planned = request.admit(caller, received)
    const checked = deps.words.checkPrompt(received.json, received.format, context.requestId)
    if (checked) await checked
    const admitted = isReferring(received) ? await recalled(deps, context, { caller, suffix }, planned) : planned
    const key = conversationKey(context, caller, admitted.call, admitted.plan.group)
    await request.withReservation(caller, admitted, key, async (reserved) => {
      warnOfBudget(context, caller)
      const cacheable = { ...request.charged(reserved, NO_CHANNEL, ''), hold: reserved.hold }
      await throughCache(deps, cacheable, (recording) => answerReserved(deps, request, reserved, recording))
      request.succeed()
    })
    if (!deps.settings.get('LogConsumeEnabled')) request.copy?.drop()
  } catch (error) {
    writeFailure(deps, request, error)
  } finally {
    if (request.call) request.copy?.keep(request.call, request.channel)
  }
}

/** Cached responses have no channel. */
const NO_CHANNEL = 0

/** A request with one response, unlike a session. Comments may keep the connection alive. */
class PlainRequest extends RelayedRequest {
  keepAlive: KeepAlive | undefined
  /** The usage of attempts that failed by a mistake of the model, which vendors bill: charged if no channel responds. */
  owed: Usage | undefined
}

/** Copies the bodies from now on if the token or the channel requests it (docs/reference/bodies.md). */
function keepBodies({ keptBodies }: RelayDeps, request: RelayedRequest, channel?: ActiveChannel): void {
  const { context, caller } = request
  if (caller) request.copy ??= keptBodies.begin(context, caller, channel)
}

function writeFailure(deps: RelayDeps, request: PlainRequest, error: unknown): void {
  const { context, call, keepAlive } = request
  const failure = noteFailure(deps, request, error)
  if (!deps.settings.get(request.isCharged ? 'LogConsumeEnabled' : 'ErrorLogEnabled')) request.copy?.drop()
  if (keepAlive?.hasBegun) writeErrorEvent(context, call, failure)
  else if (isSentInStream(context.format, call, failure)) writeErrorStream(context, call, failure)
  else writeError(context, failure)
}

/** Delivers the first good response of a channel; charges the call if its vendor bills it without a response. */
async function answerReserved(
  deps: RelayDeps,
  request: PlainRequest,
  reserved: ReservedCall,
  recording: Recording | undefined,
): Promise<void> {
  const { context } = request
  const keepAlive = keepAliveFor(deps, context, reserved.call)
  request.keepAlive = keepAlive
  const order = new CheckpointedOrder(deps, request, reserved)
  try {
    await deliverFirst(deps, request, { ...reserved, order }, recording)
  } catch (error) {
    order.failed(error)
    await chargeFailed(deps, request, reserved, error)
    throw error
  } finally {
    keepAlive?.stop()
  }
}

/** An order that is charged by its checkpoint if the gateway stops before its result is known. */
class CheckpointedOrder implements AcceptedOrder {
  readonly #deps: RelayDeps
  readonly #request: RelayedRequest
  readonly #reserved: ReservedCall
  #isAccepted = false

  constructor(deps: RelayDeps, request: RelayedRequest, reserved: ReservedCall) {
    this.#deps = deps
    this.#request = request
    this.#reserved = reserved
  }

  accepted(): void {
    const { call, hold } = this.#reserved
    this.#isAccepted = true
    checkpointOrder(this.#deps, this.#request.charged(this.#reserved, this.#request.channel?.id ?? 0, call.model), hold)
  }

  /** Withdraws the checkpoint unless the vendor bills the order without a result. */
  failed(error: unknown): void {
    if (!this.#isAccepted || (error instanceof UpstreamError && error.isBilled)) return
    this.#isAccepted = false
    this.#reserved.hold.withdraw()
  }
}

type OrderedCall = ReservedCall & Readonly<{ order: CheckpointedOrder }>

async function deliverFirst(
  deps: RelayDeps,
  request: PlainRequest,
  reserved: OrderedCall,
  recording: Recording | undefined,
): Promise<void> {
  const { context, keepAlive } = request
  const { plan, hold, route } = reserved
  const answer = await firstAnswer(deps, request, reserved)
  const { channel, upstreamModel } = answer
  deps.clientUsage.note(channel.id, plan.group, context.userAgent, context.at)
  // A complete response is counted only once its content is known to be good.
  if (answer.body.kind !== 'whole') request.succeed()
  const charged = request.charged(reserved, channel.id, upstreamModel)
  const { ending, vendorError } = await deliver(deps, { ...charged, hold, answer, keepAlive, recording })
  route.delivered(ending, vendorError)
}

/** Charges a call without a response for the attempts that vendors bill, if any. */
async function chargeFailed(
  deps: RelayDeps,
  request: PlainRequest,
  reserved: ReservedCall,
  error: unknown,
): Promise<void> {
  const { channel, owed } = request
  const { call, plan, hold } = reserved
  const billed = error instanceof UpstreamError && error.isBilled ? error : undefined
  if (!channel) return
  const isUnread = billed instanceof OversizeAnswer || billed?.usage !== undefined
  const own = billed && (isUnread ? unreadUsage(plan, billed.usage) : undeliveredUsage(deps, call, outputOf(billed)))
  const usage = added(owed, own)
  if (!usage) return
  const charged = request.charged(reserved, channel.id, call.model)
  await settleFailed(deps, charged, hold, usage, own && !isUnread ? UNDELIVERED : 'upstream-error')
  request.isCharged = true
}

/** The sum of usages; undefined if there is none. */
const added = (...usages: readonly (Usage | undefined)[]): Usage | undefined =>
  usages.reduce((sum, usage) => (sum && usage ? sumOf(sum, usage) : (sum ?? usage)), undefined)

/** Tries channels in order until one responds; throws the reason if none does. */
async function firstAnswer(
  deps: RelayDeps,
  request: PlainRequest,
  { caller, call, plan, route, order }: OrderedCall,
): Promise<Answer> {
  const { context } = request
  const measuring = route.prepare()
  if (measuring) await measuring
  let owed: Usage | undefined
  for (let channel = route.next(); channel; channel = route.next()) {
    route.begin(channel)
    keepBodies(deps, request, channel)
    const sentMs = deps.clock.monotonic()
    try {
      const answer = await withCallTimeout(deps, context, (timed) =>
        send(deps, channel, call, { context: timed, accountId: caller.account.id, order, expected: plan.expected }),
      )
      route.answered(channel)
      return answer
    } catch (cause) {
      const error = billedFailure(cause, { channel, plan, tookMs: deps.clock.monotonic() - sentMs })
      // Otherwise the next channel's call would replace this one as the listener, and nothing would end this one.
      context.cancellation.listener?.abandon()
      order.failed(error)
      if (error instanceof UpstreamError)
        owed = added(owed, error.earlierUsage, error.isBilled ? undefined : error.usage)
      if (await route.failed(channel, error, context)) continue
      request.owed = owed
      throw error
    }
  }
  request.owed = owed
  throw route.refusal()
}
