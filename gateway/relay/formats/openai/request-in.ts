import { flagIn, isObject, objectIn, present, textIn } from '../../../base/json.ts'
import type { Json } from '../codec.ts'
import type { Conversation, OutputFormat } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { flagAt, numberAt, textAt } from './fields.ts'
import { offersFunctions } from './legacy-call.ts'
import { turnsIn } from './messages-in.ts'
import { isReasoning, reasoningIn } from './reasoning-in.ts'
import { toolChoiceIn, toolsIn } from './tools-in.ts'

/** Reads a Chat Completions request ("Create chat completion"); null counts as not given. Throws `malformed`. */
export function decodeRequest(wire: Json, model: string, stream: boolean): Conversation {
  return {
    model,
    stream,
    turns: turnsIn(wire.messages),
    tools: toolsIn(wire),
    toolChoice: toolChoiceIn(wire),
    parallelToolCalls: flagAt(wire, 'parallel_tool_calls') ?? (offersFunctions({ request: wire }) ? false : undefined),
    maxOutput: maxOutputIn(wire),
    temperature: numberAt(wire, 'temperature'),
    topP: numberAt(wire, 'top_p'),
    topK: numberAt(wire, 'top_k'),
    frequencyPenalty: numberAt(wire, 'frequency_penalty'),
    presencePenalty: numberAt(wire, 'presence_penalty'),
    seed: numberAt(wire, 'seed'),
    stop: stopIn(wire.stop ?? undefined),
    choices: numberAt(wire, 'n'),
    reasoning: reasoningIn(wire),
    output: isOutput(wire.response_format) ? outputIn(objectIn(wire.response_format)) : undefined,
    modalities: isModalities(wire.modalities) ? wire.modalities : undefined,
    voice: isVoice(wire.audio) ? voiceIn(objectIn(wire.audio)) : undefined,
    user: textAt(wire, 'user'),
    cacheKey: textAt(wire, 'prompt_cache_key'),
    shared: sharedIn(wire),
    extras: { from: 'openai', fields: extrasIn(wire) },
  }
}

/** The newer name and the deprecated one; the larger, where a client gives both. */
function maxOutputIn(wire: Json): number | undefined {
  const newer = numberAt(wire, 'max_completion_tokens')
  const older = numberAt(wire, 'max_tokens')
  return newer !== undefined && older !== undefined ? Math.max(newer, older) : (newer ?? older)
}

/** One text or several. */
function stopIn(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string')) throw malformed('stop')
  return value
}

const OUTPUTS: readonly unknown[] = ['text', 'json_object', 'json_schema']
const isOutput = (value: unknown): boolean => OUTPUTS.includes(objectIn(value).type)

/** `response_format`; plain text is what every answer is without it. */
function outputIn(format: Json): OutputFormat | undefined {
  if (format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'json' }
  const { name, description, schema, strict } = objectIn(format.json_schema)
  if (schema !== undefined && schema !== null && !isObject(schema))
    throw malformed('response_format.json_schema.schema')
  const more = present({ name: textIn(name), description: textIn(description), strict: flagIn(strict) })
  return { type: 'schema', schema: objectIn(schema), ...more }
}

type Modalities = NonNullable<Conversation['modalities']>
const MODALITIES: readonly unknown[] = ['text', 'image', 'audio']
const isModalities = (value: unknown): value is Modalities =>
  Array.isArray(value) && value.every((kind) => MODALITIES.includes(kind))

const isVoice = (value: unknown): boolean => textIn(objectIn(value).voice) !== undefined

const voiceIn = ({ voice, format }: Json): Conversation['voice'] => ({
  name: textIn(voice) ?? '',
  ...(textIn(format) === undefined ? {} : { container: textIn(format) }),
})

/** Fields that Responses has under the same names. */
const SHARED = ['metadata', 'store', 'service_tier', 'safety_identifier', 'prompt_cache_retention', 'verbosity']

const sharedIn = (wire: Json): Json =>
  Object.fromEntries(SHARED.filter((name) => isGiven(wire[name])).map((name) => [name, wire[name]]))

/** Fields that the conversation has a place for, or that concern the call rather than the conversation. */
const PLACED = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'tools', 'functions', 'tool_choice', 'function_call'],
  ...[
    'parallel_tool_calls',
    'max_completion_tokens',
    'max_tokens',
    'temperature',
    'top_p',
    'top_k',
    'seed',
    'stop',
    'n',
  ],
  ...['frequency_penalty', 'presence_penalty', 'user', 'prompt_cache_key', ...SHARED],
])

/** Fields that have a place only where their value is one that is known. */
const readable: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...isReasoning,
  response_format: isOutput,
  modalities: isModalities,
  audio: isVoice,
  web_search_options: isObject,
}

/** What is left, for this dialect to take back. */
function extrasIn(wire: Json): Json {
  const extras: Record<string, unknown> = {}
  for (const name in wire) {
    const isPlaced = PLACED.has(name) || (Object.hasOwn(readable, name) && readable[name]?.(wire[name]))
    if (!isPlaced && isGiven(wire[name])) extras[name] = wire[name]
  }
  return extras
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null
