import { isObject, type JsonObject, objectIn, objectsIn } from '../../../base/json/json.ts'
import { searchCount, tiersOf, tokenCount, type Usage, usageOf } from '../../../billing/usage.ts'
import type { Json } from '../codec.ts'

/**
 * Merges a usage object with a later one of the same response. The vendor's figures are cumulative; some imitators begin
 * or end with zeros, which are ignored. An invalid later figure invalidates the earlier one.
 */
export function joinedUsage(earlier: Json, later: unknown): JsonObject {
  const joined: JsonObject = { ...earlier }
  const update = objectIn(later)
  for (const name of JOINED) {
    const value = update[name]
    if (value == null) continue
    if (isObject(value)) joined[name] = joinedUsage(objectIn(joined[name]), value)
    else if (Array.isArray(value)) joined[name] = value.slice(0, MAX_ITERATIONS)
    else if (tokenCount(value) !== 0 || tokenCount(joined[name]) === undefined) joined[name] = value
  }
  return joined
}

const JOINED = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'cache_creation',
  'ephemeral_5m_input_tokens',
  'ephemeral_1h_input_tokens',
  'output_tokens_details',
  'thinking_tokens',
  'server_tool_use',
  'web_search_requests',
  'iterations',
  'speed',
  'inference_geo',
] as const
/** Max entries of a list that are read, since they are read again with each event. */
const MAX_ITERATIONS = 100

/**
 * Returns a usage object's figures (docs/reference/conversion.md#usage); undefined if input or output is missing or
 * invalid, or if all figures are 0. Adds the cost of compaction and of advisors, which the response's figures do not
 * include (Anthropic, "Compaction": usage; "Advisor tool").
 */
export function usageIn(value: unknown): Usage | undefined {
  const wire = objectIn(value)
  const iterations = objectsIn(wire.iterations)
  const own = sumOf([wire, ...iterations.filter(({ type }) => type === 'compaction')])
  const advice = iterations.filter(({ type }) => type === 'advisor_message')
  const advised = sumOf(advice)
  if (!own || !advised || own.prompt + own.completion + own.cacheRead + own.cacheWrite === 0) return undefined
  return usageOf({
    ...own,
    reasoning: Math.min(tokenCount(objectIn(wire.output_tokens_details).thinking_tokens) ?? 0, own.completion),
    webSearches: searchCount(objectIn(wire.server_tool_use).web_search_requests) ?? 0,
    secondModel: advice.length > 0 ? { calls: advice.length, tokens: usageOf(advised) } : null,
    // Priority is a commitment of the account, which does not affect the price.
    tiers: tiersOf(wire.speed, wire.inference_geo),
    semantics: 'anthropic',
  })
}

type Figures = Pick<Usage, 'prompt' | 'completion' | 'cacheRead' | 'cacheWrite' | 'cacheWriteHour' | 'semantics'>

/** Returns undefined if an input or output figure or a sum is invalid; other invalid figures count as 0. */
function sumOf(wires: readonly JsonObject[]): Figures | undefined {
  const sum = { prompt: 0, completion: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: 0 }
  for (const wire of wires) {
    const prompt = tokenCount(wire.input_tokens)
    const completion = tokenCount(wire.output_tokens)
    if (prompt === undefined || completion === undefined) return undefined
    const written = objectIn(wire.cache_creation)
    const hour = tokenCount(written.ephemeral_1h_input_tokens) ?? 0
    const minutes = tokenCount(written.ephemeral_5m_input_tokens) ?? 0
    const cacheWrite = tokenCount(wire.cache_creation_input_tokens) || (tokenCount(hour + minutes) ?? 0)
    sum.prompt += prompt
    sum.completion += completion
    sum.cacheRead += tokenCount(wire.cache_read_input_tokens) ?? 0
    sum.cacheWrite += cacheWrite
    sum.cacheWriteHour += Math.min(hour, cacheWrite)
  }
  const isBelieved = Object.values(sum).every((tokens) => tokenCount(tokens) !== undefined)
  return isBelieved ? { ...sum, semantics: 'anthropic' } : undefined
}

/** Writes the usage object; its input excludes tokens written to or read from a cache. */
export function usageOut(usage: Usage): Json {
  const { cacheRead, cacheWrite, cacheWriteHour, reasoning, webSearches } = usage
  const cached = usage.semantics === 'openai' ? cacheRead + cacheWrite : 0
  return {
    input_tokens: Math.max(usage.prompt - cached, 0),
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    ...(cacheWrite > 0 ? { cache_creation: writesOut(cacheWrite, cacheWriteHour) } : {}),
    output_tokens: usage.completion,
    ...(reasoning > 0 ? { output_tokens_details: { thinking_tokens: reasoning } } : {}),
    ...(webSearches > 0 ? { server_tool_use: { web_search_requests: webSearches, web_fetch_requests: 0 } } : {}),
  }
}

const writesOut = (all: number, hour: number): Json => ({
  ephemeral_5m_input_tokens: Math.max(all - hour, 0),
  ephemeral_1h_input_tokens: hour,
})
