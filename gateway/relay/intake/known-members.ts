import { objectIn } from '../../base/json/json.ts'

/** Members that decide what a call may do and what it costs, and those that hold the caller's content. */
const KNOWN = [
  ...[
    'model',
    'stream',
    'stream_format',
    'stream_options',
    'n',
    'best_of',
    'parameters',
    'background',
    'store',
    'group',
  ],
  ...['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'generationConfig', 'generation_config'],
  ...['web_search_options', 'max_tool_calls', 'conversation', 'previous_response_id', 'modalities', 'audio'],
  ...['thinking', 'reasoning', 'reasoning_effort', 'enable_thinking', 'thinking_budget', 'output_config'],
  ...['size', 'quality', 'image', 'images', 'mask', 'serviceTier', 'cachedContent', 'cached_content'],
  // Most are removed or refused (adaptation/vendor-edits.ts, adaptation/vendor-references.ts).
  ...['models', 'fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks', 'plugins', 'preset', 'extra_body'],
  ...['sequential_image_generation', 'sequential_image_generation_options', 'service_tier', 'safety_identifier'],
  ...['data_sources', 'dataSources', 'connectors', 'rag_options'],
  ...['inference_geo', 'speed', 'batch_size', 'num_images', 'num_images_per_prompt', 'num_outputs', 'number_of_images'],
  ...['sample_count', 'response_format'],
  // Texts (content-filter/prompt-texts.ts).
  ...['system', 'systemInstruction', 'system_instruction', 'instructions', 'instruction', 'messages', 'contents'],
  ...['content', 'requests', 'input', 'output', 'prompt', 'suffix', 'prediction', 'query', 'documents', 'texts'],
  ...['instances', 'title', 'tools', 'functions'],
  // Drawings and music.
  ...[
    'taskId',
    'customId',
    'action',
    'index',
    'base64',
    'base64Array',
    'sourceBase64',
    'targetBase64',
    'accountFilter',
  ],
  ...['notifyHook', 'mv', 'tags', 'task_id', 'continue_clip_id', 'gpt_description_prompt', 'make_instrumental'],
]

/**
 * The form in which servers with case-insensitive names compare them (Go, "encoding/json": Unicode's simple folding).
 */
export const folded = (name: string): string => name.toUpperCase().toLowerCase()

const KNOWN_NAMES: ReadonlySet<string> = new Set(KNOWN)
const known: ReadonlyMap<string, string> = new Map(KNOWN.map((name) => [folded(name), name]))

/**
 * A form field that is a list element or a member of a known single-valued field; some parsers take it for that field.
 */
export const listedMember = (names: readonly string[]): string | undefined =>
  names.find((name) => /^[^[]+(?=\[)/.exec(name)?.some((base) => KNOWN_NAMES.has(base) && !LISTS.has(base)))

const LISTS: ReadonlySet<string> = new Set(['image', 'images'])

/** Members of nested objects that decide what a request may do and what it costs, in every spelling that is read. */
const NESTED = [
  ...['candidateCount', 'candidate_count', 'maxOutputTokens', 'max_output_tokens', 'sampleCount', 'sample_count'],
  ...['responseModalities', 'response_modalities', 'thinkingConfig', 'thinking_config', 'serviceTier', 'service_tier'],
  ...['model', 'type', 'name', 'n', 'size', 'quality', 'max_uses', 'max_tokens', 'container', 'environment'],
  ...['googleSearch', 'google_search', 'googleSearchRetrieval', 'google_search_retrieval', 'search_context_size'],
  'include_usage',
]

/** Google's services read names with and without underscores, Go servers in any case. */
const plainName = (name: string): string => (name.length > MAX_KNOWN ? name : folded(name).replaceAll('_', ''))
/** Max characters of a name; longer ones are not another spelling of a known one. */
const MAX_KNOWN = 64

const NESTED_NAMES: ReadonlySet<string> = new Set(NESTED)
const nested: ReadonlySet<string> = new Set(NESTED.map(plainName))

/**
 * Returns the name of a nested member that is a known one in another spelling, or that repeats an earlier member in
 * another spelling (docs/reference/security.md#money). `plainNames` caches the plain form of the body's names.
 */
export function disguisedInside(value: unknown, plainNames: Map<string, string>): string | undefined {
  const names = Object.keys(objectIn(value))
  if (names.length < 2 && names.every((name) => NESTED_NAMES.has(name))) return undefined
  const seen = new Set<string>()
  return names.find((name) => {
    const plain = plainNames.get(name) ?? plainName(name)
    plainNames.set(name, plain)
    return (nested.has(plain) && !NESTED_NAMES.has(name)) || seen.size === seen.add(plain).size
  })
}

/** Lowercase names, which cannot differ from each other only in case. */
const PLAIN = /^[a-z\d_]*$/

/**
 * The name of a member that is a known one in another case, or that differs from another only in case. Go servers read
 * members in any case, and the last of two: such a member would bypass the checks (docs/reference/security.md#money).
 */
export function disguisedMember(names: readonly string[]): string | undefined {
  if (names.every((name) => KNOWN_NAMES.has(name))) return undefined
  // No server reads longer names.
  const short = names.filter(({ length }) => length <= MAX_KNOWN)
  const other = short.find((name) => (known.get(folded(name)) ?? name) !== name)
  if (other !== undefined || short.every((name) => PLAIN.test(name))) return other
  const seen = new Set<string>()
  return short.find((name) => seen.size === seen.add(folded(name)).size)
}
