import type { WebSocket } from 'ws'
import { GatewayError, refuse } from '../../../base/errors.ts'
import { randomFraction } from '../../../base/ids.ts'
import type { ActiveChannel } from '../../../channels/active-channel.ts'
import { mappedModel } from '../../../channels/model-name.ts'
import { pick } from '../../../channels/picker.ts'
import { noChannel, type Plan } from '../../admit.ts'
import type { Arrival } from '../../arrival.ts'
import { withoutSecrets } from '../../error-body.ts'
import type { Patience } from '../../patience.ts'
import { providerFor } from '../../providers/index.ts'
import type { Attempt, Skipped } from '../../record.ts'
import type { RelayDeps } from '../../relay.ts'
import type { Call } from '../../understand.ts'
import { isRetryable, UpstreamError } from '../../upstream-error.ts'
import { dial } from '../dial.ts'
import { type Early, greeting } from './greeting.ts'

/** What became of the channels so far; the log row of a failure is made of it. */
export type Tried = { attempts: Attempt[]; skipped: Skipped[]; channel?: ActiveChannel }

/** Milliseconds for a connection, and for its handshake. */
const DIAL_MS = 10_000

/**
 * Opens a session with the first channel that takes it: best priority first, none twice, at most 1 + RetryTimes
 * (spec/relay.md §4.2, §4.4). Nothing has been said by then, so any failure may go to the next one.
 */
export async function firstSession(deps: RelayDeps, arrival: Arrival, call: Call, plan: Plan, tried: Tried) {
  const tries = plan.forced ? 1 : deps.settings.get('RetryTimes') + 1
  let last: unknown
  for (const channel of candidates(deps, call.model, plan, tried)) {
    if (tried.attempts.length >= tries) break
    tried.channel = channel
    deps.rests.asked(channel.id, call.model)
    try {
      const opened = await openSession(deps, arrival, call, channel)
      deps.rests.served(channel.id, call.model)
      tried.attempts.push({ channel: channel.id })
      return { ...opened, channel }
    } catch (error) {
      last = error
      deps.rests.failed(channel.id, call.model, error instanceof UpstreamError ? error : NO_SETBACK)
      tried.attempts.push(attemptOf(channel, error))
      if (arrival.patience.over || !(error instanceof UpstreamError)) throw error
      await report(deps, channel, error)
      if (!isRetryable(error, channel.type)) break
    }
  }
  throw last ?? noneLeft(tried.skipped, call.model, plan.group)
}

/** What went wrong was not the channel's doing. */
const NO_SETBACK = { status: 0, transport: false } as const

/** The channels that offer sessions, those that rest passed over; of these, what was only failing comes last. */
function* candidates({ rests }: RelayDeps, model: string, { forced, tiers }: Plan, { skipped }: Tried) {
  const seen = new Set<number>()
  const failing: ActiveChannel[] = []
  const next = () => (forced && seen.size === 0 ? forced : pick(tiers, seen, randomFraction))
  for (let channel = next(); channel; channel = next()) {
    seen.add(channel.id)
    if (channel.baseUrl === '' || !providerFor(channel.typeName)?.paths.realtime) continue
    const rest = forced ? undefined : rests.of(channel.id, model)
    if (!rest) yield channel
    else if (rest.kind === 'failing') failing.push(channel)
    if (rest) skipped.push({ channel: channel.id, status: rest.status, seconds: rest.seconds })
  }
  yield* failing
}

/** Nobody to ask: none at all, or all have said when to come back. */
function noneLeft(skipped: readonly Skipped[], model: string, group: string): GatewayError {
  if (skipped.length === 0) return noChannel(model, group)
  const retryAfterSeconds = Math.min(...skipped.map(({ seconds }) => seconds))
  return refuse('limited', 'relay.saturated', { group }, { code: 'channels_saturated', retryAfterSeconds })
}

/** Opens a session with one channel; throws `UpstreamError` for everything that is none. */
async function openSession(deps: RelayDeps, arrival: Arrival, call: Call, channel: ActiveChannel) {
  const provider = providerFor(channel.typeName)
  const upstreamModel = mappedModel(call.model, channel.modelMapping)
  const { request, query } = arrival
  const { geminiVersion, passes } = deps
  const asked = { model: upstreamModel, endpoint: 'realtime', stream: true, client: request.headers, query } as const
  const target = { channel, ...asked, geminiVersion, passes }
  const address = provider?.paths.realtime?.(target) ?? ''
  const headers = { 'user-agent': deps.userAgent, ...provider?.headers(target) }
  const { proxy } = channel.setting
  const { patience } = arrival
  try {
    const upstream = await dial({ address, headers, proxy, waitMs: DIAL_MS, patience })
    return { upstream, early: await greeted(upstream, patience), upstreamModel }
  } catch (error) {
    throw error instanceof UpstreamError ? mapped(error, channel) : error
  }
}

/** What the upstream says first, as long as the caller waits for it. */
async function greeted(upstream: WebSocket, patience: Patience): Promise<Early> {
  patience.listener = { abandon: () => upstream.terminate() }
  try {
    return await greeting(upstream)
  } catch (error) {
    upstream.terminate()
    throw error
  } finally {
    patience.listener = undefined
  }
}

/** The same error under the status that counts for the channel (spec/relay.md §4.5). */
function mapped(error: UpstreamError, { statusMapping }: ActiveChannel): UpstreamError {
  const status = statusMapping.get(error.status)
  if (status === undefined || error.transport) return error
  const { message, body, retryAfter } = error
  return new UpstreamError(status, message, { body: body && { ...body }, retryAfter })
}

/** Tells of a refusal that may take the channel out of service (spec/relay.md §4.6). */
async function report({ health }: RelayDeps, channel: ActiveChannel, error: UpstreamError): Promise<void> {
  if (error.transport) return
  const { status, code, type } = error
  await health.report(channel, { status, code, type, message: withoutSecrets(error.message, channel) })
}

const attemptOf = (channel: ActiveChannel, error: unknown): Attempt => {
  if (error instanceof UpstreamError)
    return { channel: channel.id, status: error.status, reason: withoutSecrets(error.message, channel).slice(0, 300) }
  return error instanceof GatewayError ? { channel: channel.id, status: error.status } : { channel: channel.id }
}
