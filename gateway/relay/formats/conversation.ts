import type { ExactNumber } from '../../base/json/exact-number.ts'
import type { Effort } from '../capabilities/effort.ts'
import type { Format } from './format.ts'
import type { EarlierSearch } from './vendor-search.ts'

/**
 * A request independent of dialects (docs/reference/conversion.md#principles). Each codec converts its dialect to it
 * and back; anything without a field is stored unchanged in `extras` and `extra` parts, for the original dialect.
 */
export type Conversation = Readonly<{
  model: string
  stream: boolean
  /** In the original order; system and developer turns may be anywhere. */
  turns: readonly Turn[]
  tools: readonly Tool[]
  toolChoice?: ToolChoice | undefined
  /** False forbids several calls in one response. */
  parallelToolCalls?: boolean | undefined
  /** Max output tokens, including reasoning. */
  maxOutput?: number | undefined
  temperature?: number | undefined
  topP?: number | undefined
  topK?: number | undefined
  frequencyPenalty?: number | undefined
  presencePenalty?: number | undefined
  seed?: number | ExactNumber | undefined
  stop?: readonly string[] | undefined
  choices?: number | undefined
  /** Requests the log probability of each token, and those of the `top` likeliest tokens at its position. */
  logProbabilities?: Readonly<{ top: number }> | undefined
  reasoning?: Reasoning | undefined
  output?: OutputFormat | undefined
  compaction?: boolean | undefined
  /** Detail level set for all images at once; also set on each image without a level. */
  imageDetail?: string | undefined
  /** Kinds of output that the client requests; the model's default if absent. */
  modalities?: readonly ('text' | 'image' | 'audio')[] | undefined
  /** Voice and container of audio output, as OpenAI writes them. */
  voice?: Readonly<{ name: string; container?: string | undefined }> | undefined
  /** The end user, as the client names them. */
  user?: string | undefined
  /** Requests with the same key share a prompt cache. */
  cacheKey?: string | undefined
  /**
   * Fields that OpenAI's two dialects share: metadata, store, service_tier, safety_identifier, prompt_cache_retention,
   * verbosity (`text.verbosity` in Responses).
   */
  shared: Readonly<Record<string, unknown>>
  /** Top-level fields without a counterpart above, under their original names. */
  extras: Readonly<{ from: Format; fields: Readonly<Record<string, unknown>> }>
}>

/** Tool results are parts of user turns. */
export type Turn = Readonly<{
  role: 'system' | 'developer' | 'user' | 'assistant'
  name?: string | undefined
  parts: readonly Part[]
}>

/**
 * The value to restore in the dialect `of` where other dialects get a substitute. `value` is null if there is nothing
 * to restore because another part carries it.
 */
export type Original = Readonly<{ of: Format; value: unknown }>

/** Marks the prompt up to and including this part as worth caching. */
export type CacheMark = Readonly<{ ttl?: '5m' | '1h' | undefined }>

export type TextPart = Readonly<{
  type: 'text'
  text: string
  search?: EarlierSearch | undefined
  cache?: CacheMark | undefined
  original?: Original | undefined
}>

/** An image, document, audio or video. `data` is base64; a `file` is stored at the vendor under that id. */
export type MediaPart = Readonly<{
  type: 'media'
  kind: 'image' | 'document' | 'audio' | 'video'
  source:
    | Readonly<{ type: 'data'; mime: string; data: string }>
    | Readonly<{ type: 'url'; url: string; mime?: string | undefined }>
    | Readonly<{ type: 'file'; id: string; of: Format; mime?: string | undefined }>
    | Readonly<{ type: 'text'; text: string }>
  /** Detail level of an image: OpenAI's low, high, auto. */
  detail?: string | undefined
  name?: string | undefined
  cache?: CacheMark | undefined
}>

/** A tool call by the model. `arguments` is JSON text as the model wrote it, or free text for a custom tool. */
export type ToolCallPart = Readonly<{
  type: 'tool-call'
  id: string
  name: string
  namespace?: string | undefined
  arguments: string
  /** OpenAI's custom tools accept free text instead of JSON. */
  custom?: boolean | undefined
  /** The tool is one of OpenAI's own, not a function of that name. */
  shape?: OwnShape | undefined
  signature?: Signature | undefined
  cache?: CacheMark | undefined
  original?: Original | undefined
}>

export type ToolResultPart = Readonly<{
  type: 'tool-result'
  callId: string
  name?: string | undefined
  content: readonly (TextPart | MediaPart)[]
  isError?: boolean | undefined
  custom?: boolean | undefined
  cache?: CacheMark | undefined
  original?: Original | undefined
}>

