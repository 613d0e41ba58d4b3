import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { WebSocket } from 'ws'
import type { Form, WrittenForm } from '../../base/bytes/form.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { ApiFormatRule } from '../capabilities/chat-models.ts'
import type { Json, Wire } from '../formats/codec.ts'
import type { UpstreamReply } from '../model/answer.ts'
import type { Cancellation } from '../model/cancellation.ts'
import type { Endpoint } from '../model/endpoint.ts'

/** Where one call goes: a channel, the upstream's name of the model, the endpoint, and what the caller sent along. */
export type Target = Readonly<{
  channel: ActiveChannel
  model: string
  endpoint: Endpoint
  /** A summary is asked for, which the vendor makes itself (`Provider.compacts`). */
  compacts?: boolean
  stream: boolean
  /** The caller's headers; a probe of the gateway's own has none. */
  clientHeaders: IncomingHttpHeaders
  /** The caller's name of the model, where a caller asked for one. */
  requestedModel?: string
  /** The caller's query, without the question mark. */
  query: string
  /** The version of Gemini's API that the options name for a model (`gemini.version_settings`). */
  geminiVersion: (model: string) => string
  /** Headers that the options name for a model of Claude's (`claude.model_headers_settings`). */
  claudeHeaders: ClaudeHeaders
  accessTokens: AccessTokens
}>

/** A model's headers, each with its values; undefined where the options name none for it. */
export type ClaudeHeaders = (model: string) => Readonly<Record<string, readonly string[]>> | undefined

export type Headers = Readonly<Record<string, string>>

/** A call as it is about to be sent; `original` is the request before it got the vendor's shape. */
export type SentRequest = Readonly<{ url: URL; bytes: Buffer; headers: Headers; original?: Json | undefined }>

/** What a vendor's own way of calling may use. */
export type DialTools = Readonly<{
  cancellation: Cancellation
  /** Unix milliseconds. */
  now: () => number
  /** The longest silence within an answer, in milliseconds. */
  idleMs: number
  /** One HTTP request over the channel's connections and proxy, with the relay's time limits. */
  request: (url: URL, ask: UpstreamRequest) => Promise<UpstreamReply>
  /**
   * A small question beside the call, such as for a pass: its answer as JSON, within 5 seconds, even if the caller leaves.
   * Throws the vendor's error for any other status, for an error inside a good one, and for what is no JSON object.
   */
  requestJson: (url: URL, ask: UpstreamRequest) => Promise<Json>
  /**
   * Files that the vendor's answer names by URL, each as base64; undefined for one that may not or cannot be had. They are
   * fetched as those that callers name: over no connection, proxy or key of the channel's, from public addresses alone.
   */
  fetchFiles: (addresses: readonly string[]) => Promise<readonly (string | undefined)[]>
  /** An open socket to a ws or wss address, paused; throws the vendor's words where it refuses. */
  openSocket: (url: URL, headers: Headers) => Promise<WebSocket>
}>

/** One HTTP request; without bytes it has no body. */
export type UpstreamRequest = Readonly<{ method: Dispatcher.HttpMethod; headers: Headers; bytes?: Buffer }>

/** Keys that a vendor gives for a while: asked for once for all who wait, kept until shortly before they end. */
export interface AccessTokens {
  /** The token of that name; `get` answers a new one and how long it is good, in seconds. */
  token(name: string, get: () => Promise<Readonly<{ token: string; seconds: number }>>): Promise<string>
}

/** The part of a target that a caller would have sent: a call of the gateway's own has no headers and no query. */
export const gatewayCallDefaults = {
  clientHeaders: {},
  query: '',
  geminiVersion: () => 'v1beta',
  claudeHeaders: () => undefined,
  accessTokens: { token: (_: string, get: () => Promise<{ token: string }>) => get().then(({ token }) => token) },
} as const

/**
 * How a vendor differs from the plain OpenAI wire. Everything is optional; a path that is absent means the vendor does
 * not offer the endpoint, so there is nothing to stub (docs/reference/channel-types.md#what-all-have-in-common). A
 * conversation in a dialect the vendor does not offer is converted into one it does.
 */
