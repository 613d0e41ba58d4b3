import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { WebSocket } from 'ws'
import type { Form, WrittenForm } from '../../base/bytes/form.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { Usage } from '../../billing/usage.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { ApiFormatRule } from '../capabilities/chat-models.ts'
import type { Json, Wire } from '../formats/codec.ts'
import type { UpstreamReply } from '../model/answer.ts'
import type { Cancellation } from '../model/cancellation.ts'
import type { Endpoint } from '../model/endpoint.ts'

/**
 * The destination of one call: a channel, the upstream's name of the model, the endpoint, and the caller's headers and
 * query.
 */
export type Target = Readonly<{
  channel: ActiveChannel
  model: string
  endpoint: Endpoint
  /** The request is for a summary that the vendor makes itself (`Provider.compacts`). */
  compacts?: boolean
  stream: boolean
  /** The caller's headers; empty for the gateway's own probes. */
  clientHeaders: IncomingHttpHeaders
  requestedModel?: string
  /** The caller's query, without the question mark. */
  query: string
  geminiVersion: (model: string) => string
  claudeHeaders: ClaudeHeaders
  accessTokens: AccessTokens
}>

/** Returns a model's headers, each with its values; undefined if none are configured. */
export type ClaudeHeaders = (model: string) => Readonly<Record<string, readonly string[]>> | undefined

export type Headers = Readonly<Record<string, string>>

/** A call ready to be sent; `original` is the request before its conversion for the vendor. */
export type SentRequest = Readonly<{ url: URL; bytes: Buffer; headers: Headers; original?: Json | undefined }>

export type DialTools = Readonly<{
  cancellation: Cancellation
  now: () => number
  /** Max silence within a response, in milliseconds. */
  idleMs: number
  /** Sends one HTTP request over the channel's connections and proxy, with the relay's time limits. */
  request: (url: URL, ask: UpstreamRequest) => Promise<UpstreamReply>
  /**
   * Sends a small auxiliary request, such as for an access token, and returns the JSON response, even if the caller
   * leaves; waits at most 5 seconds for the headers, and for each further part. Throws the vendor's error for a status
   * other than 2xx, for an error in a successful response, and for anything but a JSON object.
   */
  requestJson: (url: URL, ask: UpstreamRequest) => Promise<Json>
  /**
   * Fetches the first 10 files that the vendor's response refers to by URL, each as base64; undefined for one that is
   * not allowed or available. Like files that callers refer to, they are fetched only from public addresses, without
   * the channel's connections, proxy or key.
   */
  fetchFiles: (addresses: readonly string[]) => Promise<readonly (string | undefined)[]>
  /** To be called once the vendor has accepted an order that is polled (docs/reference/billing.md#accepted-orders). */
  accepted: () => void
  /** Opens a socket to a ws or wss URL, paused; throws the vendor's message if it refuses. */
  openSocket: (url: URL, headers: Headers) => Promise<WebSocket>
}>

export type UpstreamRequest = Readonly<{ method: Dispatcher.HttpMethod; headers: Headers; bytes?: Buffer }>

/** Temporary tokens of vendors: requested once for all waiting callers, cached until shortly before they expire. */
export interface AccessTokens {
  /** Returns the token of this name; `get` requests a new one and its lifetime in seconds. */
  token(name: string, get: () => Promise<Readonly<{ token: string; seconds: number }>>): Promise<string>
}

/** Members of a target for the gateway's own calls: without a caller's headers and query, with default settings. */
export const gatewayCallDefaults = {
  clientHeaders: {},
  query: '',
  geminiVersion: () => 'v1beta',
  claudeHeaders: () => undefined,
  accessTokens: { token: (_: string, get: () => Promise<{ token: string }>) => get().then(({ token }) => token) },
} as const

/**
 * How a vendor differs from plain OpenAI. It does not offer endpoints without a path
 * (docs/reference/channel-types.md#common-rules). Conversations in a dialect that the vendor does not offer are
 * converted to one that it offers.
 */
