import type { Clock } from '../base/clock.ts'
import { GatewayError, refuse } from '../base/errors.ts'
import { randomFraction } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import type { Hold, Ledger } from '../billing/ledger.ts'
import type { ActiveChannel } from '../channels/active-channel.ts'
import type { Affinity } from '../channels/affinity.ts'
import type { ChannelHealth } from '../channels/health.ts'
import { pick } from '../channels/picker.ts'
import type { Rest, Rests } from '../channels/rests.ts'
import type { UpstreamSeen } from '../channels/seen.ts'
import type { Settings } from '../settings/settings.ts'
import { type AdmitDeps, admitCall, admitCaller, type Plan } from './admit.ts'
import type { Answer } from './answer.ts'
import type { Arrival } from './arrival.ts'
import { conversationKey } from './conversation-key.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import { shown, withoutSecrets, writeError } from './error-body.ts'
import type { Caller } from './identify.ts'
import { type Attempt, failureRow, type Skipped, type Story } from './record.ts'
import { canAnswer, type SendDeps, send } from './send.ts'
import type { SettledCalls } from './settled-calls.ts'
import { isReferring, pinned, recall } from './stored/recall.ts'
import type { StoredResponses } from './stored/stored-responses.ts'
import type { Found } from './surface.ts'
import type { Sweep } from './sweep.ts'
import { type Call, understand } from './understand.ts'
import { unserved } from './unserved.ts'
import { isRetryable, UpstreamError } from './upstream-error.ts'

export type RelayDeps = AdmitDeps &
  SendDeps &
  DeliverDeps &
  Readonly<{
    ledger: Ledger
    health: ChannelHealth
    rests: Rests
    affinity: Affinity
    seen: UpstreamSeen
    settings: Settings
    sweep: Sweep
    settled: SettledCalls
    stored: StoredResponses
    clock: Clock
    log: Logger
    /** A token was refused because too little, perhaps nothing, is left on it. */
    onShort: (tokenId: number) => void
  }>

/** Who asks, with the channel suffix of the key where one was sent. */
export type Asker = Readonly<{ caller: Caller; suffix: string | null }>

/** What is known of a request so far; the log row of a failure is made of it. */
type Progress = { call?: Call; plan?: Plan; attempts: Attempt[]; skipped: Skipped[]; channel?: Answer['channel'] }

/**
 * The whole life of a relayed request: who asks, what for, may they, quota set aside, a channel asked, the answer sent
 * on and charged. Never throws: whatever goes wrong is told to the caller in its dialect and written down.
 */
export async function relay(
  deps: RelayDeps,
  arrival: Arrival,
  found: Found,
  identify: () => Promise<Asker>,
): Promise<void> {
  const progress: Progress = { attempts: [], skipped: [] }
  let asker: Asker | undefined
  try {
    asker = await identify()
    await live(deps, arrival, asker, found, progress)
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
  const understood = await understand(arrival, found)
  progress.call = understood
  const { call, home } = isReferring(understood)
    ? await recall(deps.stored, caller, understood)
    : { call: understood, home: null }
  const plan = pinned(admitCall(deps, caller, call, suffix), home)
  progress.plan = plan
  const hold = holdFor(deps, arrival, caller, plan)
  try {
    const key = conversationKey(arrival, caller, call, plan.group)
    const answer = await firstAnswer(deps, arrival, call, plan, progress, key)
    progress.channel = answer.channel
    if (key !== undefined) deps.affinity.served(key, answer.channel.id)
    deps.seen.note(answer.channel.id, plan.group, arrival.userAgent, arrival.at)
    await deliver(deps, {
      arrival,
      caller,
      call,
      plan,
      hold,
      answer,
      attempts: progress.attempts,
      skipped: progress.skipped,
    })
  } finally {
    hold.release()
  }
}

function holdFor(deps: RelayDeps, { requestId }: Arrival, caller: Caller, plan: Plan): Hold {
  try {
    return deps.ledger.hold({ requestId, userId: caller.account.id, tokenId: caller.tokenId, quota: plan.hold })
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'pre_consume_token_quota_failed') deps.onShort(caller.tokenId)
    throw error
  }
}

/**
 * Asks channels until one answers: best priority first, none twice, at most 1 + RetryTimes (spec/relay.md §4.2, §4.4).
 * Channels that rest are passed over; those that were only failing are asked when nothing else is left.
 */
