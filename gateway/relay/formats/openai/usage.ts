import { isObject, objectIn, objectsIn } from '../../../base/json/json.ts'
import {
  completionIn,
  MAX_SEARCHES,
  MAX_TOKENS,
  tiersOf,
  tokenCount,
  type Usage,
  usageOf,
} from '../../../billing/usage.ts'
import type { Json } from '../codec.ts'

/**
 * Reads a `usage` object if its figures are valid (docs/reference/conversion.md#usage): undefined if prompt or
 * completion is missing or invalid, or both are 0. Parts never exceed their whole. The prompt includes cached tokens.
 */
export function usageIn(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined
  const prompt = promptIn(value)
  const details = objectIn(value.completion_tokens_details ?? value.output_tokens_details)
  const read = objectIn(value.prompt_tokens_details ?? value.input_tokens_details)
  const reads = [read.cached_tokens, value.prompt_cache_hit_tokens, value.cached_tokens]
  const writes = writtenIn(value, read)
  const output = value.completion_tokens ?? value.output_tokens
  const figures = { prompt, output, reasoning: details.reasoning_tokens, total: value.total_tokens }
  const completion = completionIn(figures, firstOf(reads, MAX_TOKENS) + firstOf(writes, MAX_TOKENS))
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  const cacheRead = firstOf(reads, prompt)
  const cacheWrite = firstOf(writes, prompt - cacheRead)
  return usageOf({
    prompt,
    completion,
    cacheRead,
    cacheWrite,
    cacheWriteHour: firstOf(writtenForAnHour(value, read), cacheWrite),
    reasoning: firstOf([details.reasoning_tokens, completion - (tokenCount(output) ?? completion)], completion),
    audioInput: firstOf([read.audio_tokens], prompt),
    imageInput: firstOf([read.image_tokens], prompt),
    audioOutput: firstOf([details.audio_tokens], completion),
    webSearches: firstOf(searchesIn(value, read), MAX_SEARCHES),
  })
}

/** Mistral's prompt excludes audio input, which its total includes. */
function promptIn(value: Json): number | undefined {
  const { total_tokens: total, completion_tokens: output, prompt_audio_seconds: seconds } = value
  const hasAudio = typeof seconds === 'number' && seconds > 0 && typeof total === 'number' && typeof output === 'number'
  return tokenCount(hasAudio ? total - output : (value.prompt_tokens ?? value.input_tokens))
}

/** Cache writes, under the names of OpenRouter, new-api, Qwen and LiteLLM. */
const writtenIn = (value: Json, read: Json): readonly unknown[] => [
  ...[read.cache_write_tokens, read.cached_creation_tokens],
  ...[read.cache_creation_input_tokens, read.cache_creation_tokens, value.cache_creation_input_tokens],
]

/** Cache writes that live for an hour, under the names of new-api and LiteLLM. */
const writtenForAnHour = (value: Json, read: Json): readonly unknown[] => [
  value.claude_cache_creation_1_h_tokens,
  objectIn(read.cache_creation_token_details).ephemeral_1h_input_tokens,
]

/** Searches that the vendor ran, under the names of OpenRouter, Qwen and LiteLLM. */
const searchesIn = (value: Json, read: Json): readonly unknown[] => [
  objectIn(value.server_tool_use).web_search_requests,
  objectIn(objectIn(value.plugins).search).count,
  read.web_search_requests,
]

/**
 * Returns the usage of a response or a chunk: at the top, in `x_groq` (Groq's streams), or in the choice (Moonshot).
 */
export function usageOfAnswer({ usage, x_groq, choices, service_tier: tier }: Json): Usage | undefined {
  const found = usageIn(usage ?? objectIn(x_groq).usage) ?? usageIn(objectsIn(choices)[0]?.usage)
  const tiers = found ? tiersOf(tier) : []
  return found && tiers.length > 0 ? { ...found, tiers } : found
}

export function usageOut(usage: Usage): Json {
  const cached = usage.semantics === 'anthropic' ? usage.cacheRead + usage.cacheWrite : 0
  const prompt = usage.prompt + cached
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.completion,
    total_tokens: prompt + usage.completion,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      audio_tokens: usage.audioInput,
      ...(usage.imageInput > 0 ? { image_tokens: usage.imageInput } : {}),
      ...(usage.cacheWrite > 0 ? { cache_write_tokens: usage.cacheWrite } : {}),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: usage.audioOutput },
    ...(usage.webSearches > 0 ? { server_tool_use: { web_search_requests: usage.webSearches } } : {}),
  }
}

/** Returns the first valid figure other than 0, at most `whole`: some vendors send 0 for names that they do not use. */
function firstOf(figures: readonly unknown[], whole: number): number {
  for (const figure of figures) {
    const count = tokenCount(figure)
    if (count) return Math.min(count, whole)
  }
  return 0
}