export type Provider = Readonly<{
  /** The complete URL of a call for each endpoint that the vendor offers, usually below the channel's URL. */
  paths: Readonly<Partial<Record<Endpoint, (target: Target) => string>>>
  /**
   * Whether an endpoint supports a model, by the upstream's name, for vendors that differ by model; an empty name means
   * any.
   */
  supports?: (endpoint: Endpoint, model: string) => boolean
  /** The vendor accepts no output limit: its responses are as long as the model allows. */
  ignoresOutputLimit?: boolean
  /** The vendor's output limit does not include reasoning (docs/reference/model-output-limits.md#thought). */
  excludesReasoning?: boolean
  /** The vendor's apps have prompts that the gateway does not see. */
  addsToPrompt?: boolean
  /** The vendor's apps may remember what each user of a request has written, so accounts must not share users. */
  remembersUsers?: boolean
  /** The URL is derived from the channel's key or region, so the channel needs none. */
  derivesAddress?: boolean
  headers: (target: Target) => Headers
  /** Members of the final body that override those of caller and channel; undefined removes one. */
  forcedMembers?: (target: Target, bytes: Buffer) => MaybePromise<Members>
  /** Additional headers, for vendors that authenticate calls by a signature or a token to be fetched. */
  sign?: (target: Target, sent: SentRequest, tools: DialTools) => Promise<Headers>
  /** The vendor's own wire format for conversations, used at the path `own`. */
  wire?: Wire
  /**
   * Makes the call where one plain request is not enough: with uploads or a token before it, polling, a socket, or a
   * reply that must be converted.
   */
  dial?: (target: Target, sent: SentRequest, tools: DialTools) => Promise<UpstreamReply>
  /**
   * Returns the error, in the vendor's form, in a response with a successful status or in an event before the content.
   */
  errorIn?: (json: unknown) => AnswerError | undefined
  /**
   * Matches part of the text of a stream with an error for `errorIn`, so that other streams are not parsed; `errorIn`
   * then receives the list of all events so far.
   */
  errorMark?: RegExp
  /** Splits a model's name into model and settings, for vendors whose models' names have settings as suffixes. */
  parseModelName?: (name: string) => NamedModel
  /**
   * Returns changed top-level members of a body in one of the dialects, the caller's own or a converted one; undefined
   * removes one. All others are unchanged, known or not. Losses are passed to `drop`.
   */
  patchBody?: (json: Json, target: Target, drop: (name: string) => void) => Members
  /** The vendor caches only marked parts of a prompt. */
  cachesByMarks?: (target: Target) => boolean
  /** The vendor supports `prompt_cache_key`; others ignore it or refuse requests with it. */
  takesCacheKey?: (target: Target) => boolean
  /** The vendor accepts `cache_control` in OpenAI's dialect for this model. */
  takesCacheMarks?: (model: string) => boolean
  /** The API format that a model requires, for vendors with both Chat Completions and Responses. */
  apiFormatOf?: (model: string) => ApiFormatRule | undefined
  /** Operators choose the names of the vendor's models, so the caller's name may identify the model better. */
  namesDeployments?: boolean
  /** OpenAI's own kind of API, whose reasoning models accept neither `max_tokens` nor `system`. */
  isNativeOpenAi?: boolean
  /** The vendor summarizes conversations at a path below Responses (`/v1/responses/compact`). */
  compacts?: boolean
  fetchesImageUrls?: boolean
  /** Paths at which the vendor counts the tokens of a request for an endpoint. */
  countTokensPaths?: Readonly<Partial<Record<Endpoint, (target: Target) => string>>>
  bridges?: Readonly<Partial<Record<Endpoint, Bridge>>>
}>

/** Top-level members of a body by name; undefined removes one. */
export type Members = ReadonlyMap<string, unknown>

/**
 * The upstream's name of a model, and body members for the settings in its original name; objects are merged into the
 * caller's.
 */
export type NamedModel = Readonly<{ model: string; members?: Json }>

/** The code of a response without content due to a mistake by the model: a retry may succeed. */
export const MODEL_SLIP = 'invalid_model_output'

/** `usage` are the figures of a response that the vendor bills although it is an error. */
export type AnswerError = Readonly<{
  status: number
  message: string
  type?: string
  code?: string | number
  usage?: Usage | undefined
}>

/** Converts an endpoint that the vendor has in another form: its request, and its response. */
export type Bridge = Readonly<{
  /**
   * Returns the request in the vendor's form, including the upstream's name of the model. Losses are passed to `drop`,
   * by the caller's names; throws `convert_request_failed` for what cannot be left out. Absent if the vendor accepts
   * the endpoint's own form.
   */
  request?(json: Json, target: Target, drop: (name: string) => void): Json
  /**
   * Converts a form, with its texts as `json`, for a vendor that accepts no forms; returns a content type and bytes.
   */
  fromForm?(form: Form, json: Json, target: Target, drop: (name: string) => void): WrittenForm
  /**
   * Returns the response in the endpoint's own form; absent if it already has that. `usage` is present only if the
   * vendor reports it. Throws for a response without a result to charge for.
   */
  answer?(json: Json, original: OriginalRequest): Json
}>

export type OriginalRequest = Readonly<{ json: Json; model: string }>
