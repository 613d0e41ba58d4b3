import type { WebSocket } from 'ws'
import type { ActiveChannel } from '../../../channels/registry/active-channel.ts'
import { mappedModel } from '../../../channels/registry/model-name.ts'
import type { Call } from '../../model/call.ts'
import type { Cancellation } from '../../model/cancellation.ts'
import type { RequestContext } from '../../model/request-context.ts'
import { providerFor } from '../../providers/index.ts'
import type { RelayDeps } from '../../relay.ts'
import type { Route } from '../../routing/route.ts'
import { dial } from '../../upstream/dial.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { Early } from './greeting.ts'

/** Starts a session with a connected upstream, under its name of the model, and waits for its first message. */
type Greet = (upstream: WebSocket, upstreamModel: string, channel: ActiveChannel) => Promise<Early>

const DIAL_MS = 10_000

/**
 * Opens a session on the first channel that accepts it. The caller has received nothing by then, so after a failure the
 * next channel may be tried.
 */
export async function firstSession(deps: RelayDeps, route: Route, context: RequestContext, call: Call, greet: Greet) {
  for (let channel = route.next(); channel; channel = route.next()) {
    route.begin(channel)
    try {
      const opened = await openSession(deps, context, { call, greet }, channel)
      route.answered(channel)
      route.delivered('complete')
      return { ...opened, channel }
    } catch (error) {
      if (!(await route.failed(channel, error, context))) throw error
    }
  }
  throw route.refusal()
}

async function openSession(
  deps: RelayDeps,
  context: RequestContext,
  { call, greet }: Readonly<{ call: Call; greet: Greet }>,
  channel: ActiveChannel,
) {
  const provider = providerFor(channel.typeName)
  const upstreamModel = mappedModel(call.model, channel.modelMapping)
  const { request, query } = context
  const { geminiVersion, claudeHeaders, accessTokens } = deps
  const facts = {
    model: upstreamModel,
    endpoint: call.endpoint,
    stream: true,
    clientHeaders: request.headers,
    query,
  } as const
  const target = { channel, ...facts, geminiVersion, claudeHeaders, accessTokens }
  const address = provider?.paths[call.endpoint]?.(target) ?? ''
  const headers = { 'user-agent': deps.userAgent, ...provider?.headers(target) }
  const { proxy } = channel.setting
  const { cancellation } = context
  try {
    const upstream = await dial({ pools: deps.pools, address, headers, proxy, waitMs: DIAL_MS, cancellation })
    return {
      upstream,
      early: await greeted(upstream, cancellation, () => greet(upstream, upstreamModel, channel)),
      upstreamModel,
    }
  } catch (error) {
    throw error instanceof UpstreamError ? mapped(error, channel) : error
  }
}

/** Waits for the upstream's first message; ends the upstream on a failure, or if the caller leaves. */
async function greeted(upstream: WebSocket, cancellation: Cancellation, greet: () => Promise<Early>): Promise<Early> {
  cancellation.listener = { abandon: () => upstream.terminate() }
  try {
    return await greet()
  } catch (error) {
    upstream.terminate()
    throw error
  } finally {
    cancellation.listener = undefined
  }
}

/** The error with the channel's mapped status (docs/reference/selection.md#status-code-mapping). */
function mapped(error: UpstreamError, { statusMapping }: ActiveChannel): UpstreamError {
  const status = statusMapping.get(error.status)
  if (status === undefined || error.transport) return error
  const { message, body, retryAfter } = error
  return new UpstreamError(status, message, { body: body && { ...body }, retryAfter, vendorStatus: error.status })
}
