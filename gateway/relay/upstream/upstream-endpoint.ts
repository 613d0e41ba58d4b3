import { openAiSibling } from '../adaptation/gemini-shapes.ts'
import type { Wire } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Format } from '../formats/format.ts'
import type { TalkEndpoint } from '../model/endpoint.ts'
import { conversationFormat, type Endpoint, isConversation } from '../model/endpoint.ts'
import type { Provider } from '../providers/provider.ts'

/** Where a conversation in one dialect is taken when the vendor does not speak it: the dialect that loses least first. */
const fallbacks: Readonly<Record<Format, readonly TalkEndpoint[]>> = {
  openai: ['messages', 'generate', 'responses', 'own'],
  responses: ['chat', 'messages', 'generate', 'own'],
  anthropic: ['chat', 'generate', 'responses', 'own'],
  gemini: ['chat', 'messages', 'responses', 'own'],
}

/**
 * The endpoint of the vendor that answers a call for `endpoint`: the same, else one it can be converted for; undefined
 * when there is none. `model` is the upstream's name.
 */
export function upstreamEndpointFor(
  provider: Provider | undefined,
  endpoint: Endpoint,
  model: string,
): Endpoint | undefined {
  if (!provider) return undefined
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
