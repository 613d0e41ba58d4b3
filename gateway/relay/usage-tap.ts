import { tokenCount, type Usage, usageOf } from '../billing/usage.ts'
import { createPattern } from './delta-pattern.ts'
import { createGauge, type Gauge } from './tokens/estimate.ts'

/** Reads a copy of an OpenAI-shaped answer while its bytes pass by: usage, the text produced, how it ended. */
export interface UsageTap {
  /** Takes one whole answer, parsed. */
  event(json: unknown): void
  /** Takes whole lines of a stream where they are plain text deltas and nothing else; false when they must be read one by one. */
  plain(lines: string): boolean
  /** Takes the payload of one stream event; true for the event that holds usage and nothing else. */
  payload(text: string): boolean
  readonly seen: Readonly<Seen>
  /** Anything the caller would pay for has been produced. */
  produced(): boolean
  /** The upstream's own figures, or an estimate over what was delivered and `prompt` tokens of input. */
  usage(prompt: () => number): Usage
}

/**
 * What has passed by so far. Plain fields: a getter in an object made for each request would give that object a hidden
 * class of its own, which keeps the whole request alive until the next full collection.
 */
export type Seen = {
  /** The stream's own end mark. */
  done: boolean
  /** A finish reason or the end mark: the client has everything. */
  finished: boolean
  /** An error inside the answer. */
  error: Record<string, unknown> | null
  /** Figures of the upstream that can be believed. */
  usage: Usage | null
}

/** A tap for chat, completion and embedding answers of the OpenAI dialect (spec/relay.md §3.8, §6.6). */
export function createTap(model: string): UsageTap {
  const gauge = createGauge(model)
  const seen: Seen = { done: false, finished: false, error: null, usage: null }
  let calls = 0
  const pattern = createPattern(gauge)
  const event = (json: unknown) => {
    if (!isObject(json)) return
    if (isObject(json.error)) seen.error = json.error
    const usage = usageIn(json.usage)
    if (usage) seen.usage = usage
    if (!Array.isArray(json.choices)) return
    for (const choice of json.choices) {
      if (!isObject(choice)) continue
      if (choice.finish_reason) seen.finished = true
      calls = Math.max(calls, gaugeChoice(gauge, choice))
    }
  }
  return {
    event,
    plain: pattern.takes,
    payload(text) {
      if (text.startsWith(DONE)) {
        seen.done = true
        seen.finished = true
        return false
      }
      const json = parsed(text)
      event(json)
      pattern.learn(text, json)
      return holdsUsageAlone(json)
    },
    seen,
    produced: () => gauge.tokens() > 0 || (seen.usage?.completion ?? 0) > 0,
    usage(prompt) {
      if (seen.usage) return seen.usage
      const completion = gauge.tokens() + PER_TOOL_CALL * calls
      return usageOf({ prompt: prompt(), completion, source: 'estimated' })
    },
  }
}

const DONE = '[DONE]'

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const holdsUsageAlone = (json: unknown): boolean =>
  isObject(json) && isObject(json.usage) && Array.isArray(json.choices) && json.choices.length === 0

/** Tokens added for each parallel tool call when the upstream gives no usage (spec/relay.md §6.6). */
const PER_TOOL_CALL = 7

/** Feeds what a choice produced to the gauge; answers the number of tool calls it has. */
function gaugeChoice(gauge: Gauge, choice: Record<string, unknown>): number {
  if (typeof choice.text === 'string') gauge.add(choice.text)
  const said = isObject(choice.delta) ? choice.delta : choice.message
  if (!isObject(said)) return 0
  for (const field of ['content', 'reasoning_content', 'reasoning', 'refusal']) {
    const text = said[field]
    if (typeof text === 'string') gauge.add(text)
  }
  if (!Array.isArray(said.tool_calls)) return 0
  let calls = 0
  for (const call of said.tool_calls) {
    if (!isObject(call) || !isObject(call.function)) continue
    calls = Math.max(calls + 1, typeof call.index === 'number' ? call.index + 1 : 0)
    if (typeof call.function.name === 'string') gauge.add(call.function.name)
    if (typeof call.function.arguments === 'string') gauge.add(call.function.arguments)
  }
  return calls
}

/** An upstream's usage object, if its figures can be believed; lies (negative, fractional, text, absurd) count as silence. */
export function usageIn(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined
  const prompt = tokenCount(value.prompt_tokens)
  const completion = tokenCount(value.completion_tokens ?? difference(value.total_tokens, prompt))
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  const details = isObject(value.prompt_tokens_details) ? value.prompt_tokens_details : {}
  const written = isObject(value.completion_tokens_details) ? value.completion_tokens_details : {}
  const cacheRead = tokenCount(details.cached_tokens) ?? tokenCount(value.prompt_cache_hit_tokens) ?? 0
  return usageOf({
    prompt,
    completion,
    cacheRead: Math.min(cacheRead, prompt),
    reasoning: Math.min(tokenCount(written.reasoning_tokens) ?? 0, completion),
  })
}

/** Output is what the total has beyond the prompt, where only those two are given (embeddings: nothing). */
const difference = (total: unknown, prompt: number | undefined): unknown =>
  typeof total === 'number' && prompt !== undefined ? total - prompt : undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
