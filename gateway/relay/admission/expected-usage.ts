import { type JsonObject, textIn } from '../../base/json/json.ts'
import type { PotentialExtras } from '../../billing/billable-extras.ts'
import { MAX_TOKENS, tiersOf } from '../../billing/usage.ts'
import { choicesOf, generationConfigOf } from '../intake/choices.ts'
import { isByCharacter } from '../intake/known-input.ts'
import type { Call } from '../model/call.ts'
import { type Endpoint, isConversation } from '../model/endpoint.ts'
import type { Expected } from '../model/plan.ts'
import { maxImageTokens } from '../tokenizer/images.ts'
import { plainInputOf } from '../tokenizer/plain-input.ts'
import { hidesThought, NO_THOUGHT, thinksOnClaude, thoughtOf } from './expected-thought.ts'
import {
  callsServers,
  hasVendorTools,
  isSummedUp,
  type PossibleTools,
  passesOf,
  possibleToolsOf,
  resultsOf,
} from './expected-tools.ts'
import type { OutputLimit } from './model-output-limits.ts'
import { hasUnknownMembers } from './plain-members.ts'
import { contentOf, NO_CONTENT, type PromptContent } from './prompt-content.ts'

/**
 * The maximum usage of a call (docs/reference/billing.md#hold; docs/reference/model-output-limits.md). `keepsPrompts`:
 * whether the gateway may add cache marks for the vendor.
 */
export function expectedOf(call: Call, limit: OutputLimit, keepsPrompts: boolean): Expected {
  const { endpoint, json, maxOutput } = call
  const choices = choicesOf(endpoint, json)
  const talks = isConversation(endpoint)
  const thought = talks ? thoughtOf(call, limit) : NO_THOUGHT
  const found = talks ? contentOf(json) : NO_CONTENT
  const tools = talks ? possibleToolsOf(call, found.images, limit.searches) : undefined
  const limited = maxOutput > 0 || !writes(call) ? maxOutput : limit.tokens * choices
  const unlimited = writes(call) ? limit.unlimited * choices : 0
  const output = limited > 0 ? Math.max(limited + thought.extra * choices, unlimited) : 0
  const isLimitable = talks || endpoint === 'completions'
  return {
    ...(EMBEDS.has(endpoint)
      ? embeddingPromptOf(call)
      : promptOf(call, found, { passes: passesOf(json, tools), results: resultsOf(tools) })),
    minPrompt: isLimitable ? minPromptOf(call, found) : 0,
    output,
    minOutput: isLimitable ? Math.min(output, (MIN_OUTPUT + thought.min) * choices) : output,
    isLimitable,
    choices,
    unlimitedReasoning: thought.extra,
    hasHiddenReasoning:
      limit.hasHiddenReasoning || thought.min > 0 || (talks && (thinksOnClaude(call, limit) || hidesThought(json))),
    isReportedAtEnd:
      !writesText(call) || (talks && limit.draws) || hasVendorTools(call, limit.searches) || isSummedUp(json),
    callsServers: talks && callsServers(json),
    hasUnknownPrompt:
      found.unknown + found.audioParts + (limit.hasUnknownImages ? found.images : found.namedImages) > 0 ||
      (isLimitable && (limit.addsToPrompt || hasUnknownMembers(json))),
    possible: possibleOf(call, keepsPrompts ? marked(found, call, limit) : found, limit, tools),
  }
}

/** Whether the response is text only, whose cost is known as it arrives. */
const writesText = ({ endpoint, json }: Call): boolean =>
  isConversation(endpoint) ? !requestsAudio(json) && !requests(json, 'image') : endpoint === 'completions'

/** Prompts converted for Claude may get cache marks (docs/reference/conversion.md#prompt-caches). */
const marked = (
  content: Readonly<PromptContent>,
  { endpoint }: Call,
  { isClaude }: OutputLimit,
): Readonly<PromptContent> =>
  isClaude && isConversation(endpoint) && endpoint !== 'messages' && !content.cacheLife
    ? { ...content, cacheLife: 'minutes' }
    : content

/** Min tokens of an output limit; vendors accept no smaller one (OpenAI's API reference, `max_output_tokens`). */
const MIN_OUTPUT = 16

const NEVER = new Set<Call['endpoint']>([
  'embeddings',
  'moderations',
  'images',
  'image-edits',
  'predict',
  'rerank',
  'embed-content',
  'batch-embed-contents',
  'drawing',
  'task',
])

/** Whether the output limit of the model applies to the response. */
function writes({ endpoint, model }: Call): boolean {
  if (endpoint === 'speech') return !isByCharacter(model)
  if (endpoint === 'transcriptions' || endpoint === 'translations') return model.includes('-transcribe')
  return !NEVER.has(endpoint)
}

