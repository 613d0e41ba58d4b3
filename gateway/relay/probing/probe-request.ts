import { channelTypes } from '../../../shared/channel-types.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { ProbeCall } from '../../channels/testing/probe.ts'
import type { Settings } from '../../settings/settings.ts'
import { type AdaptedCall, adaptToChannel } from '../adaptation/adapt-to-channel.ts'
import { bridgedRequest } from '../adaptation/bridging.ts'
import { convert, writtenFor } from '../adaptation/convert.ts'
import { NO_CACHING } from '../adaptation/prompt-cache.ts'
import { upstreamBody } from '../adaptation/upstream-body.ts'
import { UNCHANGED, vendorEdits } from '../adaptation/vendor-edits.ts'
import type { Json } from '../formats/codec.ts'
import type { Conversation } from '../formats/conversation.ts'
import { callFrom, jsonBody } from '../intake/parse.ts'
import type { Cancellation } from '../model/cancellation.ts'
import { type Endpoint, isTalk, type RelayRoute } from '../model/endpoint.ts'
import { gatewayCallDefaults, type Provider, type Target } from '../providers/provider.ts'
import type { DialectRuntime } from '../upstream/dialect-runtime.ts'
import { wireOf } from '../upstream/upstream-endpoint.ts'

export type ProbeRequestDeps = DialectRuntime & Readonly<{ settings: Pick<Settings, 'get'> }>

/** A test request to a vendor; `unconverted` is the request before its conversion to the vendor's shape. */
type ProbeRequest = Readonly<{ target: Target; bytes: Buffer; unconverted: Json }>

type ProbeTarget = Readonly<{
  provider: Provider
  channel: ActiveChannel
  upstreamEndpoint: Endpoint
  cancellation: Cancellation
}>

/**
 * Writes a test request as the relay writes a caller's: with the suffix options of the model's name, the channel's
 * instructions and overrides, in the vendor's dialect. Throws refusals for what the vendor does not support.
 */
export async function probeRequest(deps: ProbeRequestDeps, over: ProbeTarget, probe: ProbeCall): Promise<ProbeRequest> {
  const { provider, channel, upstreamEndpoint } = over
  const { settings, geminiVersion, claudeHeaders, accessTokens } = deps
  const passThrough = () => settings.get('global.pass_through_request_enabled')
  const call = await callFrom({ route: routeOf(probe) }, await bodyOf(probe))
  const adapted = await adaptToChannel(
    { settings, passThrough },
    { provider, channel, call, upstreamEndpoint, name: probe.model, isUnconverted: upstreamEndpoint === call.endpoint },
  )
  const { model } = adapted.suffix
  const { stream } = call
  const target = {
    channel,
    model,
    requestedModel: probe.requestedModel ?? probe.model,
    endpoint: upstreamEndpoint,
    stream,
    ...gatewayCallDefaults,
    geminiVersion,
    claudeHeaders,
    accessTokens,
  }
  return { target, bytes: await written(deps, over, adapted, target), unconverted: call.json }
}

const routeOf = ({ endpoint }: ProbeCall): RelayRoute => ({
  format: endpoint === 'responses' ? 'responses' : 'openai',
  endpoint,
  playground: false,
})

const bodyOf = ({ body, model }: ProbeCall) => jsonBody(Buffer.from(JSON.stringify({ ...body, model })))

async function written(
  deps: ProbeRequestDeps,
  { provider, channel, upstreamEndpoint, cancellation }: ProbeTarget,
  { call, named, suffix, passThrough, isUntouched }: AdaptedCall,
  adapted: Target,
): Promise<Buffer> {
  const { model } = suffix
  const requestsUsage = channelTypes[channel.typeName].streamOptions
  const bridge = provider.bridges?.[upstreamEndpoint]
  if (bridge && !isTalk(upstreamEndpoint)) return (await bridgedRequest(call, adapted, bridge)).bytes
  const vendor = { provider, target: adapted, named }
  const wire = wireOf(deps.codecs, provider, upstreamEndpoint)
  if (upstreamEndpoint === call.endpoint || !isTalk(upstreamEndpoint) || !wire) {
    const { edits } = passThrough ? UNCHANGED : vendorEdits(vendor, call.json, suffix.edits)
    const traits = { model, requestsUsage, passThrough, isUntouched, edits }
    return (await upstreamBody(call, channel, traits)).bytes
  }
  const target = writtenFor(deps, provider, adapted)
  const withMedia = async (conversation: Conversation) => conversation
  const destination = {
    upstreamEndpoint,
    takesUrls: provider.fetchesImageUrls ?? true,
    accountId: 0,
    cancellation,
    memory: undefined,
  }
  const { bytes } = await convert(
    { codecs: deps.codecs, withMedia },
    { call, vendor, mediaTarget: destination, wire, target, adapt: suffix.adapt, caching: NO_CACHING },
  )
  return bytes
}
