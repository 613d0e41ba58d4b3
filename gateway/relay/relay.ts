import type { Clock } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import type { UpstreamSeen } from '../channels/health/client-usage.ts'
import type { ModelTurn } from '../limits/model-rates.ts'
import type { Settings } from '../settings/settings.ts'
import { type AdmitDeps, admitCall, admitCaller, type Plan } from './admission/admit.ts'
import type { Answer } from './model/answer.ts'
import type { Arrival } from './model/request-context.ts'
import type { BodyMemory } from './intake/body-memory.ts'
import { type LimitDeps, withinLimit } from './upstream/call-timeout.ts'
import { conversationKey } from './routing/affinity-key.ts'
import { type DeliverDeps, deliver } from './delivery/deliver.ts'
import { shown, withoutSecrets, writeError, writeErrorEvent } from './delivery/error-body.ts'
import type { FailureLog } from './metering/failure-log.ts'
import type { Caller } from './admission/identify.ts'
import { type KeepAlive, keepAliveFor } from './delivery/keep-alive.ts'
import { enterGate, type GateDeps, warned } from './admission/rate-gate.ts'
import { measured } from './admission/exact-prompt.ts'
import { withAffordable } from './admission/output-limit.ts'
import { failureRow, type Story } from './metering/log-row.ts'
import { type ReserveDeps, reserve } from './admission/reservation.ts'
import { Route, type RouteDeps, type Tried } from './routing/route.ts'
import { type SendDeps, send } from './upstream/send.ts'
import type { SettledCalls } from './metering/settled-calls.ts'
import { isReferring, pinned, recall } from './stored/recall.ts'
import type { StoredResponses } from './stored/stored-responses.ts'
import type { Found } from './intake/surface.ts'
import type { Sweep } from './delivery/stream-supervisor.ts'
import { type Call, understand } from './intake/parse.ts'
import { UpstreamError } from './upstream/upstream-error.ts'
import type { WordGuard } from './content-filter/word-guard.ts'

export type RelayDeps = AdmitDeps &
  SendDeps &
  RouteDeps &
  DeliverDeps &
  LimitDeps &
  GateDeps &
  ReserveDeps &
  Readonly<{
    seen: UpstreamSeen
    settings: Settings
    bodies: BodyMemory
    sweep: Sweep
    settled: SettledCalls
    failures: FailureLog
    stored: StoredResponses
    words: WordGuard
    clock: Clock
    log: Logger
  }>

/** Who asks, with the channel suffix of the key where one was sent. */
export type Asker = Readonly<{ caller: Caller; suffix: string | null }>

/** What is known of a request so far; the log row of a failure is made of it. */
type Progress = Tried & {
  call?: Call
  plan?: Plan
  turn?: ModelTurn | undefined
  keepAlive?: KeepAlive | undefined
}

/**
 * The whole life of a relayed request: who asks, what for, may they, quota set aside, a channel asked, the answer sent
 * on and charged. Never throws: whatever goes wrong is told to the caller in its dialect and written down.
 */
export async function relay(
  deps: RelayDeps,
  arrival: Arrival,
  surface: Found,
  identify: () => Asker | Promise<Asker>,
): Promise<void> {
  const progress: Progress = { attempts: [], skipped: [] }
  let asker: Asker | undefined
  try {
    const found = identify()
    asker = found instanceof Promise ? await found : found
    await live(deps, arrival, asker, surface, progress)
  } catch (error) {
    fail(deps, arrival, asker?.caller, progress, error)
  }
}

