import type { Codecs } from './codecs.ts'
import type { Wire } from '../formats/codec.ts'
import type { Format } from '../formats/format.ts'
import type { Provider } from '../providers/provider.ts'
import { type ConversationEndpoint, conversationFormat, type Endpoint } from '../intake/surface.ts'

/** Where a conversation in one dialect is taken when the vendor does not speak it: the dialect that loses least first. */
const detours: Readonly<Record<Format, readonly TalkEndpoint[]>> = {
  openai: ['messages', 'generate', 'responses', 'own'],
  responses: ['chat', 'messages', 'generate', 'own'],
  anthropic: ['chat', 'generate', 'responses', 'own'],
  gemini: ['chat', 'messages', 'responses', 'own'],
}

/** Gemini's embeddings are asked for in OpenAI's form where the vendor does not have them (`adaptation/embedding-shapes.ts`). */
const embeddings: readonly Endpoint[] = ['embed-content', 'batch-embed-contents']

/**
 * The endpoint of the vendor that answers a call for `endpoint`: the same, else one it can be converted for; undefined
 * when there is none. `model` is the upstream's name.
 */
export function wayTo(provider: Provider | undefined, endpoint: Endpoint, model: string): Endpoint | undefined {
  if (!provider) return undefined
  if (isOffered(provider, endpoint, model)) return endpoint
  if (embeddings.includes(endpoint)) return isOffered(provider, 'embeddings', model) ? 'embeddings' : undefined
  return isConversation(endpoint)
    ? detours[conversationFormat[endpoint]].find((way) => isOffered(provider, way, model))
    : undefined
}

const isOffered = ({ paths, offers }: Provider, endpoint: Endpoint, model: string): boolean =>
  paths[endpoint] !== undefined && (offers === undefined || offers(endpoint, model))

/** Whether an endpoint is a conversation in one of the dialects, which can be converted. */
export const isConversation = (endpoint: Endpoint): endpoint is ConversationEndpoint => endpoint in conversationFormat

/** A conversation in whatever wire. */
export type TalkEndpoint = ConversationEndpoint | 'own'

/** Whether an upstream is talked to, in one of the dialects or in a wire of its own. */
export const isTalk = (endpoint: Endpoint): endpoint is TalkEndpoint => endpoint === 'own' || isConversation(endpoint)

/** How an upstream is spoken to at an endpoint; undefined where that is no conversation. */
export function wireOf(codecs: Codecs, provider: Provider | undefined, way: Endpoint): Wire | undefined {
  if (way === 'own') return provider?.wire
  return isConversation(way) ? codecs[conversationFormat[way]] : undefined
}