/** The model's reasoning. OpenAI and Anthropic accept it back only with their own signature. */
export type ReasoningPart = Readonly<{
  type: 'reasoning'
  text: string
  signature?: Signature | undefined
  /** The text is hidden from the client; the signature contains it encrypted. */
  redacted?: boolean | undefined
}>

type RefusalPart = Readonly<{ type: 'refusal'; text: string }>

/**
 * A part that only one dialect knows, under its `name` there. Other dialects report it as dropped, unless another part
 * expresses it (`isCovered`).
 */
export type ExtraPart = Readonly<{
  type: 'extra'
  of: Format
  name: string
  value: unknown
  isCovered?: boolean | undefined
}>

export type Part = TextPart | MediaPart | ToolCallPart | ToolResultPart | ReasoningPart | RefusalPart | ExtraPart

/**
 * A vendor's seal on the model's reasoning: Anthropic's signature, Gemini's thoughtSignature, OpenAI's
 * encrypted_content with the item's id.
 */
export type Signature = Readonly<{ by: Format; value: string; id?: string | undefined }>

export type Tool = FunctionTool | CustomTool | HostedTool | ExtraTool

/** A group of tools; its name is a part of each tool's full name. */
export type Namespace = Readonly<{ name: string; description?: string | undefined }>

/** OpenAI's tools that the client runs and that have item types of their own. */
export type OwnShape = 'local_shell' | 'shell' | 'apply_patch' | 'tool_search'

/** The form of a call in the client's dialect, for a tool that is a function in other dialects. */
export type CallShape = 'function' | 'custom' | OwnShape

/** `isLoaded`: the tool was declared by an item of the conversation, which is where its own dialect has it. */
type Declaration = Readonly<{
  namespace?: Namespace | undefined
  isLoaded?: boolean | undefined
  original?: Original | undefined
}>

/**
 * A tool that the client runs. `parameters` is a JSON schema; absent if it has none. `shape` is the form of its calls
 * in the client's dialect, if not a function call.
 */
export type FunctionTool = Declaration & FunctionMembers

type FunctionMembers = Readonly<{
  type: 'function'
  name: string
  shape?: OwnShape | undefined
  description?: string | undefined
  parameters?: Readonly<Record<string, unknown>> | undefined
  strict?: boolean | undefined
  cache?: CacheMark | undefined
}>

/**
 * OpenAI's tool that accepts free text, with its grammar. Elsewhere it becomes a function with one text parameter,
 * `input`.
 */
export type CustomTool = Declaration &
  Readonly<{
    type: 'custom'
    name: string
    description?: string | undefined
    format?: Readonly<Record<string, unknown>> | undefined
  }>

export type HostedTool = Readonly<{
  type: 'hosted'
  kind: 'web-search' | 'code-execution' | 'url-context'
  /** For a web search: how much it may read, and how often it may be called. */
  contextSize?: 'low' | 'medium' | 'high' | undefined
  maxUses?: number | undefined
  /** False if the vendor is known not to list the pages found. */
  listsPages?: boolean | undefined
  allowedDomains?: readonly string[] | undefined
  blockedDomains?: readonly string[] | undefined
  /** The approximate location as OpenAI and Anthropic both write it: city, country, region, timezone. */
  location?: Readonly<Record<string, string>> | undefined
}>

/**
 * A tool that only one dialect knows. Others report it as dropped, unless leaving it out loses nothing (`isCovered`).
 */
export type ExtraTool = Readonly<{
  type: 'extra'
  of: Format
  name: string
  value: unknown
  isCovered?: boolean | undefined
}>

/** `names` limits the choice to some of the tools; one name with `required` forces that tool. */
export type ToolChoice = Readonly<{ mode: 'auto' | 'none' | 'required'; names?: readonly string[] | undefined }>

/** `budget` is in tokens; -1 leaves it to the model. */
export type Reasoning = Readonly<{
  mode?: 'on' | 'off' | 'adaptive' | undefined
  effort?: Effort | undefined
  budget?: number | undefined
  /** Whether the client wants the reasoning returned, and the kind of summary, if it named one (OpenAI). */
  show?: boolean | undefined
  summary?: string | undefined
}>

/** JSON of any shape (`json`), or matching a schema. */
export type OutputFormat =
  | Readonly<{ type: 'json' }>
  | Readonly<{
      type: 'schema'
      schema: Readonly<Record<string, unknown>>
      name?: string | undefined
      description?: string | undefined
      strict?: boolean | undefined
    }>
