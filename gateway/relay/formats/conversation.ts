import type { ExactNumber } from '../../base/json/exact-number.ts'
import type { Effort } from '../capabilities/effort.ts'
import type { Format } from './format.ts'
import type { ToldSearch } from './vendor-search.ts'

/**
 * A request in no vendor's dialect: the union of what the four dialects can say
 * (docs/reference/conversion.md#principles). A codec reads its dialect into it and writes its dialect from it; what it
 * has no field for stays in `extras` and part `extra`s, which the dialect they came from takes back untouched.
 */
export type Conversation = Readonly<{
  model: string
  stream: boolean
  /** In the order given; system and developer turns may stand anywhere. */
  turns: readonly Turn[]
  tools: readonly Tool[]
  toolChoice?: ToolChoice | undefined
  /** False forbids several calls in one answer. */
  parallelToolCalls?: boolean | undefined
  /** The most output tokens, reasoning included. */
  maxOutput?: number | undefined
  temperature?: number | undefined
  topP?: number | undefined
  topK?: number | undefined
  frequencyPenalty?: number | undefined
  presencePenalty?: number | undefined
  seed?: number | ExactNumber | undefined
  stop?: readonly string[] | undefined
  /** How many answers are wanted. */
  choices?: number | undefined
  /** How likely each token was is wanted, and of so many of the likeliest in its place. */
  logProbabilities?: Readonly<{ top: number }> | undefined
  reasoning?: Reasoning | undefined
  output?: OutputFormat | undefined
  /** The client wants what has been said so far summed up, in the place of an answer. */
  compaction?: boolean | undefined
  /** How closely all images are looked at, where it was said of all at once: each of them says it, too. */
  imageDetail?: string | undefined
  /** Kinds of output wanted besides text. */
  modalities?: readonly ('text' | 'image' | 'audio')[] | undefined
  /** Voice and container of spoken output, as OpenAI writes them. */
  voice?: Readonly<{ name: string; container?: string | undefined }> | undefined
  /** Who is behind the request, as the client names them. */
  user?: string | undefined
  /** Requests with the same key share a prompt cache. */
  cacheKey?: string | undefined
  /** Fields that OpenAI's two dialects share under the same names: metadata, store, service_tier, safety_identifier, prompt_cache_retention, verbosity. */
  shared: Readonly<Record<string, unknown>>
  /** Top-level fields that have no place above, under their own names, for the dialect they came from. */
  extras: Readonly<{ from: Format; fields: Readonly<Record<string, unknown>> }>
}>

/** One side's say. Results of tools are parts of user turns. */
export type Turn = Readonly<{
  role: 'system' | 'developer' | 'user' | 'assistant'
  /** The participant's name, where one is given. */
  name?: string | undefined
  parts: readonly Part[]
}>

/**
 * What stands in the client's own dialect where others are told something else: there it goes back as it came. Null where
 * nothing stands there, since something else says it.
 */
export type Original = Readonly<{ of: Format; value: unknown }>

/** A mark that the prompt up to and with this part is worth caching. */
export type CacheMark = Readonly<{ ttl?: '5m' | '1h' | undefined }>

export type TextPart = Readonly<{
  type: 'text'
  text: string
  /** The text tells of a search that a vendor ran, which this is. */
  search?: ToldSearch | undefined
  cache?: CacheMark | undefined
  original?: Original | undefined
}>

/** An image, document, sound or film. `data` is base64; a `file` lies with the vendor under that id. */
export type MediaPart = Readonly<{
  type: 'media'
  kind: 'image' | 'document' | 'audio' | 'video'
  source:
    | Readonly<{ type: 'data'; mime: string; data: string }>
    | Readonly<{ type: 'url'; url: string; mime?: string | undefined }>
    | Readonly<{ type: 'file'; id: string; of: Format; mime?: string | undefined }>
    /** A document given as plain text. */
    | Readonly<{ type: 'text'; text: string }>
  /** How closely an image is to be looked at: OpenAI's low, high, auto. */
  detail?: string | undefined
  /** File name or title. */
  name?: string | undefined
  cache?: CacheMark | undefined
}>

/** A tool the model wants called. `arguments` is JSON text as the model wrote it, or free text for a custom tool. */
export type ToolCallPart = Readonly<{
  type: 'tool-call'
  id: string
  name: string
  /** The group of tools that the name is one of, where the client's dialect has such groups. */
  namespace?: string | undefined
  arguments: string
  /** OpenAI's custom tools take free text instead of JSON. */
  custom?: boolean | undefined
  /** The tool is one of OpenAI's own, rather than a function of that name. */
  shape?: OwnShape | undefined
  signature?: Signature | undefined
  cache?: CacheMark | undefined
  original?: Original | undefined
}>