async function live(
  deps: RelayDeps,
  arrival: Arrival,
  { caller, suffix }: Asker,
  found: Found,
  progress: Progress,
): Promise<void> {
  admitCaller(deps, caller, arrival, suffix)
  progress.turn = enterGate(deps, caller)
  const understood = await understand(deps.bodies, arrival, found)
  progress.call = understood
  const { call, home } = isReferring(understood)
    ? await recall(deps.stored, caller, understood)
    : { call: understood, home: null }
  const admitted = pinned(admitCall(deps, caller, call, suffix), home)
  progress.plan = admitted
  const checked = deps.words.checkPrompt(understood.json, call.format, arrival.requestId)
  if (checked) await checked
  if (caller.limits?.isReady === false) await caller.limits.prepare()
  const reserved = { plan: admitted, hold: reserve(deps, arrival, caller, admitted) }
  const isShort = reserved.hold.quota < admitted.hold
  const { plan, hold } = isShort ? await measured(deps, arrival, caller, call, reserved) : reserved
  const affordable = withAffordable(call, plan, hold)
  const route = new Route(deps, affordable, plan, progress, conversationKey(arrival, caller, call, plan.group))
  try {
    caller.limits?.admit()
    const told = warned(arrival, caller)
    progress.keepAlive = keepAliveFor(deps, told, call)
    const answer = await firstAnswer(deps, route, affordable, told)
    deps.seen.note(answer.channel.id, plan.group, arrival.userAgent, arrival.at)
    if (answer.body.kind !== 'whole') progress.turn?.succeed()
    const ending = await deliver(deps, {
      arrival: told,
      caller,
      call: affordable,
      plan,
      hold,
      answer,
      attempts: progress.attempts,
      skipped: progress.skipped,
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
async function firstAnswer(deps: RelayDeps, route: Route, call: Call, arrival: Arrival): Promise<Answer> {
  for (let channel = route.next(); channel; channel = route.next()) {
    route.begin(channel)
    try {
      const answer = await withinLimit(deps, arrival, (limited) => send(deps, channel, call, limited))
      route.answered(channel)
      return answer
    } catch (error) {
      if (!(await route.failed(channel, error, arrival))) throw error
    }
  }
  throw route.refusal()
}

/** Tells the caller, and writes a type-5 row where somebody is known to have asked for something. */
function fail(deps: RelayDeps, arrival: Arrival, caller: Caller | undefined, progress: Progress, error: unknown): void {
  const { call, plan, channel } = progress
  progress.turn?.fail()
  const gone = arrival.patience.over
  const telling = { requestId: arrival.requestId, locale: arrival.locale, group: plan?.group ?? '', channel }
  const told = shown(error, telling)
  const failure = gone
    ? { status: 499, code: 'client_gone', message: 'the caller hung up' }
    : { status: told.status, code: String(told.error.code || 'error'), message: told.error.message }
  const isFolded = caller && call && !writeDown(deps, arrival, { caller, call }, progress, failure)
  if (!gone && !isFolded) logFailure(deps, arrival, channel, told.status, error)
  if (progress.keepAlive?.hasBegun) writeErrorEvent(arrival, told)
  else writeError(arrival, told)
}

type Known = Readonly<{ caller: Caller; call: Call }>
type Failure = Readonly<{ status: number; code: string; message: string }>

/** False where the row was folded into those of failures like it. */
function writeDown(
  deps: RelayDeps,
  arrival: Arrival,
  { caller, call }: Known,
  { plan, channel, attempts, skipped }: Progress,
  { status, code, message }: Failure,
): boolean {
  const story: Story = {
    arrival,
    caller,
    call,
    group: plan?.group ?? caller.tokenGroup,
    attempts,
    skipped,
    channelId: channel?.id ?? 0,
    upstreamModel: '',
    firstByteMs: -1000,
    tookMs: deps.clock.monotonic() - arrival.startedMs,
  }
  return deps.failures.note(failureRow(story, status, code, message), code)
}

/** Faults of our own, and what a vendor said; not what the caller did wrong. */
function logFailure(
  { log }: RelayDeps,
  { requestId }: Arrival,
  channel: Progress['channel'],
  status: number,
  error: unknown,
): void {
  if (status === 500 && !(error instanceof GatewayError) && !(error instanceof UpstreamError))
    log.error('relay failed', { requestId, error })
  else if (error instanceof UpstreamError)
    log.warn('upstream refused', {
      requestId,
      channel: channel?.id,
      status: error.status,
      said: withoutSecrets(error.message, channel),
    })
}
