import type { Format } from '../formats/format.ts'

/** What is asked of a vendor. The first four are a conversation, each in its own dialect. */
export type Endpoint =
  | ConversationEndpoint
  /** A conversation in a wire of the vendor's own (`Provider.wire`). */
  | 'own'
  | 'completions'
  | 'edits'
  | 'embeddings'
  | 'moderations'
  | 'images'
  | 'image-edits'
  | 'speech'
  | 'transcriptions'
  | 'translations'
  | 'rerank'
  | 'embed-content'
  | 'batch-embed-contents'
  | 'predict'
  | 'realtime'
  /** A session of Gemini's Live API. */
  | 'live'
  /** A drawing of Midjourney's, which is submitted and asked after. */
  | 'drawing'
  /** Any other work that a vendor does in the background. */
  | 'task'

/** What a caller can ask for. */
export type AskedEndpoint = Exclude<Endpoint, 'own'>

export type ConversationEndpoint = 'chat' | 'responses' | 'messages' | 'generate'

/** The dialect of each conversation. */
export const conversationFormat = {
  chat: 'openai',
  responses: 'responses',
  messages: 'anthropic',
  generate: 'gemini',
} as const satisfies Record<ConversationEndpoint, Format>

/** A relayed path: the dialect its caller speaks, and what it asks for. */
export type RelayRoute = Readonly<{
  format: Format
  endpoint: AskedEndpoint
  playground: boolean
  /** A summary of the conversation is asked for, rather than an answer (`/v1/responses/compact`). */
  compacts?: true
}>

/** A route with what its path says: the model, and that a stream is wanted (Gemini has both there). */
export type RouteMatch = Readonly<{ route: RelayRoute; model?: string; stream?: boolean }>

/** Whether an endpoint is a conversation in one of the dialects, which can be converted. */
export const isConversation = (endpoint: Endpoint): endpoint is ConversationEndpoint => endpoint in conversationFormat

/** A conversation in whatever wire. */
export type TalkEndpoint = ConversationEndpoint | 'own'

/** Whether an upstream is talked to, in one of the dialects or in a wire of its own. */
export const isTalk = (endpoint: Endpoint): endpoint is TalkEndpoint => endpoint === 'own' || isConversation(endpoint)
