import { isObject, present } from '../../../base/json/json.ts'
import { type ModelTraits, traitsOf } from '../../capabilities/claude-models.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation } from '../conversation.ts'
import { cannotSay } from '../refusals.ts'
import { defaultMaxTokens, maxOutputOf } from './max-output.ts'
import { lacksThoughts, messagesOut } from './messages-out.ts'
import { samplingOut } from './sampling.ts'
import { schemaOut } from './schema.ts'
import { asksForNone, fittedBudget, type Thinking, thinkingFor, thinkingOut } from './thinking.ts'
import { choiceOut, toolsOut } from './tools-out.ts'

/** docs/reference/conversion.md#openai-to-anthropic */
export function encodeRequest(conversation: Conversation, target: RequestTarget): Json {
  refuseOutputs(conversation)
  const native = conversation.extras.from === 'anthropic'
  const traits = traitsOf(target.model)
  const { system, messages } = messagesOut(conversation, { traits, drop: target.drop })
  const tools = toolsOut(conversation.tools, { traits, native, drop: target.drop })
  const choice = tools.length > 0 ? choiceOut(conversation, target.drop) : undefined
  const requestedThinking = thinkingIn({ conversation, traits, native, messages, choice }, target.drop)
  const { maxTokens, thinking } = limitsOut(conversation, requestedThinking, target, native)
  const fields = native ? conversation.extras.fields : {}
  reportUnsupported(conversation, native, target.drop)
  return present({
    ...fields,
    model: target.model,
    max_tokens: maxTokens,
    system,
    messages,
    tools: tools.length > 0 ? tools : undefined,
    tool_choice: choice,
    stop_sequences: stopsOut(conversation.stop, target.drop),
    ...samplingOut(conversation, { traits, native, thinks: isThinking(thinking), drop: target.drop }),
    thinking: thinkingOut(thinking) ?? fields.thinking,
    output_config: configOut(conversation, thinking, { traits, native, drop: target.drop }),
    metadata: metadataOut(conversation.user, fields.metadata),
    stream: conversation.stream ? true : undefined,
  })
}

/** Throws for what the vendor cannot produce: several choices, images, audio. */
function refuseOutputs({ choices, modalities }: Conversation): void {
  if (choices !== undefined && choices > 1) throw cannotSay('choices', 'anthropic')
  if (modalities?.some((kind) => kind !== 'text')) throw cannotSay('modalities', 'anthropic')
}

/** What determines whether and how the model can think; `native` if the client uses this dialect. */
type Setting = Readonly<{
  conversation: Conversation
  traits: ModelTraits
  native: boolean
  messages: readonly Json[]
  choice: Json | undefined
}>

/** Returns how the model is to think; if it cannot, or not together with the rest of the request, reports that. */
function thinkingIn(setting: Setting, drop: RequestTarget['drop']): Thinking {
  const { conversation, traits, native, messages, choice } = setting
  const isForced = !native && (choice?.type === 'any' || choice?.type === 'tool')
  // A forced tool call excludes thinking, which this model does unless it is disabled.
  const unthinking: Thinking = isForced && traits.thinks === 'unless-off' ? { type: 'disabled' } : {}
  if (!conversation.reasoning) return unthinking
  const thinking = thinkingFor(conversation.reasoning, traits, native)
  if (!native && asksForNone(conversation.reasoning) && traits.thinks === 'always') drop('reasoning')
  const isBroken = thinking?.type === 'enabled' && lacksThoughts(messages)
  if (thinking && !isThinking(thinking)) return thinking
  if (thinking && !isForced && !isBroken) return thinking
  drop('reasoning')
  return unthinking
}

const isThinking = ({ type }: Thinking): boolean => type === 'adaptive' || type === 'enabled'

/**
 * Returns the max tokens of the response, and the thinking within them. A budget that an Anthropic client sets together
 * with `max_tokens` is not changed.
 */
function limitsOut(
  { model, maxOutput, reasoning }: Conversation,
  thinking: Thinking,
  target: RequestTarget,
  native: boolean,
): Readonly<{ maxTokens: number; thinking: Thinking }> {
  const maxTokens = maxOutput ?? defaultMaxTokens([target.model, model], target.settings.claudeMaxTokens)
  if (thinking.type !== 'enabled' || thinking.budget === undefined) return { maxTokens, thinking }
  if (native && reasoning?.budget === thinking.budget && maxOutput !== undefined) return { maxTokens, thinking }
  const fitted = fittedBudget(thinking.budget, maxTokens, maxOutputOf(target.model))
  return { maxTokens: fitted.maxTokens, thinking: { ...thinking, budget: fitted.budget } }
}

/** The vendor refuses stop sequences of only white space. */
function stopsOut(stops: readonly string[] | undefined, drop: RequestTarget['drop']): readonly string[] | undefined {
  const accepted = stops?.filter((stop) => stop.trim() !== '')
  if (accepted?.length !== stops?.length) drop('stop')
  return accepted?.length === 0 && stops?.length !== 0 ? undefined : accepted
}

type Style = Readonly<{ traits: ModelTraits; native: boolean; drop: RequestTarget['drop'] }>

/**
 * Writes `output_config`: effort and schema, and an Anthropic client's other members. JSON without a schema cannot be
 * requested.
 */
function configOut({ output, extras }: Conversation, thinking: Thinking, style: Style): Json | undefined {
  const fields = style.native && isObject(extras.fields.output_config) ? extras.fields.output_config : {}
  const hasSchema = output?.type === 'schema' && (style.native || style.traits.structured)
  if (output && !hasSchema) style.drop('output')
  const schema = hasSchema ? { type: 'json_schema', schema: schemaOut(output.schema, style.native) } : undefined
  const config = { ...fields, ...present({ effort: thinking.effort, format: schema }) }
  return Object.keys(config).length > 0 ? config : undefined
}

/** `metadata` of other dialects has another meaning and is reported. */
function metadataOut(user: string | undefined, fields: unknown): Json | undefined {
  const own = isObject(fields) ? fields : undefined
  return user === undefined ? own : { ...own, user_id: user }
}

function reportUnsupported(conversation: Conversation, native: boolean, drop: RequestTarget['drop']): void {
  for (const name of UNSUPPORTED) if (conversation[name] !== undefined) drop(name)
  for (const name of Object.keys(conversation.shared)) if (name !== 'store') drop(name)
  if (!native) for (const name of Object.keys(conversation.extras.fields)) drop(name)
}

const UNSUPPORTED = ['frequencyPenalty', 'presencePenalty', 'seed', 'voice', 'cacheKey', 'logProbabilities'] as const
