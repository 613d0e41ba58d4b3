import { GatewayError } from '../../../base/errors.ts'
import { randomFraction } from '../../../base/ids.ts'
import type { ActiveChannel } from '../../../channels/active-channel.ts'
import { mappedModel } from '../../../channels/model-name.ts'
import { pick } from '../../../channels/picker.ts'
import { noChannel, type Plan } from '../../admit.ts'
import type { Arrival } from '../../arrival.ts'
import { withoutSecrets } from '../../error-body.ts'
import { providerFor } from '../../providers/index.ts'
import type { Attempt } from '../../record.ts'
import type { RelayDeps } from '../../relay.ts'
import type { Call } from '../../understand.ts'
import { isRetryable, UpstreamError } from '../../upstream-error.ts'
import { dial } from '../dial.ts'

/** What became of the channels so far; the log row of a failure is made of it. */
export type Tried = { attempts: Attempt[]; channel?: ActiveChannel }

/** Milliseconds for a connection, and for its handshake. */
const DIAL_MS = 10_000

/**
 * Opens a session with the first channel that takes it: best priority first, none twice, at most 1 + RetryTimes
 * (spec/relay.md §4.2, §4.4). Nothing has been said by then, so any failure may go to the next one.
 */
export async function firstSession(deps: RelayDeps, arrival: Arrival, call: Call, plan: Plan, tried: Tried) {
  const asked = new Set<number>()
  const tries = plan.forced ? 1 : deps.settings.get('RetryTimes') + 1
  let last: unknown
  while (tried.attempts.length < tries) {
    const channel = plan.forced && asked.size === 0 ? plan.forced : pick(plan.tiers, asked, randomFraction)
    if (!channel) break
    asked.add(channel.id)
    if (channel.baseUrl === '' || !providerFor(channel.typeName)?.paths.realtime) continue
    tried.channel = channel
    try {
      const opened = await openSession(deps, arrival, call, channel)
      tried.attempts.push({ channel: channel.id })
      return { ...opened, channel }
    } catch (error) {
      last = error
      tried.attempts.push(attemptOf(channel, error))
      if (arrival.patience.over || !(error instanceof UpstreamError)) throw error
      await report(deps, channel, error)
      if (!isRetryable(error, channel.type)) break
    }
  }
  throw last ?? noChannel(call.model, plan.group)
}

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
  try {
    return {
      upstream: await dial({ address, headers, proxy, waitMs: DIAL_MS, patience: arrival.patience }),
      upstreamModel,
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const status = channel.statusMapping.get(error.status)
    if (status === undefined || error.transport) throw error
    throw new UpstreamError(status, error.message, {
      body: error.body && { ...error.body },
      retryAfter: error.retryAfter,
    })
  }
}

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
