import type { Format } from './formats/format.ts'
import type { Provider } from './providers/provider.ts'
import { type ConversationEndpoint, conversationFormat, type Endpoint } from './surface.ts'

/** Where a conversation in one dialect is taken when the vendor does not speak it: the dialect that loses least first. */
const detours: Readonly<Record<Format, readonly ConversationEndpoint[]>> = {
  openai: ['messages', 'generate', 'responses'],
  responses: ['chat', 'messages', 'generate'],
  anthropic: ['chat', 'generate', 'responses'],
  gemini: ['chat', 'messages', 'responses'],
}

/** Gemini's embeddings are asked for in OpenAI's form where the vendor does not have them (`endpoints/embed-turn.ts`). */
const embeddings: readonly Endpoint[] = ['embed-content', 'batch-embed-contents']

/** The endpoint of the vendor that answers a call for `endpoint`: the same, else one it can be converted for; undefined when there is none. */
export function wayTo(provider: Provider | undefined, endpoint: Endpoint): Endpoint | undefined {
  if (!provider) return undefined
  if (provider.paths[endpoint]) return endpoint
  if (embeddings.includes(endpoint)) return provider.paths.embeddings && 'embeddings'
  return isConversation(endpoint)
    ? detours[conversationFormat[endpoint]].find((way) => provider.paths[way] !== undefined)
    : undefined
}

/** Whether an endpoint is a conversation, which can be converted. */
export const isConversation = (endpoint: Endpoint): endpoint is ConversationEndpoint => endpoint in conversationFormat
