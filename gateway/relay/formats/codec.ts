import type { Usage } from '../../billing/usage.ts'
import type { CallShape, Conversation } from './conversation.ts'
import type { AnswerEvent } from './events.ts'
import type { Format } from './format.ts'

export type Json = Readonly<Record<string, unknown>>

/**
 * One dialect: how its requests, answers and streams are read into and written from the intermediate form. Codecs never
 * look at each other. Decoders trust nothing about the shape of what they read.
 */
export interface Codec {
  readonly format: Format
  /** Reads a request; throws refusals (kind `invalid`) for what is malformed. `model` and `stream` come from the call, since Gemini has them in the path. */
  decodeRequest(wire: Json, model: string, stream: boolean): Conversation
  /** Writes a request. What the dialect cannot say is told to `target.drop`, or refused where leaving it out would change the meaning. */
  encodeRequest(conversation: Conversation, target: RequestTarget): Json
  /** Reads a whole answer: the events of its stream, all at once, without `done`. */
  decodeAnswer(wire: unknown): readonly AnswerEvent[]
  /** Writes a whole answer from its events; `usage` is what is charged. */
  encodeAnswer(events: readonly AnswerEvent[], frame: AnswerFrame, usage: Usage): Json
  /** Fresh state for one stream: takes the payload of one `data:` line at a time (`[DONE]` included). */
  decodeStream(): StreamDecoder
  encodeStream(frame: AnswerFrame): StreamEncoder
}

/**
 * The half of a codec that speaks to an upstream. A vendor with a wire of its own has this half alone
 * (docs/reference/conversion.md#principles); `frames` is for streams that are no server-sent events.
 */
export type Wire = Pick<Codec, 'encodeRequest' | 'decodeAnswer' | 'decodeStream'> &
  Readonly<{ frames?: () => FrameReader }>

/** Cuts a stream's bytes into the payloads that its decoder takes, whatever way the bytes arrive. */
export interface FrameReader {
  feed(bytes: Buffer): readonly string[]
  /** What is left when the stream has ended. */
  end(): readonly string[]
}

export interface StreamDecoder {
  /** The events of one payload; text that is no JSON is an error, which nobody but the gateway may tell. */
  payload(text: string): readonly AnswerEvent[]
  /** How far the stream has come, in a dialect that numbers its events. */
  place?(): StreamPlace
}

/** How far a stream of Responses has come, which numbers its events: what the events that end it are told from. */
export type StreamPlace = Readonly<{
  /** The number of the next event. */
  next: number
  /** The response's id, where the upstream gave it one. */
  id?: string | undefined
  /** The items that are whole. */
  output?: readonly Json[]
  /** How much of an error has been told: its event, or that and the response that failed. */
  told?: 'error' | 'failed' | undefined
}>

/** The place at which an answer ends with an error. */
export type AnswerPlace = StreamPlace &
  Readonly<{ frame: Pick<AnswerFrame, 'id' | 'model' | 'created' | 'request' | 'isStored'> }>

/** Writes one stream of server-sent events; every method answers whole events as text, or '' where nothing is to be said yet. */
export interface StreamEncoder {
  add(event: AnswerEvent): string
  /** Closes what is open and says the usage, which is what is charged. Called once, at the end of a good stream. */
  end(usage: Usage): string
  /** How far the stream has come, in a dialect that numbers its events. */
  place?(): StreamPlace
}

/** What is known of the upstream a request is written for. */
export type RequestTarget = Readonly<{
  /** The upstream's name of the model. */
  model: string
  /** The caller's name of a model whose name upstream operators choose: it may tell better what the model is. */
  requestedModel?: string
  /** The upstream is told to send usage with its stream (`stream_options`), where it takes that. */
  streamOptions: boolean
  /** The upstream takes `cache_control` in OpenAI's dialect (OpenRouter for Anthropic's models). */
  cacheMarks: boolean
  /** The upstream is OpenAI's own kind of API, whose newer models want `max_completion_tokens` and `developer`. */
  strictOpenai: boolean
  settings: DialectSettings
  /** Reports something of the request that the target cannot be told, by its name in the client's dialect where that is known. */
  drop: (name: string) => void
}>

/**
 * The operator's options for Anthropic and Gemini (docs/reference/conversion.md#openai-to-anthropic,
 * docs/reference/conversion.md#openai-to-gemini; shared/options/models.ts).
 */
export type DialectSettings = Readonly<{
  claudeMaxTokens: Readonly<Record<string, number>>
  geminiSafety: Readonly<Record<string, string>>
  geminiImageModels: readonly string[]
}>

/** What an answer is wrapped in. */
export type AnswerFrame = Readonly<{
  /** For an answer that has no id of the upstream's. */
  id: string
  /** The model as the client named it. */
  model: string
  /** Unix seconds. */
  created: number
  /** The client asked for the usage event of a stream (OpenAI's `include_usage`). */
  wantsUsage: boolean
  /** An estimate of the prompt's tokens, for dialects that tell it at the beginning. */
  promptTokens: () => number
  /** The request as the client sent it; Responses answers repeat parts of it. */
  request: Json
  /** The answer is kept under its id, so that it can be asked for again and continued. */
  isStored?: boolean
  /** The client's tools that the upstream knows under another name, or as functions which they are not, by the upstream's names. */
  clientTools: ClientTools
  /** What the client gets is a summary of what was said, in the form its dialect has for that. */
  compaction?: 'item' | 'object' | undefined
}>

/** A tool as the client declared it. */
export type ClientTool = Readonly<{ name: string; namespace?: string | undefined; shape: CallShape }>

export type ClientTools = ReadonlyMap<string, ClientTool>

/** Where the upstream knows all tools as the client does. */
export const NO_CLIENT_TOOLS: ClientTools = new Map()
