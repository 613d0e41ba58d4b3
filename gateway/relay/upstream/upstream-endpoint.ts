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

/** Where a conversation in one dialect is taken when the vendor does not speak it: the dialect that loses least first. */
const fallbacks: Readonly<Record<Format, readonly TalkEndpoint[]>> = {
  openai: ['messages', 'generate', 'responses', 'own'],
  responses: ['chat', 'messages', 'generate', 'own'],
  anthropic: ['chat', 'generate', 'responses', 'own'],
  gemini: ['chat', 'messages', 'responses', 'own'],
}

/**
 * The endpoint of a channel's vendor at which a call is asked: in the API format that the channel says or the model needs
 * (docs/reference/conversion.md#chat-or-responses), else as `upstreamEndpointFor`. `name` is the upstream's name of the
 * model. A body that passes as it is stays in its caller's format unless the channel says otherwise.
 */
export function endpointAt(
  channel: ActiveChannel,
  call: Pick<Call, 'endpoint' | 'json' | 'model'>,
  { name, passThrough }: Readonly<{ name: string; passThrough: () => boolean }>,
): Endpoint | undefined {
  const provider = providerFor(channel.typeName)
  const { endpoint } = call
  if (!provider?.apiFormatOf || !isConversation(endpoint)) return upstreamEndpointFor(provider, endpoint, name)
  const { api_format: said, pass_through_body_enabled: isUntouched } = channel.setting
  if (said !== 'auto') return upstreamEndpointFor(provider, endpoint, name, said)
  const rule = provider.apiFormatOf(name) ?? (provider.namesDeployments ? provider.apiFormatOf(call.model) : undefined)
  if (rule === undefined) return upstreamEndpointFor(provider, endpoint, name)
  const effort = channel.paramOverride?.reasoning_effort ?? effortInName(name)
  const needed = formatUnder(rule, { endpoint, json: call.json }, effort)
  const stays = needed !== undefined && isOffered(provider, endpoint, name) && (isUntouched || passThrough())
  return upstreamEndpointFor(provider, endpoint, name, stays ? undefined : needed)
}

/**
 * The endpoint of the vendor that answers a call for `endpoint`: in the format that is wanted, where it has that, else
 * the same, else one it can be converted for; undefined when there is none. `model` is the upstream's name.
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

/** How an upstream is spoken to at an endpoint; undefined where that is no conversation. */
export function wireOf(codecs: Codecs, provider: Provider | undefined, upstreamEndpoint: Endpoint): Wire | undefined {
  if (upstreamEndpoint === 'own') return provider?.wire
  return isConversation(upstreamEndpoint) ? codecs[conversationFormat[upstreamEndpoint]] : undefined
}