export type Provider = Readonly<{
  /** The path below the channel's address, or the whole URL where the channel's address is one. */
  paths: Readonly<Partial<Record<Endpoint, (target: Target) => string>>>
  /** Whether a path holds for a model, by the upstream's name, of vendors who speak to each model in another way; an empty name stands for any. */
  supports?: (endpoint: Endpoint, model: string) => boolean
  /** The vendor's address follows from the channel's key or region, so the channel needs none of its own. */
  derivesAddress?: boolean
  headers: (target: Target) => Headers
  /** Members of a body as it is about to be sent that have to be so, whatever caller and channel say; undefined leaves one out. */
  forcedMembers?: (target: Target, bytes: Buffer) => MaybePromise<Members>
  /** More headers, of vendors to whom a call is proven by a signature over it or by a pass that has to be fetched. */
  sign?: (target: Target, sent: SentRequest, tools: DialTools) => Promise<Headers>
  /** The vendor's own wire for a conversation, spoken at the path `own`. */
  wire?: Wire
  /** Makes the call where it is more than one request: a socket, or asking again until there is an answer. */
  dial?: (target: Target, sent: SentRequest, tools: DialTools) => Promise<UpstreamReply>
  /** The error, of the vendor's own shape, in an answer or a first event that came with a good status. */
  errorIn?: (json: unknown) => AnswerError | undefined
  /**
   * What the first bytes of a stream with such an error have in them, where nothing else is to be parsed for it;
   * `errorIn` is given all events there are then, as a list.
   */
  errorMark?: RegExp
  /** What a model's name asks for besides the model, where the vendor's names are known to be added to. */
  parseModelName?: (name: string) => NamedModel
  /**
   * Top-level members that the vendor wants otherwise in a body of a dialect's form, undefined to leave one out: of the
   * caller's own body, and of one that was converted. All others are kept, known or not. `drop` is told what is lost.
   */
  patchBody?: (json: Json, target: Target, drop: (name: string) => void) => Members
  /** The vendor keeps of a prompt what is marked, and nothing else. */
  cachesByMarks?: (target: Target) => boolean
  /** The vendor knows `prompt_cache_key`; others refuse a request that has it. */
  takesCacheKey?: (target: Target) => boolean
  /** The vendor takes `cache_control` in OpenAI's dialect for this model. */
  takesCacheMarks?: (model: string) => boolean
  /** Which of its two API formats a model needs, where it has both Chat Completions and Responses. */
  apiFormatOf?: (model: string) => ApiFormatRule | undefined
  /** Operators choose the names of its models, so that a caller's name may tell better what a model is. */
  namesDeployments?: boolean
  /** OpenAI's own kind of API, whose reasoning models take no `max_tokens` and no `system`. */
  isNativeOpenAi?: boolean
  /** The vendor sums conversations up at a path below Responses (`/v1/responses/compact`). */
  compacts?: boolean
  /** The vendor fetches images that are named by URL. */
  fetchesImageUrls?: boolean
  /** Where the vendor counts the tokens of a request for an endpoint. */
  countTokensPaths?: Readonly<Partial<Record<Endpoint, (target: Target) => string>>>
  /** Endpoints whose body the vendor writes in a way of its own. */
  bridges?: Readonly<Partial<Record<Endpoint, Bridge>>>
}>

/** Top-level members of a body by name; undefined leaves one out. */
export type Members = ReadonlyMap<string, unknown>

/** The upstream's name of a model, and the members that say the rest; objects are put into the caller's own. */
export type NamedModel = Readonly<{ model: string; members?: Json }>

/** The code of an answer that says nothing for a slip of the model's: the same question may well be answered. */
export const MODEL_SLIP = 'invalid_model_output'

/** An error in OpenAI's form, and the status it would have had to come with. */
export type AnswerError = Readonly<{ status: number; message: string; type?: string; code?: string | number }>

/** An endpoint that the vendor has under another shape: what it is asked, and its answer as the endpoint has it. */
export type Bridge = Readonly<{
  /**
   * The request as the vendor wants it, the upstream's name of the model in it. `drop` is told what is left out, in the
   * caller's names; what cannot be left out is refused with `convert_request_failed`. Where this is absent it is the
   * endpoint's own.
   */
  request?(json: Json, target: Target, drop: (name: string) => void): Json
  /** Writes a form, with its texts as `json`, for a vendor that takes none; a content type with the bytes. */
  fromForm?(form: Form, json: Json, target: Target, drop: (name: string) => void): WrittenForm
  /**
   * The answer in the endpoint's own shape, which it already has where this is absent. `usage` is there only where the
   * vendor tells it. Refuses an answer that has no result to charge for.
   */
  answer?(json: Json, asked: OriginalRequest): Json
}>

/** The request an answer is for, before its bridge changed it, and the upstream's name of the model. */
export type OriginalRequest = Readonly<{ json: Json; model: string }>
