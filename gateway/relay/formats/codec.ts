import type { Usage } from '../../billing/usage.ts'
import type { CallShape, Conversation } from './conversation.ts'
import type { AnswerEvent } from './events.ts'
import type { Format } from './format.ts'

export type Json = Readonly<Record<string, unknown>>

/**
 * One dialect: converts its requests, responses and streams to the intermediate form and back. Codecs never import each
 * other. Decoders trust nothing about the shape of their input.
 */
export interface Codec {
  readonly format: Format
  /**
   * Throws refusals (kind `invalid`) for malformed requests. `model` and `stream` are parameters because Gemini has
   * them in the path.
   */
  decodeRequest(wire: Json, model: string, stream: boolean): Conversation
  /** Reports what the dialect cannot express to `target.drop`; throws if leaving it out would change the meaning. */
  encodeRequest(conversation: Conversation, target: RequestTarget): Json
  /** Returns the events of a whole response, the same as for its stream, without `done`. */
  decodeAnswer(wire: unknown): readonly AnswerEvent[]
  /** Writes a whole response; `usage` is the charged usage. */
  encodeAnswer(events: readonly AnswerEvent[], frame: AnswerFrame, usage: Usage): Json
  /** Creates the state of one stream; the decoder takes the data of one event at a time, including `[DONE]`. */
  decodeStream(): StreamDecoder
  encodeStream(frame: AnswerFrame): StreamEncoder
}

/**
 * The half of a codec that talks to an upstream; a vendor with its own wire format has only this
 * (docs/reference/conversion.md#principles). `frames` is for streams other than server-sent events.
 */
export type Wire = Pick<Codec, 'encodeRequest' | 'decodeAnswer' | 'decodeStream'> &
  Readonly<{ frames?: () => FrameReader }>

/** Splits a stream's bytes into payloads for the decoder, however the bytes are chunked. */
export interface FrameReader {
  feed(bytes: Buffer): readonly string[]
  end(): readonly string[]
}

export interface StreamDecoder {
  /** Returns the events of one payload. Text that is not JSON becomes an error event, without the text itself. */
  payload(text: string): readonly AnswerEvent[]
  position?(): StreamPosition
}

/** Progress of a Responses stream; the events that end it are built from this. */
export type StreamPosition = Readonly<{
  next: number
  id?: string | undefined
  output?: readonly Json[]
  /** How much of an error has been sent: its event, or also the failed response. */
  sentError?: 'error' | 'failed' | undefined
}>

export type ErrorPosition = StreamPosition &
  Readonly<{ frame: Pick<AnswerFrame, 'id' | 'model' | 'created' | 'request' | 'isStored'> }>

/**
 * Writes one stream of server-sent events; `add` and `end` return whole events as text, or '' if there is nothing to
 * send yet.
 */
export interface StreamEncoder {
  add(event: AnswerEvent): string
  /** Closes what is open and writes the usage that is charged. Called once, at the end of a successful stream. */
  end(usage: Usage): string
  /** Progress of the stream, in a dialect that numbers its events. */
  position?(): StreamPosition
}

export type RequestTarget = Readonly<{
  model: string
  /** The client's name of a model whose upstream name is chosen by operators; it may identify the model better. */
  requestedModel?: string
  /** Requests usage in streams (`stream_options`), if the upstream supports it. */
  streamOptions: boolean
  /** The upstream accepts `cache_control` in OpenAI's dialect (OpenRouter for Anthropic's models). */
  cacheMarks: boolean
  /** The upstream has OpenAI's own kind of API, whose newer models require `max_completion_tokens` and `developer`. */
  strictOpenai: boolean
  settings: DialectSettings
  /**
   * Reports something in the request that the target cannot express; field-names.ts converts `name` to the client's
   * dialect.
   */
  drop: (name: string) => void
}>

/**
 * docs/reference/conversion.md#openai-to-anthropic, docs/reference/conversion.md#openai-to-gemini;
 * shared/options/models.ts.
 */
export type DialectSettings = Readonly<{
  claudeMaxTokens: Readonly<Record<string, number>>
  geminiSafety: Readonly<Record<string, string>>
  geminiImageModels: readonly string[]
}>

export type AnswerFrame = Readonly<{
  /** The request's id, from which the ids of the response are formed. */
  id: string
  model: string
  /** Unix seconds. */
  created: number
  /** The client requested the usage event of a stream (OpenAI's `include_usage`). */
  wantsUsage: boolean
  promptTokens: () => number
  /** The request as the client sent it; the Responses API repeats parts of it in its responses. */
  request: Json
  isStored?: boolean
  /** The client's tools that the upstream knows under another name or kind, keyed by the upstream's names. */
  clientTools: ClientTools
  /** The client gets a summary of the conversation, in the form its dialect has for that. */
  compaction?: 'item' | 'object' | undefined
}>

export type ClientTool = Readonly<{ name: string; namespace?: string | undefined; shape: CallShape }>

export type ClientTools = ReadonlyMap<string, ClientTool>

export const NO_CLIENT_TOOLS: ClientTools = new Map()
