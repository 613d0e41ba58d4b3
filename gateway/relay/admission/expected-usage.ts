import { isObject, type JsonObject, numberIn, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { PotentialExtras } from '../../billing/billable-extras.ts'
import { tiersOf } from '../../billing/usage.ts'
import { chatModel } from '../capabilities/chat-models.ts'
import { efforts } from '../capabilities/effort.ts'
import { budgetOfEffort } from '../formats/anthropic/thinking.ts'
import { choicesOf, generationConfigOf } from '../intake/choices.ts'
import { isByCharacter } from '../intake/known-input.ts'
import type { Call } from '../model/call.ts'
import { isConversation } from '../model/endpoint.ts'
import type { Expected } from '../model/plan.ts'
import { imageTokens } from '../tokenizer/images.ts'
import {
  countIn,
  hasVendorTools,
  isSummedUp,
  type PossibleTools,
  passesOf,
  possibleToolsOf,
  toolsThatRead,
} from './expected-tools.ts'
import type { OutputLimit } from './model-output-limits.ts'

/**
 * The maximum usage of a call (docs/reference/billing.md#hold; docs/reference/model-output-limits.md); `keepsPrompts`
 * if the gateway may add cache marks for the vendor.
 */
export function expectedOf(call: Call, limit: OutputLimit, keepsPrompts: boolean): Expected {
  const { endpoint, json, maxOutput } = call
  const choices = choicesOf(endpoint, json)
  const talks = isConversation(endpoint)
  const thought = talks ? thoughtOf(call, limit) : NO_THOUGHT
  const found = talks ? contentOf(json) : NO_CONTENT
  const tools = talks ? possibleToolsOf(call, found.images, limit.searches) : undefined
  const limited = maxOutput > 0 || !writes(call) ? maxOutput : limit.tokens * choices
  const output = limited > 0 ? limited + thought.extra * choices : 0
  const isLimitable = talks || endpoint === 'completions'
  return {
    ...promptOf(call, found, passesOf(json, tools)),
    output,
    minOutput: isLimitable ? Math.min(output, (MIN_OUTPUT + thought.min) * choices) : output,
    isLimitable,
    choices,
    unlimitedReasoning: thought.extra,
    hasHiddenReasoning: limit.hasHiddenReasoning || thought.min > 0,
    isReportedAtEnd: !writesText(call) || hasVendorTools(call, limit.searches) || isSummedUp(json),
    possible: possibleOf(call, keepsPrompts ? marked(found, call, limit) : found, limit, tools),
  }
}

/** Whether the response is text only, whose cost is known as it arrives. */
const writesText = ({ endpoint, json }: Call): boolean =>
  isConversation(endpoint) ? !requestsAudio(json) : endpoint === 'completions'

/** Prompts converted for Claude may get cache marks (docs/reference/conversion.md#prompt-caches). */
const marked = (content: Readonly<Content>, { endpoint }: Call, { isClaude }: OutputLimit): Readonly<Content> =>
  isClaude && isConversation(endpoint) && endpoint !== 'messages' && !content.cacheLife
    ? { ...content, cacheLife: 'minutes' }
    : content

/** Vendors accept no smaller limit (OpenAI's API reference, `max_output_tokens`). */
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

/** Whether the response consists of billed tokens. */
function writes({ endpoint, model }: Call): boolean {
  if (endpoint === 'speech') return !isByCharacter(model)
  if (endpoint === 'transcriptions' || endpoint === 'translations') return model.includes('-transcribe')
  return !NEVER.has(endpoint)
}

/** Reasoning tokens: `extra` is in addition to the output limit, `min` is the least that a limit must allow for. */
type Thought = Readonly<{ extra: number; min: number }>
const NO_THOUGHT: Thought = { extra: 0, min: 0 }
/** Longest reasoning of Qwen's models, in tokens (docs/reference/model-output-limits.md). */
const QWEN_THOUGHT = 81_920

/**
 * Anthropic counts reasoning within `max_tokens`, unless its budget is larger; conversions to Claude add it to
 * `max_tokens`.
 */
function thoughtOf({ endpoint, json, model, stream }: Call, { isClaude, isQwen }: OutputLimit): Thought {
  if (endpoint === 'messages') {
    const budget = countIn(objectIn(json.thinking).budget_tokens) ?? 0
    const isInside = budget < (numberIn(json.max_tokens) ?? 0)
    return budget > 0 ? { extra: isInside ? 0 : budget, min: budget } : NO_THOUGHT
  }
  if (isQwen) {
    const thinks = chatModel(model)?.thinks
    // Non-streaming responses have no reasoning (docs/reference/channel-types.md#alibaba-dashscope).
    const isDefault = stream && json.enable_thinking !== false && (thinks === 'unless-off' || thinks === 'always')
    const isRequested = json.enable_thinking === true || json.thinking_budget !== undefined || isDefault
    const extra = isRequested ? (countIn(json.thinking_budget) ?? QWEN_THOUGHT) : 0
    return { extra, min: 0 }
  }
  if (!isClaude) return NO_THOUGHT
  const effort = effortOf(json) ?? (model.endsWith('-thinking') ? 'medium' : undefined)
  const known = efforts.find((name) => name === effort)
  const extra = known ? budgetOfEffort(known) : 0
  return { extra, min: extra }
}

export const effortOf = (json: Readonly<JsonObject>): string | undefined =>
  textIn(json.reasoning_effort) ??
  textIn(objectIn(json.reasoning).effort) ??
  textIn(objectIn(json.output_config).effort)

/**
 * Non-text parts of a prompt; `unknown` counts files and earlier turns of unknown size, `media` the characters of
 * files.
 */
type Content = {
  images: number
  audioParts: number
  unknown: number
  media: number
  cacheLife: PotentialExtras['cacheLife']
}
const NO_CONTENT: Readonly<Content> = { images: 0, audioParts: 0, unknown: 0, media: 0, cacheLife: undefined }

/** Earlier turns, prompts and caches that the vendor stores. */
const STORED_BY_VENDOR = ['previous_response_id', 'conversation', 'thread', 'cachedContent', 'cached_content']

function contentOf(json: Readonly<JsonObject>): Content {
  const content: Content = { ...NO_CONTENT }
  note(json, content)
  if (isObject(json.prompt) || STORED_BY_VENDOR.some((field) => json[field])) content.unknown += 1
  for (const field of ['system', 'systemInstruction', 'system_instruction', 'messages', 'input', 'contents'])
    look(json[field], content)
  for (const tool of objectsIn(json.tools)) note(tool, content)
  content.unknown += toolsThatRead(json)
  return content
}

function look(value: unknown, content: Content): void {
  if (Array.isArray(value)) for (const item of value) look(item, content)
  else if (isObject(value)) {
    note(value, content)
    if (typeof value.type === 'string') take(value.type, value, content)
    if (typeof value.role === 'string' && isObject(value.audio)) content.unknown += 1
    for (const name in value) if (isDisguisedFile(name)) content.unknown += 1
    for (const field of ['inlineData', 'inline_data']) {
      const data = value[field]
      if (!isObject(data)) continue
      const kind = kindOf(data)
      take(kind, {}, content)
      if (kind !== 'text') content.media += fileLength(data.data)
    }
    content.media += fileLength(value.thoughtSignature)
    for (const field of ['fileData', 'file_data']) {
      const data = value[field]
      if (!isObject(data)) continue
      const kind = kindOf(data)
      take(kind, {}, content)
      if (kind !== 'image') content.unknown += 1
    }
    look(value.content, content)
    look(objectIn(value.functionResponse ?? value.function_response).parts, content)
    look(objectIn(value.source).content, content)
    look(value.parts, content)
    look(value.output, content)
  }
}

/** Counts the cache marks of Anthropic and of OpenAI's Responses. */
function note({ cache_control, prompt_cache_breakpoint }: Readonly<JsonObject>, content: Content): void {
  if (cache_control === undefined && prompt_cache_breakpoint === undefined) return
  const isHour = objectIn(cache_control).ttl === '1h'
  content.cacheLife = isHour || content.cacheLife === 'hour' ? 'hour' : 'minutes'
}

const kindOf = (data: JsonObject): string =>
  /^\w+/.exec(textIn(data.mimeType) ?? textIn(data.mime_type) ?? '')?.[0] ?? 'file'

/** A file under another spelling of its member, which a vendor may accept. */
const isDisguisedFile = (name: string): boolean => !FILE_MEMBERS.has(name) && /^(inline|file)_?data$/i.test(name)
const FILE_MEMBERS = new Set(['fileData', 'file_data', 'inlineData', 'inline_data'])

const IMAGES = new Set(['image', 'image_url', 'input_image', 'computer_screenshot'])
const AUDIO_TYPES = new Set(['input_audio', 'audio', 'audio_url', 'video', 'video_url'])
/** Files whose bytes do not show how much text or how many images they have, and items that a vendor stores. */
const UNKNOWN = new Set([
  'file',
  'input_file',
  'document',
  'application',
  'video',
  'video_url',
  'audio_url',
  'item_reference',
])

function take(type: string, part: JsonObject, content: Content): void {
  if (IMAGES.has(type)) content.images += 1
  if (AUDIO_TYPES.has(type)) content.audioParts += 1
  const isNamed = type === 'input_audio' && /^https?:/.test(textIn(objectIn(part.input_audio).data) ?? '')
  const isFile = !isPlain(part) && (IMAGES.has(type) || AUDIO_TYPES.has(type) || UNKNOWN.has(type))
  if (isNamed || (isFile && UNKNOWN.has(type)) || !KNOWN.has(type)) content.unknown += 1
  if (isFile) for (const data of dataIn(part)) content.media += fileLength(data)
  else if (type === 'reasoning' || type === 'compaction') content.media += fileLength(part.encrypted_content)
}

/** The members that hold files in the parts of all dialects. */
const dataIn = ({ image_url, source, input_audio, file, file_data, video_url }: JsonObject): readonly unknown[] => [
  isObject(image_url) ? image_url.url : image_url,
  objectIn(source).data,
  objectIn(input_audio).data,
  objectIn(file).file_data,
  file_data,
  objectIn(video_url).url,
]

/**
 * Every type of part and item whose size is known from the request's bytes. Any other type may stand for a file of any
 * length, such as `document_url` or `file_url`.
 */
const KNOWN: ReadonlySet<string> = new Set([
  ...IMAGES,
  ...AUDIO_TYPES,
  ...UNKNOWN,
  ...['text', 'input_text', 'output_text', 'summary_text', 'reasoning_text', 'refusal', 'content', 'message'],
  ...['thinking', 'redacted_thinking', 'reasoning', 'compaction', 'compaction_summary', 'signature'],
  ...['tool_use', 'server_tool_use', 'tool_result', 'function', 'function_call', 'function_call_output'],
  ...['custom', 'custom_tool_call', 'custom_tool_call_output', 'tool_call', 'tool_search_call', 'tool_search_output'],
  ...[
    'tool_reference',
    'additional_tools',
    'apply_patch_call',
    'apply_patch_call_output',
    'shell_call',
    'shell_call_output',
  ],
  ...['local_shell_call', 'local_shell_call_output', 'computer_call', 'computer_call_output', 'web_search_call'],
  ...['file_search_call', 'code_interpreter_call', 'image_generation_call', 'mcp_call', 'mcp_list_tools'],
  ...['mcp_approval_request', 'mcp_approval_response', 'mcp_tool_use', 'mcp_tool_result', 'search_result'],
  ...['web_search_tool_result', 'web_search_result', 'web_search_tool_result_error', 'web_fetch_tool_result'],
  ...['web_fetch_result', 'code_execution_tool_result', 'bash_code_execution_tool_result', 'tool_search_tool_result'],
  ...['text_editor_code_execution_tool_result', 'advisor_tool_result', 'advisor_result', 'ephemeral', 'json', 'base64'],
])

/** Characters; shorter strings are not files. */
const MIN_FILE = 1024

/** Characters of a base64 file; 0 for text, which has spaces. */
const fileLength = (data: unknown): number =>
  typeof data === 'string' && data.length >= MIN_FILE && !data.includes(' ', data.indexOf(',') + 1) ? data.length : 0

/** A text file, whose bytes are counted, or Anthropic's document of parts, which are counted separately. */
const isPlain = ({ source, file, file_data }: JsonObject): boolean =>
  /^(text|content)$/.test(textIn(objectIn(source).type) ?? '') ||
  textIn(objectIn(file).file_data ?? file_data)?.startsWith('data:text/') === true

/** An image of one megabyte is about two thousand tokens. */
const BYTES_PER_TOKEN = 500
/** For speech at the lowest bit rate, in base64 (docs/reference/tokens.md#recordings). */
const AUDIO_BYTES_PER_TOKEN = 20
/** Fixed tokens of a recording. */
const PER_FILE = 5000
/** The largest contexts of models (docs/reference/billing.md#hold). */
const CONTEXT = 1_048_576
const MAX_PROMPT = 2_000_000
const MAX_IMAGE_SIZE = { width: 2048, height: 768 }

/**
 * Estimates a prompt's size: usually three bytes per token, at least one, and a fixed number per file. Exact counting
 * is only done if the upstream reports no usage.
 */
function promptOf({ bytes, input, model }: Call, content: Readonly<Content>, passes: number) {
  const { images, audioParts, unknown, media } = content
  if (input !== null) return { prompt: input, maxPrompt: input }
  const inMedia = Math.ceil(media / BYTES_PER_TOKEN)
  const maxInMedia = audioParts > 0 ? Math.ceil(media / AUDIO_BYTES_PER_TOKEN) : inMedia
  const text = bytes.length - media
  const eachImage = images > 0 ? imageTokens(model, 'high', MAX_IMAGE_SIZE) : 0
  const prompt = Math.min(Math.ceil(text / 3) + inMedia, MAX_PROMPT)
  const max = Math.max(text + maxInMedia + images * eachImage + audioParts * PER_FILE, prompt * passes)
  return {
    prompt,
    maxPrompt: Math.min(unknown > 0 ? Math.max(max, CONTEXT) : max, MAX_PROMPT),
  }
}

function possibleOf(
  call: Call,
  { images, audioParts, cacheLife }: Readonly<Content>,
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

function requestsAudio(json: Readonly<JsonObject>): boolean {
  const { responseModalities, response_modalities } = generationConfigOf(json)
  return audioIn(json.modalities) || audioIn(responseModalities) || audioIn(response_modalities)
}

const audioIn = (modalities: unknown): boolean =>
  Array.isArray(modalities) && modalities.some((kind) => textIn(kind)?.toLowerCase() === 'audio')
