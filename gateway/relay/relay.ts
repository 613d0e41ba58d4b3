import type { Clock } from '../base/clock.ts'
import type { Logger } from '../base/log/logger.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import type { ClientUsage } from '../channels/health/client-usage.ts'
import type { Settings } from '../settings/settings.ts'
import { admitCall } from './admission/admit.ts'
import { withBudgetWarning } from './admission/credentials.ts'
import type { WordGuard } from './content-filter/word-guard.ts'
import { type DeliverDeps, deliver } from './delivery/deliver.ts'
import { isSentInStream, writeError, writeErrorEvent, writeErrorStream } from './delivery/error-body.ts'
import { noteFailure, type RequestProgress } from './delivery/failure.ts'
import { type KeepAlive, keepAliveFor } from './delivery/keep-alive.ts'
import type { StreamSupervisor } from './delivery/stream-supervisor.ts'
import type { BodyMemory } from './intake/body-memory.ts'
import { parseRequest } from './intake/parse.ts'
import type { KeptBodies } from './kept-bodies/kept-bodies.ts'
import { type AdmittedCall, enter, type LifeCycleDeps, type ReservedCall, withHold } from './life-cycle.ts'
import { settleUndelivered, settleUnread } from './metering/charge.ts'
import type { FailureLog } from './metering/failure-log.ts'
import type { SettledCalls } from './metering/settled-calls.ts'
import type { Answer } from './model/answer.ts'
import type { Call } from './model/call.ts'
import type { Requester } from './model/caller.ts'
import type { RouteMatch } from './model/endpoint.ts'
import type { RequestContext } from './model/request-context.ts'
import { type ReplayDeps, replay } from './response-cache/replay.ts'
import type { ResponseCache } from './response-cache/response-cache.ts'
import { conversationKey } from './routing/affinity-key.ts'
import type { Route } from './routing/route.ts'
import type { Conversations } from './stored/conversations.ts'
import { isReferring, recalled } from './stored/recall.ts'
import type { StoredResponses } from './stored/stored-responses.ts'
import type { RecordingMeter } from './tokenizer/recording-meter.ts'
import { type LimitDeps, withCallTimeout } from './upstream/call-timeout.ts'
import { type SendDeps, send } from './upstream/send.ts'
import { OversizeAnswer, UpstreamError } from './upstream/upstream-error.ts'

export type RelayDeps = LifeCycleDeps &
  SendDeps &
  DeliverDeps &
  LimitDeps &
  ReplayDeps &
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
    responseCache: ResponseCache
    keptBodies: KeptBodies
    clock: Clock
    log: Logger
  }>

type Progress = RequestProgress & { keepAlive?: KeepAlive | undefined }

/**
 * Handles a relayed request from authentication to the charge. Never throws: errors are sent to the caller in its
 * dialect and logged.
 */
export async function relay(
  deps: RelayDeps,
  context: RequestContext,
  match: RouteMatch,
  identify: () => MaybePromise<Requester>,
): Promise<void> {
  const progress: Progress = { attempts: [], skipped: [] }
  try {
    const { caller, suffix } = await enter(deps, context, identify, progress)
    const parsed = await parseRequest(deps, context, caller.account.id, match)
    progress.call = parsed
    progress.copy = deps.keptBodies.begin(context, caller)
    const asPlanned = { call: parsed, plan: admitCall(deps, caller, parsed, suffix) }
    progress.plan = asPlanned.plan
    const checked = deps.words.checkPrompt(parsed.json, parsed.format, context.requestId)
    if (checked) await checked
    const { call, plan } = isReferring(parsed)
      ? await recalled(deps, context, { caller, suffix }, asPlanned)
      : asPlanned
    progress.plan = plan
    const admitted = { context, caller, call, plan, progress }
    const key = conversationKey(context, caller, call, plan.group)
    await withHold(deps, { ...admitted, conversationKey: key }, (held) => answerReserved(deps, admitted, held))
    if (!deps.settings.get('LogConsumeEnabled')) progress.copy?.drop()
  } catch (error) {
    const failure = noteFailure(deps, context, progress, error)
    if (!deps.settings.get(progress.isCharged ? 'LogConsumeEnabled' : 'ErrorLogEnabled')) progress.copy?.drop()
    const { call, keepAlive } = progress
    if (keepAlive?.hasBegun) writeErrorEvent(context, call, failure)
    else if (isSentInStream(context.format, call, failure)) writeErrorStream(context, call, failure)
    else writeError(context, failure)
  } finally {
    if (progress.call) progress.copy?.keep(progress.call, progress.channel)
  }
}

