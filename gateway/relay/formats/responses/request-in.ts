import { isObject, type JsonObject, objectIn, textIn } from '../../../base/json/json.ts'
import { efforts } from '../../capabilities/effort.ts'
import type { Json } from '../codec.ts'
import type { Conversation, OutputFormat, Reasoning, Turn } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { asksForSummary, readInput } from './input-in.ts'
import { boundedTools, loadedTools, readToolChoice, readTools } from './tools-in.ts'

/** The value of `include` that requests log probabilities (OpenAI's API reference, "Create a model response"). */
export const LOG_PROBABILITIES = 'message.output_text.logprobs'

/**
 * Reads the body of `POST /v1/responses` (OpenAI's API reference, "Create a model response"). Members of `text` and
 * `reasoning` without a field become extras under dotted names.
 */
export function decodeRequest(wire: Json, model: string, stream: boolean): Conversation {
  const chosen = given(wire.tool_choice) ? readToolChoice(wire.tool_choice) : undefined
  const text = memberObject(wire, 'text')
  const reasoning = memberObject(wire, 'reasoning')
  const tools = [...readTools(wire.tools), ...loadedTools(wire.input)]
  const bounded = boundedTools(tools, wire.max_tool_calls)
  return {
    model,
    stream,
    turns: [...instructions(wire.instructions), ...readInput(wire.input)],
    tools: bounded ?? tools,
    ...(asksForSummary(wire.input) ? { compaction: true } : {}),
    ...(chosen ? { toolChoice: chosen } : {}),
    ...plainFields(wire),
    ...logProbabilities(wire),
    ...(reasoning ? { reasoning: readReasoning(reasoning) } : {}),
    ...outputFormat(text?.format),
    shared: sharedFields(wire, text),
    extras: {
      from: 'responses',
      fields: extraFields(bounded ? { ...wire, max_tool_calls: undefined } : wire, chosen !== undefined),
    },
  }
}

/** Null counts as absent. */
const given = (value: unknown): boolean => value !== undefined && value !== null

function instructions(value: unknown): readonly Turn[] {
  if (!given(value)) return []
  if (typeof value !== 'string') throw malformed('instructions')
  return [{ role: 'system', parts: [{ type: 'text', text: value }] }]
}

/** Fields that are one number, text or flag, by their names in the conversation. */
const plain = {
  maxOutput: ['max_output_tokens', 'number'],
  temperature: ['temperature', 'number'],
  topP: ['top_p', 'number'],
  parallelToolCalls: ['parallel_tool_calls', 'boolean'],
  user: ['user', 'string'],
  cacheKey: ['prompt_cache_key', 'string'],
} as const

type PlainFields = Pick<Conversation, keyof typeof plain>

function plainFields(wire: Json): PlainFields {
  const fields: JsonObject = {}
  for (const [name, [wireName, type]] of Object.entries(plain)) {
    const value = wire[wireName]
    if (!given(value)) continue
    if (typeof value !== type) throw malformed(wireName)
    fields[name] = value
  }
  // The loop has checked each value against the type in the table.
  return fields as PlainFields
}

/** Log probabilities are returned only if `include` requests them; without that, `top_logprobs` has no effect. */
function logProbabilities(wire: Json): Pick<Conversation, 'logProbabilities'> {
  if (!includesLogProbabilities(wire)) return {}
  const top = wire.top_logprobs ?? 0
  if (typeof top !== 'number') throw malformed('top_logprobs')
  return { logProbabilities: { top } }
}

const includesLogProbabilities = ({ include }: Json): boolean =>
  Array.isArray(include) && include.includes(LOG_PROBABILITIES)

/** Requesting a summary implies showing the reasoning. */
function readReasoning(wire: JsonObject): Reasoning {
  const effort = efforts.find((known) => known === wire.effort)
  if (given(wire.effort) && !effort) throw malformed('reasoning.effort')
  const summary = textIn(wire.summary) ?? textIn(wire.generate_summary)
  return { ...(effort ? { effort } : {}), ...(summary === undefined ? {} : { show: true, summary }) }
}

/** Returns no format for plain text, the default. */
function outputFormat(wire: unknown): { output?: OutputFormat } {
  if (!isObject(wire)) return {}
  if (wire.type === 'json_object') return { output: { type: 'json' } }
  if (wire.type !== 'json_schema') return {}
  const { schema, name, description, strict } = wire
  if (!isObject(schema)) throw malformed('text.format.schema')
  const described = {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
  return { output: { type: 'schema', schema, ...described } }
}

/** Fields that Chat Completions also has; `verbosity` is in `text` here. */
const SHARED = ['metadata', 'store', 'service_tier', 'safety_identifier', 'prompt_cache_retention'] as const

function sharedFields(wire: Json, text: JsonObject | undefined): JsonObject {
  const fields: JsonObject = {}
  for (const name of SHARED) if (given(wire[name])) fields[name] = wire[name]
  if (given(text?.verbosity)) fields.verbosity = text?.verbosity
  return fields
}

const known = new Set<string>([
  ...[
    'model',
    'stream',
    'stream_options',
    'instructions',
    'input',
    'tools',
    'tool_choice',
    'reasoning',
    'text',
    'include',
  ],
  ...Object.values(plain).map(([wireName]) => wireName),
  ...SHARED,
])

function extraFields(wire: Json, isChoiceRead: boolean): JsonObject {
  const fields: JsonObject = {}
  for (const name in wire) if (!known.has(name) && given(wire[name])) fields[name] = wire[name]
  if (includesLogProbabilities(wire)) delete fields.top_logprobs
  if (given(wire.tool_choice) && !isChoiceRead) fields.tool_choice = wire.tool_choice
  if (Array.isArray(wire.include) && wire.include.some((entry) => !INCLUDED.has(entry))) fields.include = wire.include
  addMembers(fields, 'reasoning', wire.reasoning, ['effort', 'summary', 'generate_summary'])
  addMembers(fields, 'text', wire.text, ['verbosity', 'format'])
  const format = objectIn(objectIn(wire.text).format)
  if (given(format.type) && !FORMATS.includes(textIn(format.type) ?? '')) fields['text.format'] = format
  return fields
}

/** Converted responses include this anyway, so leaving out the request for it loses nothing. */
export const SEALED_THOUGHTS = 'reasoning.encrypted_content'

const INCLUDED: ReadonlySet<unknown> = new Set([SEALED_THOUGHTS, LOG_PROBABILITIES])

const FORMATS: readonly string[] = ['text', 'json_object', 'json_schema']

function addMembers(fields: JsonObject, name: string, value: unknown, read: readonly string[]): void {
  const members = objectIn(value)
  for (const member in members) {
    if (!read.includes(member) && given(members[member])) fields[`${name}.${member}`] = members[member]
  }
}

function memberObject(wire: Json, name: string): JsonObject | undefined {
  const value = wire[name]
  if (!given(value)) return undefined
  if (!isObject(value)) throw malformed(name)
  return value
}