async function firstAnswer(
  deps: RelayDeps,
  arrival: Arrival,
  call: Call,
  plan: Plan,
  progress: Progress,
  conversation: string | undefined,
): Promise<Answer> {
  const seen = new Set<number>()
  const failing: ActiveChannel[] = []
  const tries = plan.forced ? 1 : deps.settings.get('RetryTimes') + 1
  let limited: Rest | undefined
  let last: unknown
  while (progress.attempts.length < tries) {
    const first = seen.size === 0 ? (plan.forced ?? familiar(deps, plan, conversation)) : undefined
    const fresh = first ?? pick(plan.tiers, seen, randomFraction)
    const channel = fresh ?? failing.shift()
    if (!channel) break
    if (fresh) {
      seen.add(channel.id)
      if (!canAnswer(deps, channel, call)) continue
      const rest = plan.forced ? undefined : deps.rests.of(channel.id, call.model)
      if (rest) {
        progress.skipped.push({ channel: channel.id, status: rest.status, seconds: rest.seconds })
        if (rest.kind === 'failing') failing.push(channel)
        else if (!limited || rest.seconds < limited.seconds) limited = rest
        continue
      }
    }
    progress.channel = channel
    deps.rests.asked(channel.id, call.model)
    try {
      const answer = await send(deps, channel, call, arrival)
      deps.rests.served(channel.id, call.model)
      progress.attempts.push({ channel: channel.id })
      return answer
    } catch (error) {
      last = error
      deps.rests.failed(channel.id, call.model, error instanceof UpstreamError ? error : NO_SETBACK)
      if (isRefusal(error)) continue
      progress.attempts.push(attemptOf(channel, error))
      if (arrival.patience.over || !(error instanceof UpstreamError)) throw error
      const { status, code, type } = error
      const message = withoutSecrets(error.message, channel)
      if (!error.transport) await deps.health.report(channel, { status, code, type, message })
      if (!isRetryable(error, channel.type)) break
    }
  }
  throw last ?? (limited ? saturated(plan.group, limited) : unserved(plan, call))
}

/** The channel that served the conversation before. */
const familiar = (deps: RelayDeps, { tiers }: Plan, conversation: string | undefined): ActiveChannel | undefined =>
  conversation === undefined ? undefined : deps.affinity.preferred(conversation, tiers)

/** What went wrong was not the channel's doing. */
const NO_SETBACK = { status: 0, transport: false } as const

/** Every channel that could be asked has said when to come back. */
const saturated = (group: string, { seconds, status }: Rest): GatewayError =>
  refuse(
    status === 429 ? 'limited' : 'unavailable',
    'relay.saturated',
    { group },
    { code: 'channels_saturated', retryAfterSeconds: seconds },
  )

/** What one channel's dialect cannot be told another's may be: nobody was asked yet. */
const isRefusal = (error: unknown): boolean => error instanceof GatewayError && error.code === 'convert_request_failed'

const attemptOf = (channel: Answer['channel'], error: unknown): Attempt =>
  error instanceof UpstreamError
    ? { channel: channel.id, status: error.status, reason: withoutSecrets(error.message, channel).slice(0, 300) }
    : { channel: channel.id }

/** Tells the caller, and writes a type-5 row where somebody is known to have asked for something. */
function fail(deps: RelayDeps, arrival: Arrival, caller: Caller | undefined, progress: Progress, error: unknown): void {
  const { call, plan, channel, attempts, skipped } = progress
  const gone = arrival.patience.over
  const telling = { requestId: arrival.requestId, locale: arrival.locale, group: plan?.group ?? '', channel }
  const told = shown(error, telling)
  if (!gone && told.status === 500 && !(error instanceof GatewayError) && !(error instanceof UpstreamError))
    deps.log.error('relay failed', { requestId: arrival.requestId, error })
  else if (error instanceof UpstreamError && !gone)
    deps.log.warn('upstream refused', {
      requestId: arrival.requestId,
      channel: channel?.id,
      status: error.status,
      said: withoutSecrets(error.message, channel),
    })
  if (caller && call && deps.settings.get('ErrorLogEnabled')) {
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
    const status = gone ? 499 : told.status
    deps.ledger.note(
      failureRow(
        story,
        status,
        gone ? 'client_gone' : String(told.error.code || 'error'),
        gone ? 'the caller hung up' : told.error.message,
      ),
    )
  }
  writeError(arrival, told)
}
