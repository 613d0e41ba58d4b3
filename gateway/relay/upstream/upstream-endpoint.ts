import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import { openAiSibling } from '../adaptation/gemini-shapes.ts'
import { effortInName } from '../adaptation/model-suffix.ts'
import type { ApiFormat } from '../capabilities/chat-models.ts'
import type { Wire } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Format } from '../formats/format.ts'
import type { Call } from '../model/call.ts'
import { conversationFormat, type Endpoint, isConversation, type TalkEndpoint } from '../model/endpoint.ts'
import { providerFor } from '../providers/index.ts'
import type { Provider } from '../providers/provider.ts'
import { formatUnder } from './api-format.ts'

/** Conversions for a dialect that the vendor does not support, the one that loses least first. */
const fallbacks: Readonly<Record<Format, readonly TalkEndpoint[]>> = {
  openai: ['messages', 'generate', 'responses', 'own'],
  responses: ['chat', 'messages', 'generate', 'own'],
  anthropic: ['chat', 'generate', 'responses', 'own'],
  gemini: ['chat', 'messages', 'responses', 'own'],
}

/**
 * The endpoint of a channel's vendor for a call: in the API format that the channel sets or the model needs
 * (docs/reference/conversion.md#chat-or-responses), else as `upstreamEndpointFor` determines. `name` is the upstream's
 * name of the model. A body that passes unchanged stays in its caller's format unless the channel sets another.
 */
export function endpointAt(
  channel: ActiveChannel,
  call: Pick<Call, 'endpoint' | 'json' | 'model'>,
  { name, passThrough }: Readonly<{ name: string; passThrough: () => boolean }>,
): Endpoint | undefined {
  const provider = providerFor(channel.typeName)
  const { endpoint } = call
  if (!provider?.apiFormatOf || !isConversation(endpoint)) return upstreamEndpointFor(provider, endpoint, name)
  const { api_format: apiFormat, pass_through_body_enabled: isUntouched } = channel.setting
  if (apiFormat !== 'auto') return upstreamEndpointFor(provider, endpoint, name, apiFormat)
  const rule = provider.apiFormatOf(name) ?? (provider.namesDeployments ? provider.apiFormatOf(call.model) : undefined)
  if (rule === undefined) return upstreamEndpointFor(provider, endpoint, name)
  const effort = channel.paramOverride?.reasoning_effort ?? effortInName(name)
  const needed = formatUnder(rule, { endpoint, json: call.json }, effort)
  const stays = needed !== undefined && isOffered(provider, endpoint, name) && (isUntouched || passThrough())
  return upstreamEndpointFor(provider, endpoint, name, stays ? undefined : needed)
}

/**
 * The vendor's endpoint for a call: in the required format if the vendor has it, else the same endpoint, else one that
 * the call can be converted to; undefined if there is none. `model` is the upstream's name.
 */
export function upstreamEndpointFor(
  provider: Provider | undefined,
  endpoint: Endpoint,
  model: string,
  wanted?: ApiFormat,
): Endpoint | undefined {
  if (!provider) return undefined
  if (wanted && isConversation(endpoint) && isOffered(provider, wanted, model)) return wanted
  if (isOffered(provider, endpoint, model)) return endpoint
  const sibling = openAiSibling[endpoint]
  if (sibling) return isOffered(provider, sibling, model) ? sibling : undefined
  return isConversation(endpoint)
    ? fallbacks[conversationFormat[endpoint]].find((upstreamEndpoint) => isOffered(provider, upstreamEndpoint, model))
    : undefined
}

const isOffered = ({ paths, supports }: Provider, endpoint: Endpoint, model: string): boolean =>
  paths[endpoint] !== undefined && (supports === undefined || supports(endpoint, model))

/** The wire of an upstream endpoint; undefined if it is not a conversation. */
export function wireOf(codecs: Codecs, provider: Provider | undefined, upstreamEndpoint: Endpoint): Wire | undefined {
  if (upstreamEndpoint === 'own') return provider?.wire
  return isConversation(upstreamEndpoint) ? codecs[conversationFormat[upstreamEndpoint]] : undefined
}
