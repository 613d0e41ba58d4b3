import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/logger.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ClientUsage } from '../channels/health/client-usage.ts'
import type { Settings } from '../settings/settings.ts'
import { type AdmitDeps, admitCall, admitCaller } from './admission/admit.ts'
import { withAffordable } from './admission/cap-output.ts'
import { enterGate, type GateDeps, warned } from './admission/credentials.ts'
import { measured, type ReserveDeps, reserve } from './admission/reservation.ts'
import type { WordGuard } from './content-filter/word-guard.ts'
import { type DeliverDeps, deliver } from './delivery/deliver.ts'
import { writeError, writeErrorEvent } from './delivery/error-body.ts'
import { noteFailure, type RequestProgress } from './delivery/failure.ts'
import { type KeepAlive, keepAliveFor } from './delivery/keep-alive.ts'
import type { StreamSupervisor } from './delivery/stream-supervisor.ts'
import type { BodyMemory } from './intake/body-memory.ts'
import { parseRequest } from './intake/parse.ts'
import type { FailureLog } from './metering/failure-log.ts'
import type { SettledCalls } from './metering/settled-calls.ts'
import type { Answer } from './model/answer.ts'
import type { Call } from './model/call.ts'
import type { Asker } from './model/caller.ts'
import type { RouteMatch } from './model/endpoint.ts'
import type { RequestContext } from './model/request-context.ts'
import { conversationKey } from './routing/affinity-key.ts'
import { knownConversation, Route, type RouteDeps } from './routing/route.ts'
import { isReferring, pinToChannel, recall } from './stored/recall.ts'
import type { StoredResponses } from './stored/stored-responses.ts'
import { type LimitDeps, withinLimit } from './upstream/call-timeout.ts'
import { type SendDeps, send } from './upstream/send.ts'

export type RelayDeps = AdmitDeps &
  SendDeps &
  RouteDeps &
  DeliverDeps &
  LimitDeps &
  GateDeps &
  ReserveDeps &
  Readonly<{
    clientUsage: ClientUsage
    settings: Settings
    bodies: BodyMemory
    supervisor: StreamSupervisor
    settled: SettledCalls
    failures: FailureLog
    stored: StoredResponses
    words: WordGuard
    clock: Clock
    log: Logger
  }>

/** What is known of a request so far, and its keep-alive. */
type Progress = RequestProgress & { keepAlive?: KeepAlive | undefined }

/**
 * The whole life of a relayed request: who asks, what for, may they, quota set aside, a channel asked, the answer sent
 * on and charged. Never throws: whatever goes wrong is told to the caller in its dialect and written down.
 */
export async function relay(
  deps: RelayDeps,
  context: RequestContext,
  match: RouteMatch,
  identify: () => MaybePromise<Asker>,
): Promise<void> {
  const progress: Progress = { attempts: [], skipped: [] }
  try {
    const found = identify()
    await handleRequest(deps, context, found instanceof Promise ? await found : found, match, progress)
  } catch (error) {
    const failure = noteFailure(deps, context, progress, error)
    if (progress.keepAlive?.hasBegun) writeErrorEvent(context, failure)
    else writeError(context, failure)
  }
}

async function handleRequest(
  deps: RelayDeps,
  context: RequestContext,
  { caller, suffix }: Asker,
  found: RouteMatch,
  progress: Progress,
): Promise<void> {
  progress.caller = caller
  admitCaller(deps, caller, context, suffix)
  const turn = enterGate(deps, caller)
  progress.turn = turn instanceof Promise ? await turn : turn
  const asked = await parseRequest(deps.bodies, context, found)
  progress.call = asked
  const { call, responseOwner } = isReferring(asked)
    ? await recall(deps.stored, caller, asked)
    : { call: asked, responseOwner: null }
  const admitted = pinToChannel(admitCall(deps, caller, call, suffix), responseOwner)
  progress.plan = admitted
  const checked = deps.words.checkPrompt(asked.json, call.format, context.requestId)
  if (checked) await checked
  if (caller.limits?.isReady === false) await caller.limits.prepare()
  const continued = knownConversation(deps, conversationKey(context, caller, call, admitted.group), admitted)
  const conversation = continued instanceof Promise ? await continued : continued
  const held = reserve(deps, context, caller, admitted)
  const reserved = { plan: admitted, hold: held instanceof Promise ? await held : held }
  const isShort = reserved.hold.quota < admitted.hold
  const { plan, hold } = isShort ? await measured(deps, context, caller, call, reserved) : reserved
  const affordable = withAffordable(call, plan, hold)
  const route = new Route(deps, affordable, plan, progress, conversation)
  try {
    const counting = caller.limits?.admit()
    if (counting instanceof Promise) await counting
    const warnedContext = warned(context, caller)
    progress.keepAlive = keepAliveFor(deps, warnedContext, call)
    const answer = await firstAnswer(deps, route, affordable, warnedContext)
    deps.clientUsage.note(answer.channel.id, plan.group, context.userAgent, context.at)
    if (answer.body.kind !== 'whole') progress.turn?.succeed()
    const ending = await deliver(deps, {
      context: warnedContext,
      caller,
      call: affordable,
      plan,
      hold,
      answer,
      attempts: progress.attempts,
      skipped: progress.skipped,
      channelId: answer.channel.id,
      upstreamModel: answer.upstreamModel,
      keepAlive: progress.keepAlive,
    })
    route.delivered(ending)
    progress.turn?.succeed()
  } finally {
    progress.keepAlive?.stop()
    route.end()
    hold.release()
  }
}

/** Asks one channel after the other until one answers; throws why none does. */
async function firstAnswer(deps: RelayDeps, route: Route, call: Call, context: RequestContext): Promise<Answer> {
  for (let channel = route.next(); channel; channel = route.next()) {
    route.begin(channel)
    try {
      const answer = await withinLimit(deps, context, (limited) => send(deps, channel, call, limited))
      route.answered(channel)
      return answer
    } catch (error) {
      if (!(await route.failed(channel, error, context))) throw error
    }
  }
  throw route.refusal()
}