/** What a tool answered: text and media. */
export type ToolResultPart = Readonly<{
  type: 'tool-result'
  callId: string
  /** The tool's name, where it is known. */
  name?: string | undefined
  content: readonly (TextPart | MediaPart)[]
  isError?: boolean | undefined
  custom?: boolean | undefined
  cache?: CacheMark | undefined
  original?: Original | undefined
}>

/** What the model thought. Only a signature of the vendor's own lets it be sent back to that vendor. */
export type ReasoningPart = Readonly<{
  type: 'reasoning'
  text: string
  signature?: Signature | undefined
  /** The text is kept from the client; the signature holds it sealed. */
  redacted?: boolean | undefined
}>

/** The model's refusal, which OpenAI keeps apart from its text. */
type RefusalPart = Readonly<{ type: 'refusal'; text: string }>

/**
 * A part that only one dialect knows; other dialects report it as dropped, unless what it says is told otherwise
 * (`isCovered`). `name` is what it is called there.
 */
export type ExtraPart = Readonly<{
  type: 'extra'
  of: Format
  name: string
  value: unknown
  isCovered?: boolean | undefined
}>

export type Part = TextPart | MediaPart | ToolCallPart | ToolResultPart | ReasoningPart | RefusalPart | ExtraPart

/** A vendor's seal on something the model thought: Anthropic's signature, Gemini's thoughtSignature, OpenAI's encrypted_content with the item's id. */
export type Signature = Readonly<{ by: Format; value: string; id?: string | undefined }>

export type Tool = FunctionTool | CustomTool | HostedTool | ExtraTool

/** A group of tools under one name, which is half of theirs. */
export type Namespace = Readonly<{ name: string; description?: string | undefined }>

/** Tools of OpenAI's that the client runs and that have items of their own, by their types. */
export type OwnShape = 'local_shell' | 'shell' | 'apply_patch' | 'tool_search'

/** How the client's dialect tells a call of a tool that others know as a function. */
export type CallShape = 'function' | 'custom' | OwnShape

/**
 * What else is known of a client's tool: `namespace`, the group it is in; `isLoaded`, an item of the conversation brought
 * it along, which is where its own dialect has it.
 */
type Declaration = Readonly<{
  namespace?: Namespace | undefined
  isLoaded?: boolean | undefined
  original?: Original | undefined
}>

/**
 * A tool that the client runs. `parameters` is a JSON schema; absent where the tool takes none. `shape` is how its calls
 * are told to the client, where that is not a function's.
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

/** OpenAI's tool that takes free text, with its grammar. Elsewhere it becomes a function with one text parameter, `input`. */
export type CustomTool = Declaration &
  Readonly<{
    type: 'custom'
    name: string
    description?: string | undefined
    format?: Readonly<Record<string, unknown>> | undefined
  }>

/** A tool the vendor runs itself. */
export type HostedTool = Readonly<{
  type: 'hosted'
  kind: 'web-search' | 'code-execution' | 'url-context'
  /** Of a web search: how much it may read, and how often it may be called. */
  contextSize?: 'low' | 'medium' | 'high' | undefined
  maxUses?: number | undefined
  /** False where the vendor is known not to list the pages that a web search has found. */
  listsPages?: boolean | undefined
  allowedDomains?: readonly string[] | undefined
  blockedDomains?: readonly string[] | undefined
  /** The approximate location as OpenAI and Anthropic both write it: city, country, region, timezone. */
  location?: Readonly<Record<string, string>> | undefined
}>

/** A tool that only one dialect knows, reported as dropped by others; not where leaving it out loses nothing (`isCovered`). */
export type ExtraTool = Readonly<{
  type: 'extra'
  of: Format
  name: string
  value: unknown
  isCovered?: boolean | undefined
}>

/** `names` limits a choice to some of the tools; one name with `required` forces that tool. */
export type ToolChoice = Readonly<{ mode: 'auto' | 'none' | 'required'; names?: readonly string[] | undefined }>

/** How much the model is to think. `budget` in tokens; -1 leaves it to the model. */
export type Reasoning = Readonly<{
  mode?: 'on' | 'off' | 'adaptive' | undefined
  effort?: Effort | undefined
  budget?: number | undefined
  /** Whether the client wants to read the thoughts, and OpenAI's kind of summary where it named one. */
  show?: boolean | undefined
  summary?: string | undefined
}>

/** JSON of any shape (`json`), or of a schema's. */
export type OutputFormat =
  | Readonly<{ type: 'json' }>
  | Readonly<{
      type: 'schema'
      schema: Readonly<Record<string, unknown>>
      name?: string | undefined
      description?: string | undefined
      strict?: boolean | undefined
    }>
