import type { Format } from '../formats/format.ts'

/** Kinds of upstream requests. The first four are conversations, each in its own dialect. */
export type Endpoint =
  | ConversationEndpoint
  /** A conversation in a vendor-specific wire (`Provider.wire`). */
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
  | 'live'
  /** A Midjourney drawing, which is submitted and polled. */
  | 'drawing'
  /** Any other background task of a vendor. */
  | 'task'

export type RequestedEndpoint = Exclude<Endpoint, 'own'>

export type ConversationEndpoint = 'chat' | 'responses' | 'messages' | 'generate'

export const conversationFormat = {
  chat: 'openai',
  responses: 'responses',
  messages: 'anthropic',
  generate: 'gemini',
} as const satisfies Record<ConversationEndpoint, Format>

export type RelayRoute = Readonly<{
  format: Format
  endpoint: RequestedEndpoint
  playground: boolean
  /** The caller requests a compaction instead of a response (`/v1/responses/compact`). */
  compacts?: true
}>

/** A route with parameters of its path: the model, and whether to stream (Gemini has both there). */
export type RouteMatch = Readonly<{ route: RelayRoute; model?: string; stream?: boolean }>

/** Whether an endpoint is a conversation in one of the dialects, which can be converted. */
export const isConversation = (endpoint: Endpoint): endpoint is ConversationEndpoint => endpoint in conversationFormat

export type TalkEndpoint = ConversationEndpoint | 'own'

/** Whether an upstream endpoint is a conversation, in one of the dialects or in a vendor-specific wire. */
export const isTalk = (endpoint: Endpoint): endpoint is TalkEndpoint => endpoint === 'own' || isConversation(endpoint)
