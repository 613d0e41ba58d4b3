import { isObject, type JsonObject, objectIn, objectsIn, textIn } from '../../base/json/json.ts'
import type { PotentialExtras } from '../../billing/billable-extras.ts'
import { toolsThatRead } from './expected-tools.ts'

/**
 * Non-text parts of a prompt; `unknown` counts files and earlier turns of unknown size, `namedImages` the images given
 * by URL, `media` the characters of base64 data: files, and parts that vendors sealed.
 */
export type PromptContent = {
  images: number
  namedImages: number
  audioParts: number
  unknown: number
  media: number
  cacheLife: PotentialExtras['cacheLife']
}
export const NO_CONTENT: Readonly<PromptContent> = {
  images: 0,
  namedImages: 0,
  audioParts: 0,
  unknown: 0,
  media: 0,
  cacheLife: undefined,
}

/** Earlier turns, prompts and caches that the vendor stores. */
const STORED_BY_VENDOR = ['previous_response_id', 'conversation', 'thread', 'cachedContent', 'cached_content']

export function contentOf(json: Readonly<JsonObject>): PromptContent {
  const content: PromptContent = { ...NO_CONTENT }
  note(json, content)
  if (isObject(json.prompt) || STORED_BY_VENDOR.some((field) => json[field])) content.unknown += 1
  for (const field of ['system', 'systemInstruction', 'system_instruction', 'messages', 'input', 'contents'])
    look(json[field], content)
  for (const tool of objectsIn(json.tools)) note(tool, content)
  content.unknown += toolsThatRead(json)
  return content
}

function look(value: unknown, content: PromptContent): void {
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
      take(kind, {}, content, isInline(data.data))
      if (kind !== 'text') content.media += fileLength(data.data)
    }
    for (const field of SEALED) content.media += fileLength(value[field])
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

/** Members of earlier responses that vendors have encrypted or drawn. */
const SEALED = ['thoughtSignature', 'encrypted_content', 'signature', 'data', 'result']

/** Notes the lifetime that the cache marks of Anthropic and of OpenAI's Responses request. */
function note({ cache_control, prompt_cache_breakpoint }: Readonly<JsonObject>, content: PromptContent): void {
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

function take(
  type: string,
  part: JsonObject,
  content: PromptContent,
  hasBytes: boolean = dataIn(part).some(isInline),
): void {
  if (IMAGES.has(type)) content.images += 1
  if (IMAGES.has(type) && !hasBytes) content.namedImages += 1
  if (AUDIO_TYPES.has(type)) content.audioParts += 1
  const isNamed = type === 'input_audio' && /^https?:/.test(textIn(objectIn(part.input_audio).data) ?? '')
  const isFile = !isPlain(part) && (IMAGES.has(type) || AUDIO_TYPES.has(type) || UNKNOWN.has(type))
  if (isNamed || (isFile && UNKNOWN.has(type)) || !KNOWN.has(type)) content.unknown += 1
  if (isFile) for (const data of dataIn(part)) content.media += fileLength(data)
}

const isInline = (data: unknown): boolean => typeof data === 'string' && !/^https?:/i.test(data)

/** The values of the members that may hold a file in a part of any dialect but Gemini's. */
const dataIn = ({ image_url, source, input_audio, file, file_data, video_url }: JsonObject): readonly unknown[] => [
  isObject(image_url) ? image_url.url : image_url,
  objectIn(source).data,
  objectIn(input_audio).data,
  objectIn(file).file_data,
  file_data,
  objectIn(video_url).url,
]

/**
 * Every type of part and item that is counted separately or whose size is known from the request's bytes. Any other
 * type may stand for a file of any length, such as `document_url` or `file_url`.
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

/** Min characters of a file; shorter strings are not files. */
const MIN_FILE = 1024

/** Characters of a base64 file; 0 for text, which has spaces. */
const fileLength = (data: unknown): number =>
  typeof data === 'string' && data.length >= MIN_FILE && !data.includes(' ', data.indexOf(',') + 1) ? data.length : 0

/** A text file, whose bytes are counted, or Anthropic's document of parts, which are counted separately. */
const isPlain = ({ source, file, file_data }: JsonObject): boolean =>
  /^(text|content)$/.test(textIn(objectIn(source).type) ?? '') ||
  textIn(objectIn(file).file_data ?? file_data)?.startsWith('data:text/') === true
