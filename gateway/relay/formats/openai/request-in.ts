import { ExactNumber } from '../../../base/json/exact-number.ts'
import { flagIn, isObject, numberIn, objectIn, own, present, textIn } from '../../../base/json/json.ts'
import { type Effort, efforts } from '../../capabilities/effort.ts'
import type { Json } from '../codec.ts'
import type { Conversation, OutputFormat, Reasoning } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { flagAt, numberAt, textAt } from './fields.ts'
import { offersFunctions } from './legacy-call.ts'
import { turnsIn } from './messages-in.ts'
import { toolChoiceIn, toolsIn } from './tools-in.ts'

/** Reads a Chat Completions request ("Create chat completion"); null counts as absent. Throws `malformed`. */
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
    seed: wire.seed instanceof ExactNumber ? wire.seed : numberAt(wire, 'seed'),
    stop: stopIn(wire.stop ?? undefined),
    choices: numberAt(wire, 'n'),
    logProbabilities: wire.logprobs === true ? { top: topIn(wire) ?? 0 } : undefined,
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

/** Returns the larger of `max_completion_tokens` and the deprecated `max_tokens`. */
function maxOutputIn(wire: Json): number | undefined {
  const newer = numberAt(wire, 'max_completion_tokens')
  const older = numberAt(wire, 'max_tokens')
  return newer !== undefined && older !== undefined ? Math.max(newer, older) : (newer ?? older)
}

function stopIn(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string')) throw malformed('stop')
  return value
}

const OUTPUTS: readonly unknown[] = ['text', 'json_object', 'json_schema']
const isOutput = (value: unknown): boolean => OUTPUTS.includes(objectIn(value).type)

/** Reads `response_format`; plain text is the default. */
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

/** `top_logprobs` only has an effect together with `logprobs`. */
const topIn = (wire: Json): number | undefined => numberIn(wire.top_logprobs)

const isVoice = (value: unknown): boolean => textIn(objectIn(value).voice) !== undefined

const voiceIn = ({ voice, format }: Json): Conversation['voice'] => ({
  name: textIn(voice) ?? '',
  ...(textIn(format) === undefined ? {} : { container: textIn(format) }),
})

const SHARED = ['metadata', 'store', 'service_tier', 'safety_identifier', 'prompt_cache_retention', 'verbosity']

const sharedIn = (wire: Json): Json =>
  Object.fromEntries(SHARED.filter((name) => isGiven(wire[name])).map((name) => [name, wire[name]]))

/** Fields that the conversation expresses, or that concern the call and not the conversation. */
const KNOWN = new Set([
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

const isReasoning = {
  reasoning_effort: (value: unknown): boolean => effortIn(value) !== undefined,
  reasoning: (value: unknown): boolean =>
    isObject(value) &&
    hasOnly(value, ['effort', 'max_tokens', 'exclude', 'enabled']) &&
    (value.effort === undefined || value.effort === null || effortIn(value.effort) !== undefined),
  thinking: (value: unknown): boolean =>
    isObject(value) && own(modes, textIn(value.type) ?? '') !== undefined && hasOnly(value, ['type', 'budget_tokens']),
}

/** Fields that are expressed only if their value is known. */
const readable: Readonly<Record<string, (value: unknown, wire: Json) => boolean>> = {
  ...isReasoning,
  response_format: isOutput,
  modalities: isModalities,
  audio: isVoice,
  logprobs: (value) => value === true,
  top_logprobs: (_, wire) => wire.logprobs === true && topIn(wire) !== undefined,
  web_search_options: isObject,
}

function extrasIn(wire: Json): Json {
  const extras: Record<string, unknown> = {}
  for (const name in wire) {
    const isKnown = KNOWN.has(name) || (Object.hasOwn(readable, name) && readable[name]?.(wire[name], wire))
    if (!isKnown && isGiven(wire[name])) extras[name] = wire[name]
  }
  return extras
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * Reads the amount of thinking: `reasoning_effort`, OpenRouter's `reasoning`, and the `thinking` that DeepSeek, GLM and
 * others have adopted from Anthropic. Values that `isReasoning` rejects become extras.
 */
function reasoningIn(wire: Json): Reasoning | undefined {
  const router = isReasoning.reasoning(wire.reasoning) ? objectIn(wire.reasoning) : {}
  const thinking = isReasoning.thinking(wire.thinking) ? objectIn(wire.thinking) : {}
  const enabled = flagIn(router.enabled)
  const exclude = flagIn(router.exclude)
  const mode = own(modes, textIn(thinking.type) ?? '') ?? (enabled === undefined ? undefined : switched(enabled))
  const reasoning: Reasoning = {
    mode,
    effort: effortIn(wire.reasoning_effort) ?? effortIn(router.effort),
    budget: numberIn(thinking.budget_tokens) ?? numberIn(router.max_tokens),
    show: exclude === undefined ? undefined : !exclude,
  }
  return Object.values(reasoning).some((value) => value !== undefined) ? reasoning : undefined
}

const modes: Readonly<Record<string, Reasoning['mode']>> = { enabled: 'on', disabled: 'off', adaptive: 'adaptive' }

const switched = (enabled: boolean): Reasoning['mode'] => (enabled ? 'on' : 'off')

const effortIn = (value: unknown): Effort | undefined => efforts.find((effort) => effort === value)

const hasOnly = (value: Json, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name))
