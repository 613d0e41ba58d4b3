import { own } from '../../base/json/json.ts'
import type { Format } from './format.ts'

/**
 * The client's names of fields that cannot be converted, in each dialect, by the names that `drop` and `cannotSay`
 * receive. A name that is not listed is already the client's.
 */
const names: Readonly<Record<string, Readonly<Partial<Record<Format, string>>>>> = {
  topP: { openai: 'top_p', responses: 'top_p', anthropic: 'top_p', gemini: 'generationConfig.topP' },
  topK: { openai: 'top_k', anthropic: 'top_k', gemini: 'generationConfig.topK' },
  temperature: { gemini: 'generationConfig.temperature' },
  maxOutput: {
    openai: 'max_completion_tokens',
    responses: 'max_output_tokens',
    anthropic: 'max_tokens',
    gemini: 'generationConfig.maxOutputTokens',
  },
  frequencyPenalty: { openai: 'frequency_penalty', gemini: 'generationConfig.frequencyPenalty' },
  presencePenalty: { openai: 'presence_penalty', gemini: 'generationConfig.presencePenalty' },
  seed: { gemini: 'generationConfig.seed' },
  stop: { openai: 'stop', anthropic: 'stop_sequences', gemini: 'generationConfig.stopSequences' },
  choices: { openai: 'n', gemini: 'generationConfig.candidateCount' },
  logProbabilities: {
    openai: 'logprobs',
    responses: 'top_logprobs',
    gemini: 'generationConfig.responseLogprobs',
  },
  parallelToolCalls: {
    openai: 'parallel_tool_calls',
    responses: 'parallel_tool_calls',
    anthropic: 'tool_choice.disable_parallel_tool_use',
  },
  toolChoice: { openai: 'tool_choice', responses: 'tool_choice', anthropic: 'tool_choice', gemini: 'toolConfig' },
  reasoning: {
    openai: 'reasoning_effort',
    responses: 'reasoning',
    anthropic: 'thinking',
    gemini: 'generationConfig.thinkingConfig',
  },
  summary: {
    openai: 'reasoning.exclude',
    responses: 'reasoning.summary',
    anthropic: 'thinking.display',
    gemini: 'generationConfig.thinkingConfig.includeThoughts',
  },
  output: {
    openai: 'response_format',
    responses: 'text.format',
    anthropic: 'output_config.format',
    gemini: 'generationConfig.responseMimeType',
  },
  modalities: { openai: 'modalities', gemini: 'generationConfig.responseModalities' },
  voice: { openai: 'audio', gemini: 'generationConfig.speechConfig' },
  user: { openai: 'user', responses: 'user', anthropic: 'metadata.user_id' },
  cacheKey: { openai: 'prompt_cache_key', responses: 'prompt_cache_key' },
  cache: { openai: 'cache_control', responses: 'prompt_cache_breakpoint', anthropic: 'cache_control' },
  verbosity: { openai: 'verbosity', responses: 'text.verbosity' },
  detail: { openai: 'image_url.detail', responses: 'input_image.detail', gemini: 'mediaResolution' },
  strict: { openai: 'tools.strict', responses: 'tools.strict', anthropic: 'tools.strict' },
  isError: {
    responses: 'apply_patch_call_output.status',
    anthropic: 'tool_result.is_error',
    gemini: 'functionResponse.response.error',
  },
  name: { openai: 'messages.name' },
  image: { openai: 'image_url', responses: 'input_image', anthropic: 'image', gemini: 'inlineData' },
  document: { openai: 'file', responses: 'input_file', anthropic: 'document', gemini: 'inlineData' },
  audio: { openai: 'input_audio', responses: 'input_audio', gemini: 'inlineData' },
  video: { openai: 'video_url', gemini: 'inlineData' },
  filename: { openai: 'file.filename', responses: 'input_file.filename', anthropic: 'document.title' },
  file: { openai: 'file.file_id', responses: 'file_id', anthropic: 'source.file_id', gemini: 'fileData' },
  'tools.web-search': {
    openai: 'web_search_options',
    responses: 'tools.web_search',
    anthropic: 'tools.web_search',
    gemini: 'tools.googleSearch',
  },
  'search.contextSize': {
    openai: 'web_search_options.search_context_size',
    responses: 'tools.web_search.search_context_size',
  },
  'search.maxUses': { responses: 'max_tool_calls', anthropic: 'tools.web_search.max_uses' },
  'search.allowedDomains': {
    responses: 'tools.web_search.filters.allowed_domains',
    anthropic: 'tools.web_search.allowed_domains',
  },
  'search.blockedDomains': {
    responses: 'tools.web_search.filters.blocked_domains',
    anthropic: 'tools.web_search.blocked_domains',
    gemini: 'tools.googleSearch.excludeDomains',
  },
  'search.location': {
    openai: 'web_search_options.user_location',
    responses: 'tools.web_search.user_location',
    anthropic: 'tools.web_search.user_location',
  },
  'tools.code-execution': {
    responses: 'tools.code_interpreter',
    anthropic: 'tools.code_execution',
    gemini: 'tools.codeExecution',
  },
  'tools.url-context': { anthropic: 'tools.web_fetch', gemini: 'tools.urlContext' },
}

/** Schemas whose keywords are reported individually: `toolSchema.anyOf`. */
const schemas: Readonly<Record<string, Readonly<Record<Format, string>>>> = {
  toolSchema: {
    openai: 'tools.function.parameters',
    responses: 'tools.parameters',
    anthropic: 'tools.input_schema',
    gemini: 'tools.functionDeclarations.parametersJsonSchema',
  },
  outputSchema: {
    openai: 'response_format.json_schema.schema',
    responses: 'text.format.schema',
    anthropic: 'output_config.format.schema',
    gemini: 'generationConfig.responseJsonSchema',
  },
}

/** The conversation's names, keyed by OpenAI's, which compatible vendors use to report ignored fields. */
const byOpenai = new Map(Object.entries(names).flatMap(([name, { openai }]) => (openai ? [[openai, name]] : [])))

/**
 * Returns the client's name of a field. `given` may contain a name that the client chose, so only its first 200
 * characters are used.
 */
export function fieldName(given: string, client: Format): string {
  const name = given.slice(0, MAX_NAME_LENGTH)
  return own(names, name)?.[client] ?? names[byOpenai.get(name) ?? '']?.[client] ?? keywordName(name, client)
}

const MAX_NAME_LENGTH = 200

function keywordName(name: string, client: Format): string {
  const dot = name.indexOf('.')
  const schema = dot < 0 ? undefined : own(schemas, name.slice(0, dot))
  return schema ? schema[client] + name.slice(dot) : name
}
