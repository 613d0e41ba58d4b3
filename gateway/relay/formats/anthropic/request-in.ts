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

/** Reads a request of the Messages API; throws refusals for what cannot be understood. */
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

/** The system prompt as the first turn, without Claude Code's billing line, then the messages. */
function turnsIn(wire: Json): readonly Turn[] {
  if (!Array.isArray(wire.messages)) throw malformed('messages')
  const turns = wire.messages.map(turnIn)
  const system = partsIn(withoutBillingLine(wire.system), 'system')
  return system.length === 0 ? turns : [{ role: 'system', parts: system }, ...turns]
}

/** One message; newer models take instructions between the others, with the role `system`. */
function turnIn(message: unknown): Turn {
  if (!isObject(message)) throw malformed('messages')
  const { role } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'system') throw malformed('messages.role')
  return { role, parts: withCallSeals(withSearches(partsIn(message.content, 'messages.content'))) }
}

/** The fields that are one number; 0 is a number like others. */
function numbersIn(wire: Json): Pick<Conversation, 'maxOutput' | 'temperature' | 'topP' | 'topK'> {
  return present({
    maxOutput: numberAt(wire, 'max_tokens'),
    temperature: numberAt(wire, 'temperature'),
    topP: numberAt(wire, 'top_p'),
    topK: numberAt(wire, 'top_k'),
  })
}

/** A number, or nothing where the field is absent or null; anything else is refused. */
function numberAt(wire: Json, field: string): number | undefined {
  const value = wire[field]
  if (value == null) return undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) throw malformed(field)
  return value
}

/** The stop sequences; an empty list is kept. */
function stopsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value) || !value.every((stop) => typeof stop === 'string')) throw malformed('stop_sequences')
  return value
}

/** Thinking, effort and output format; `rest` holds what of their fields and of `metadata` has no place in a conversation. */
function settingsIn(wire: Json): Pick<Conversation, 'output' | 'reasoning'> & Readonly<{ rest: Json }> {
  const { effort: wanted, format, ...config } = isObject(wire.output_config) ? wire.output_config : {}
  const effort = efforts.find((known) => known === wanted)
  const schema = schemaIn(format) ?? schemaIn(wire.output_format)
  const thinking = thinkingIn(wire.thinking)
  const { user_id: userId, ...metadata } = isObject(wire.metadata) ? wire.metadata : {}
  const reasoning = effort || thinking ? { ...thinking, ...(effort ? { effort } : {}) } : undefined
  const kept = present({
    ...config,
    effort: effort ? undefined : wanted,
    format: schemaIn(format) ? undefined : format,
  })
  return {
    ...(reasoning ? { reasoning } : {}),
    ...(schema ? { output: { type: 'schema', schema } } : {}),
    rest: {
      ...(wire.thinking != null && !thinking ? { thinking: wire.thinking } : {}),
      ...(wire.output_format != null && !schemaIn(wire.output_format) ? { output_format: wire.output_format } : {}),
      ...(Object.keys(kept).length > 0 ? { output_config: kept } : {}),
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    },
  }
}

/** The schema of an output format. */
const schemaIn = (format: unknown): Json | undefined =>
  isObject(format) && format.type === 'json_schema' && isObject(format.schema) ? format.schema : undefined

/** What the field `thinking` says, where it is of a kind that others know too. */
function thinkingIn(thinking: unknown): Reasoning | undefined {
  if (!isObject(thinking)) return undefined
  if (thinking.type === 'disabled') return { mode: 'off' }
  const show = thinking.display == null ? {} : { show: thinking.display !== 'omitted' }
  if (thinking.type === 'adaptive') return { mode: 'adaptive', ...show }
  if (thinking.type !== 'enabled') return undefined
  if (typeof thinking.budget_tokens !== 'number') throw malformed('thinking.budget_tokens')
  return { mode: 'on', budget: thinking.budget_tokens, ...show }
}

/** The fields that a conversation has a place for; `stream_options` is no business of the upstream's. */
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
  // The name that `output_config.format` had in its beta.
  'output_format',
  'metadata',
])

/** All other fields, under their own names. */
function unknownIn(wire: Json): Json {
  const fields: Record<string, unknown> = {}
  for (const name in wire) if (!KNOWN.has(name)) fields[name] = wire[name]
  return fields
}