/** Bytes of a file per token: an image of one megabyte is about two thousand tokens. */
const BYTES_PER_TOKEN = 500
/** Bytes per token of speech at the lowest bit rate, in base64 (docs/reference/tokens.md#recordings). */
const AUDIO_BYTES_PER_TOKEN = 20
/** Fixed tokens of a recording. */
const PER_FILE = 5000
/** Tokens assumed for a prompt of unknown size (docs/reference/billing.md#hold). */
const CONTEXT = 1_048_576
const MAX_PROMPT = 2_000_000
/** How often the vendor's tools make it read the prompt, and the tokens of their results. */
type PromptTools = Readonly<{ passes: number; results: number }>
/**
 * Estimates a prompt's size: `prompt` at three bytes per token, `maxPrompt` at one and a fixed number per file. Exact
 * counting is only done if the reservation is too small or the upstream reports no usage.
 */
function promptOf({ bytes, input, model }: Call, content: Readonly<PromptContent>, { passes, results }: PromptTools) {
  const { images, audioParts, unknown, media } = content
  if (input !== null) return { prompt: input, maxPrompt: input }
  const inMedia = Math.ceil(media / BYTES_PER_TOKEN)
  const maxInMedia = audioParts > 0 ? Math.ceil(media / AUDIO_BYTES_PER_TOKEN) : inMedia
  const text = bytes.length - media
  const prompt = Math.min(Math.ceil(text / 3) + inMedia, MAX_PROMPT)
  const max =
    Math.max(text + maxInMedia + images * maxImageTokens(model) + audioParts * PER_FILE, prompt * passes) + results
  return {
    prompt,
    maxPrompt: Math.min(unknown > 0 ? Math.max(max, CONTEXT) : max, MAX_PROMPT),
  }
}

/** Max bytes of text per token, JSON included, and the bytes at the beginning that are mostly options. */
const MAX_BYTES_PER_TOKEN = 10
const OPTIONS = 1000

/**
 * The fewest tokens of a prompt, by the request's bytes: these include texts that only the vendor reads, at any place.
 */
const minPromptOf = ({ bytes, input }: Call, { media }: Readonly<PromptContent>): number =>
  input === null ? Math.max(0, Math.floor((bytes.length - media - OPTIONS) / MAX_BYTES_PER_TOKEN)) : 0

const EMBEDS: ReadonlySet<Endpoint> = new Set(['embeddings', 'embed-content', 'batch-embed-contents', 'rerank'])
/** The longest inputs that multimodal embeddings accept (Gemini API, "Embeddings"; Jina, "jina-embeddings-v4"). */
const MAX_EMBEDDED_FILE = 32_768

/** A file counts as the longest input. Vendors bill the query of a ranking once per document (Jina, "Reranker API"). */
function embeddingPromptOf(call: Call) {
  const { prompt, maxPrompt } = promptOf(call, NO_CONTENT, { passes: 1, results: 0 })
  const { images, documents } = plainInputOf(call.json)
  const inFiles = (images + documents) * MAX_EMBEDDED_FILE
  return { prompt, maxPrompt: Math.min(maxPrompt + inFiles + queriesIn(call), MAX_TOKENS) }
}

function queriesIn({ endpoint, json: { query, documents } }: Call): number {
  if (endpoint !== 'rerank' || !Array.isArray(documents)) return 0
  return documents.length * (typeof query === 'string' ? Buffer.byteLength(query) : MAX_EMBEDDED_FILE)
}

function possibleOf(
  call: Call,
  { images, audioParts, cacheLife }: Readonly<PromptContent>,
  limit: OutputLimit,
  tools: PossibleTools | undefined,
): PotentialExtras | undefined {
  const { endpoint, json } = call
  const hasAudioInput = audioParts > 0 || endpoint === 'transcriptions' || endpoint === 'translations'
  const hasAudioOutput = endpoint === 'speech' || requestsAudio(json)
  const hasImages = images > 0 || endpoint === 'image-edits'
  const tiers = tiersOf(json.service_tier, json.serviceTier, json.speed, json.inference_geo)
  if (!hasAudioInput && !hasAudioOutput && !hasImages && !cacheLife && !tools && tiers.length === 0) return undefined
  return {
    hasAudioInput,
    hasAudioOutput,
    hasImages,
    ...(cacheLife ? { cacheLife } : {}),
    ...(tiers.length > 0 ? { tiers } : {}),
    ...tools,
    isClaude: endpoint === 'messages' || limit.isClaude,
  }
}

const requestsAudio = (json: Readonly<JsonObject>): boolean => requests(json, 'audio')

function requests(json: Readonly<JsonObject>, kind: 'audio' | 'image'): boolean {
  const { responseModalities, response_modalities } = generationConfigOf(json)
  return [json.modalities, responseModalities, response_modalities].some(
    (kinds) => Array.isArray(kinds) && kinds.some((one) => textIn(one)?.toLowerCase() === kind),
  )
}
