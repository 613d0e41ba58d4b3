import { isObject, present, textIn } from '../../../base/json/json.ts'
import { efforts } from '../../capabilities/effort.ts'
import type { Json } from '../codec.ts'
import type { Conversation, Reasoning, Turn } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { withoutBillingLine } from './billing-line.ts'
import { withCallSeals } from './call-seal.ts'
import { partsIn } from './content-in.ts'
import { withSearches } from './search-blocks.ts'
import { choiceIn, toolsIn } from './tools-in.ts'

export function decodeRequest(wire: Json, model: string, stream: boolean): Conversation {
  const { output, reasoning, rest } = settingsIn(wire)
  const user = isObject(wire.metadata) ? textIn(wire.metadata.user_id) : undefined
  return {
    model,
    stream,
    turns: turnsIn(wire),
    tools: toolsIn(wire.tools),
    ...choiceIn(wire.tool_choice),
    ...numbersIn(wire),
    ...(wire.stop_sequences == null ? {} : { stop: stopsIn(wire.stop_sequences) }),
    ...(reasoning ? { reasoning } : {}),
    ...(output ? { output } : {}),
    ...(user === undefined ? {} : { user }),
    shared: {},
    extras: { from: 'anthropic', fields: { ...unknownIn(wire), ...rest } },
  }
}

/** The system prompt becomes the first turn, without Claude Code's billing line. */
function turnsIn(wire: Json): readonly Turn[] {
  if (!Array.isArray(wire.messages)) throw malformed('messages')
  const turns = wire.messages.map(turnIn)
  const system = partsIn(withoutBillingLine(wire.system), 'system')
  return system.length === 0 ? turns : [{ role: 'system', parts: system }, ...turns]
}

/** Newer models accept instructions between messages, with the role `system`. */
function turnIn(message: unknown): Turn {
  if (!isObject(message)) throw malformed('messages')
  const { role } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'system') throw malformed('messages.role')
  return { role, parts: withCallSeals(withSearches(partsIn(message.content, 'messages.content'))) }
}

function numbersIn(wire: Json): Pick<Conversation, 'maxOutput' | 'temperature' | 'topP' | 'topK'> {
  return present({
    maxOutput: numberAt(wire, 'max_tokens'),
    temperature: numberAt(wire, 'temperature'),
    topP: numberAt(wire, 'top_p'),
    topK: numberAt(wire, 'top_k'),
  })
}

/** Returns undefined for an absent or null field; throws if it is not a number. */
function numberAt(wire: Json, field: string): number | undefined {
  const value = wire[field]
  if (value == null) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) throw malformed(field)
  return value
}

function stopsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every((stop) => typeof stop === 'string')) throw malformed('stop_sequences')
  return value
}

/**
 * Reads thinking, effort and output format; `rest` has the members of their fields and of `metadata` that a
 * conversation cannot express.
 */
function settingsIn(wire: Json): Pick<Conversation, 'output' | 'reasoning'> & Readonly<{ rest: Json }> {
  const { effort: requestedEffort, format, ...config } = isObject(wire.output_config) ? wire.output_config : {}
  const effort = efforts.find((known) => known === requestedEffort)
  const schema = schemaIn(format) ?? schemaIn(wire.output_format)
  const thinking = thinkingIn(wire.thinking)
  const { user_id: userId, ...metadata } = isObject(wire.metadata) ? wire.metadata : {}
  const reasoning = effort || thinking ? { ...thinking, ...(effort ? { effort } : {}) } : undefined
  const rest = present({
    ...config,
    effort: effort ? undefined : requestedEffort,
    format: schemaIn(format) ? undefined : format,
  })
  return {
    ...(reasoning ? { reasoning } : {}),
    ...(schema ? { output: { type: 'schema', schema } } : {}),
    rest: {
      ...(wire.thinking != null && !thinking ? { thinking: wire.thinking } : {}),
      ...(wire.output_format != null && !schemaIn(wire.output_format) ? { output_format: wire.output_format } : {}),
      ...(Object.keys(rest).length > 0 ? { output_config: rest } : {}),
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    },
  }
}

const schemaIn = (format: unknown): Json | undefined =>
  isObject(format) && format.type === 'json_schema' && isObject(format.schema) ? format.schema : undefined

/** Returns undefined for a type that other dialects do not know. */
function thinkingIn(thinking: unknown): Reasoning | undefined {
  if (!isObject(thinking)) return undefined
  if (thinking.type === 'disabled') return { mode: 'off' }
  const show = thinking.display == null ? {} : { show: thinking.display !== 'omitted' }
  if (thinking.type === 'adaptive') return { mode: 'adaptive', ...show }
  if (thinking.type !== 'enabled') return undefined
  if (typeof thinking.budget_tokens !== 'number') throw malformed('thinking.budget_tokens')
  return { mode: 'on', budget: thinking.budget_tokens, ...show }
}

/** The fields that a conversation expresses; `stream_options` is not sent to the upstream. */
const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'stream',
  'stream_options',
  'thinking',
  'output_config',
  // The name of `output_config.format` during its beta.
  'output_format',
  'metadata',
])

function unknownIn(wire: Json): Json {
  const fields: Record<string, unknown> = {}
  for (const name in wire) if (!KNOWN.has(name)) fields[name] = wire[name]
  return fields
}