/** Delivers the first response of a channel; skips routing on a cache hit. */
async function answerReserved(
  deps: RelayDeps,
  { context, caller, progress }: Pick<AdmittedCall, 'context' | 'caller'> & { progress: Progress },
  { call, plan, hold, route }: ReservedCall,
): Promise<void> {
  const warned = withBudgetWarning(context, caller)
  const cacheSlot = caller.isCached ? deps.responseCache.placeOf({ context: warned, caller, call, plan }) : undefined
  const found = cacheSlot && deps.responseCache.find(cacheSlot)
  if (
    found &&
    (await replay(deps, { context: warned, caller, call, plan, hold, isKept: progress.copy !== undefined }, found))
  ) {
    progress.turn?.succeed()
    return
  }
  const recording = cacheSlot && deps.responseCache.recordingFor(call)
  const warnedContext = cacheSlot ? { ...warned, head: { ...warned.head, 'x-switchyard-cache': 'miss' } } : warned
  const keepAlive = keepAliveFor(deps, warnedContext, call)
  progress.keepAlive = keepAlive
  try {
    const answer = await firstAnswer(deps, route, call, { context: warnedContext, caller, progress })
    deps.clientUsage.note(answer.channel.id, plan.group, context.userAgent, context.at)
    if (answer.body.kind !== 'whole') progress.turn?.succeed()
    const { ending, told: vendorError } = await deliver(deps, {
      context: warnedContext,
      caller,
      call,
      plan,
      hold,
      answer,
      attempts: progress.attempts,
      skipped: progress.skipped,
      channelId: answer.channel.id,
      upstreamModel: answer.upstreamModel,
      keepAlive,
      recording,
      isKept: progress.copy !== undefined,
      cacheKey: cacheSlot,
    })
    // A stream is known to be complete only at its end.
    if (cacheSlot && recording) deps.responseCache.keep(cacheSlot, recording)
    route.delivered(ending, vendorError)
    progress.turn?.succeed()
  } catch (error) {
    if (error instanceof UpstreamError && error.isBilled && progress.channel) {
      const { attempts, skipped, channel, copy } = progress
      const request = { caller, call, plan, attempts, skipped, channelId: channel.id, upstreamModel: call.model }
      const undelivered = { ...request, context: warnedContext, isKept: copy !== undefined }
      await (error instanceof OversizeAnswer
        ? settleUnread(deps, undelivered, hold, error.usage)
        : settleUndelivered(deps, undelivered, hold))
      progress.isCharged = true
    }
    throw error
  } finally {
    recording?.drop()
    keepAlive?.stop()
  }
}

/** Tries channels in order until one responds; throws the reason if none does. */
async function firstAnswer(
  deps: RelayDeps,
  route: Route,
  call: Call,
  { context, caller, progress }: Pick<AdmittedCall, 'context' | 'caller' | 'progress'>,
): Promise<Answer> {
  for (let channel = route.next(); channel; channel = route.next()) {
    route.begin(channel)
    progress.copy ??= deps.keptBodies.begin(context, caller, channel)
    try {
      const answer = await withCallTimeout(deps, context, (timed) =>
        send(deps, channel, call, { context: timed, accountId: caller.account.id }),
      )
      route.answered(channel)
      return answer
    } catch (error) {
      if (!(await route.failed(channel, error, context))) throw error
    }
  }
  throw route.refusal()
}
