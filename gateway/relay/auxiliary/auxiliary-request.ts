import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { UpstreamReply } from '../model/answer.ts'
import type { Endpoint } from '../model/endpoint.ts'
import type { RequestContext } from '../model/request-context.ts'
import { providerFor } from '../providers/index.ts'
import type { Target } from '../providers/provider.ts'
import type { RelayDeps } from '../relay.ts'
import { errorText, transportError } from '../upstream/gather.ts'
import { callUpstream } from '../upstream/upstream-call.ts'
import { readError, UpstreamError } from '../upstream/upstream-error.ts'

/** An uncharged request to a channel's vendor; `path` builds the URL. */
type AuxiliaryRequest = Readonly<{
  channel: ActiveChannel
  endpoint: Endpoint
  /** The upstream's name of the model; empty if the request is not about one. */
  model: string
  method: 'GET' | 'POST' | 'DELETE'
  path: (target: Target) => string | undefined
  body?: Buffer
}>

/** Sends the request once. Throws `UpstreamError` unless the response is good. */
export async function sendAuxiliary(
  deps: RelayDeps,
  context: RequestContext,
  request: AuxiliaryRequest,
): Promise<UpstreamReply> {
  const { channel, model, endpoint, method, body } = request
  const { headers: clientHeaders } = context.request
  const rest = {
    clientHeaders,
    query: context.query,
    geminiVersion: deps.geminiVersion,
    claudeHeaders: deps.claudeHeaders,
    accessTokens: deps.accessTokens,
  }
  const target: Target = { channel, model, endpoint, stream: false, ...rest }
  const url = deps.pools.urlParts(request.path(target) ?? '')
  if (!url) throw new UpstreamError(502, 'the address of the channel is not valid', { transport: true })
  const headers = {
    ...(body ? { 'content-type': 'application/json' } : {}),
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': deps.userAgent,
    ...providerFor(channel.typeName)?.headers(target),
  }
  const { origin, path } = url
  const options = { origin, path, method, headers, body: body ?? null, ...deps.pools.waits } as const
  const pool = await deps.pools.for(origin, channel.setting.proxy)
  const reply = await callUpstream(pool, options, context.cancellation).catch((cause: unknown) => {
    throw transportError(cause)
  })
  if (reply.status >= 200 && reply.status <= 299) return reply
  throw readError(channel.statusMapping.get(reply.status) ?? reply.status, await errorText(reply))
}
