import { type JsonObject, objectIn } from '../../base/json/json.ts'
import type { Json } from '../formats/codec.ts'
import type { TalkEndpoint } from '../model/endpoint.ts'

/**
 * Returns a channel's overrides for a converted body (docs/reference/selection.md#parameter-overrides). A channel uses
 * Chat Completions or Responses, depending on the model: Chat Completions names are translated to Responses names, and
 * names without a counterpart are passed to `drop`.
 */
export function overridesFor(
  endpoint: TalkEndpoint,
  override: Json | null,
  wire: Json,
  drop: (name: string) => void,
): readonly (readonly [field: string, value: unknown])[] {
  if (!override) return NOTHING
  const all = Object.entries(override)
  if (endpoint !== 'responses' || !all.some(([name]) => names.has(name) || CHAT_ONLY.has(name))) return all
  const renamed = new Map<string, unknown>()
  for (const [name, value] of all) {
    const [field, member] = names.get(name) ?? [name]
    if (CHAT_ONLY.has(name)) drop(name)
    else if (member === undefined) renamed.set(field, value)
    else renamed.set(field, { ...objectIn(renamed.get(field) ?? wire[field]), [member]: memberOf(name, value) })
  }
  return [...renamed]
}

const NOTHING = [] as const

/** Responses names of Chat Completions members: a member, or a member of an object. */
const names = new Map<string, readonly [field: string, member?: string]>([
  ['max_tokens', ['max_output_tokens']],
  ['max_completion_tokens', ['max_output_tokens']],
  ['reasoning_effort', ['reasoning', 'effort']],
  ['verbosity', ['text', 'verbosity']],
  ['response_format', ['text', 'format']],
])

const CHAT_ONLY = new Set([
  ...['frequency_penalty', 'presence_penalty', 'logit_bias', 'logprobs', 'seed', 'stop', 'n'],
  ...['modalities', 'audio', 'prediction', 'functions', 'function_call', 'web_search_options', 'stream_options'],
])

/** A schema is in its own object in Chat Completions, and next to its type in Responses. */
function memberOf(name: string, value: unknown): unknown {
  if (name !== 'response_format') return value
  const { json_schema: schema, ...format }: JsonObject = objectIn(value)
  return { ...format, ...objectIn(schema) }
}
