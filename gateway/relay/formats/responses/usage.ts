import { isObject, type JsonObject, objectIn } from '../../../base/json/json.ts'
import {
  completionIn,
  MAX_TOKENS,
  type ToolUsage,
  tiersOf,
  tokenCount,
  type Usage,
  usageOf,
} from '../../../billing/usage.ts'

/**
 * Reads the usage of a response (docs/reference/conversion.md#usage), whose input includes the cache; undefined if it
 * is invalid.
 */
export function readUsage({ usage: wire, service_tier: tier }: JsonObject, hosted: ToolUsage): Usage | undefined {
  if (!isObject(wire)) return undefined
  const prompt = tokenCount(wire.input_tokens)
  const read = objectIn(wire.input_tokens_details)
  const written = objectIn(wire.output_tokens_details)
  const output = wire.output_tokens
  const figures = { prompt, output, reasoning: written.reasoning_tokens, total: wire.total_tokens }
  const ofCache = part(read.cached_tokens, MAX_TOKENS) + part(read.cache_write_tokens, MAX_TOKENS)
  const completion = completionIn(figures, ofCache)
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  const cacheRead = part(read.cached_tokens, prompt)
  return usageOf({
    prompt,
    completion,
    cacheRead,
    cacheWrite: part(read.cache_write_tokens, prompt - cacheRead),
    reasoning: part(written.reasoning_tokens ?? completion - (tokenCount(output) ?? completion), completion),
    audioInput: part(read.audio_tokens, prompt),
    imageInput: part(read.image_tokens, prompt),
    audioOutput: part(written.audio_tokens, completion),
    tiers: tiersOf(tier),
    ...hosted,
  })
}

export function writeUsage(usage: Usage): JsonObject {
  const cached = usage.semantics === 'anthropic' ? usage.cacheRead + usage.cacheWrite : 0
  const input = usage.prompt + cached
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite,
      ...(usage.audioInput > 0 ? { audio_tokens: usage.audioInput } : {}),
      ...(usage.imageInput > 0 ? { image_tokens: usage.imageInput } : {}),
    },
    output_tokens: usage.completion,
    output_tokens_details: {
      reasoning_tokens: usage.reasoning,
      ...(usage.audioOutput > 0 ? { audio_tokens: usage.audioOutput } : {}),
    },
    total_tokens: input + usage.completion,
  }
}

/** Returns a part of a figure, at most the whole; 0 if it is invalid. */
const part = (value: unknown, whole: number): number => Math.min(tokenCount(value) ?? 0, whole)
