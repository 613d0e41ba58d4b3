import { type JsonObject, present } from '../../../base/json/json.ts'
import { type Refusable, refusedBy } from '../../capabilities/chat-models.ts'
import type { Effort } from '../../capabilities/effort.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, OutputFormat, Turn } from '../conversation.ts'
import { MAX_TOP } from '../log-probabilities.ts'
import { cannotSay, withoutRefused } from '../refusals.ts'
import type { Writing } from './content-out.ts'
import { askedModel, effortFor, isOff, neverThinks, sealsThoughts } from './effort.ts'
import { writeInput } from './input-out.ts'
import { LOG_PROBABILITIES, SEALED_THOUGHTS } from './request-in.ts'
import { SOURCES } from './search-item.ts'
import { callLimit, writeToolChoice, writeTools } from './tools-out.ts'

/** Writes the body of `POST /v1/responses` (OpenAI's API reference, "Create a model response"). */
export function encodeRequest(conversation: Conversation, target: RequestTarget): Json {
  const writing: Writing = { target, isOwn: conversation.extras.from === 'responses' }
  refuseImpossible(conversation)
  dropUnknown(conversation, target)
  const { instructions, turns } = withoutInstructions(conversation.turns, writing)
  const tools = writeTools(conversation.tools, writing)
  const { toolChoice, shared } = conversation
  const { verbosity, ...others } = shared
  const body: JsonObject = present({
    model: target.model,
    instructions,
    input: turns.length > 0 || !writing.isOwn ? writeInput(turns, writing) : undefined,
    tools: tools.length > 0 ? tools : undefined,
    tool_choice:
      toolChoice && (writing.isOwn || tools.length > 0) ? writeToolChoice(toolChoice, conversation) : undefined,
    parallel_tool_calls: conversation.parallelToolCalls,
    max_tool_calls: callLimit(conversation.tools, writing),
    max_output_tokens: outputLimit(conversation, writing),
    ...sampling(conversation, writing),
    reasoning: reasoning(conversation, target),
    text: text(conversation.output, verbosity),
    user: conversation.user,
    prompt_cache_key: conversation.cacheKey,
    ...storing(conversation, writing),
    ...including(conversation, writing),
    ...others,
    stream: conversation.stream ? true : undefined,
  })
  if (writing.isOwn) addExtras(body, conversation.extras.fields)
  else for (const name of Object.keys(conversation.extras.fields)) target.drop(name)
  return body
}

/** Throws for what the dialect cannot produce: it has only one choice, of text. */
function refuseImpossible({ choices = 1, modalities = [] }: Conversation): void {
  if (choices > 1) throw cannotSay('choices', 'responses')
  if (modalities.some((kind) => kind !== 'text')) throw cannotSay('modalities', 'responses')
}

const unknown = ['topK', 'frequencyPenalty', 'presencePenalty', 'seed', 'stop', 'voice'] as const

function dropUnknown(conversation: Conversation, { drop }: RequestTarget): void {
  for (const name of unknown) if (conversation[name] !== undefined) drop(name)
}

/**
 * A leading system turn of plain text becomes the instructions, unless it is the only turn, since input is required.
 */
function withoutInstructions(
  turns: readonly Turn[],
  { isOwn }: Writing,
): { instructions?: string; turns: readonly Turn[] } {
  const [first, ...rest] = turns
  if (rest.length === 0 && !isOwn) return { turns }
  if (first?.role !== 'system' || first.name !== undefined || first.parts.length === 0) return { turns }
  const texts = first.parts.flatMap((part) => (part.type === 'text' && !part.cache ? [part.text] : []))
  return texts.length === first.parts.length ? { instructions: texts.join('\n'), turns: rest } : { turns }
}

/** OpenAI refuses limits below 16 tokens, which other dialects allow. */
function outputLimit({ maxOutput }: Conversation, { isOwn }: Writing): number | undefined {
  return maxOutput === undefined || isOwn ? maxOutput : Math.max(maxOutput, 16)
}

/**
 * Reasoning models accept neither `temperature` nor `top_p` unless thinking is disabled
 * (docs/reference/conversion.md#model-suffixes).
 */
function sampling(conversation: Conversation, writing: Writing): JsonObject {
  const refusedSampling = refused(conversation, writing).filter((name) => name === 'temperature' || name === 'topP')
  const left = withoutRefused(conversation, refusedSampling, writing.target.drop)
  return { temperature: left.temperature, top_p: left.topP }
}

/**
 * Whether to request search results: Anthropic's clients get the pages. Other vendors of this API may not know the
 * value.
 */
const showsSources = ({ extras, tools }: Conversation, { target }: Writing): boolean =>
  extras.from === 'anthropic' &&
  target.strictOpenai &&
  tools.some((tool) => tool.type === 'hosted' && tool.kind === 'web-search' && tool.listsPages !== false)

/** Returns the fields that the model refuses; clients of this dialect know their model. */
const refused = (conversation: Conversation, { target, isOwn }: Writing): readonly Refusable[] => {
  const model = askedModel(target)
  return isOwn ? [] : refusedBy(model, effortFor(conversation, model))
}

/** Thinking that cannot be disabled is minimized; that, and thinking the model does not support, is reported. */
function reasoning(conversation: Conversation, target: RequestTarget): JsonObject | undefined {
  const reasoning = conversation.reasoning
  if (!reasoning) return undefined
  const isForeign = conversation.extras.from !== 'responses'
  const model = askedModel(target)
  if (isForeign && !sealsThoughts(model) && (isOff(reasoning) || neverThinks(model))) {
    if (!isOff(reasoning)) target.drop('reasoning')
    return undefined
  }
  const effort = searching(effortFor(conversation, model), conversation)
  if (isForeign && isOff(reasoning) && effort !== 'none') target.drop('reasoning')
  const summary = reasoning.summary ?? (reasoning.show && !isOff(reasoning) ? 'auto' : undefined)
  return effort === undefined && summary === undefined ? undefined : present({ effort, summary })
}

/** Models that search do not support minimal effort (OpenAI's guide "Web search", limitations). */
const searching = (effort: Effort | undefined, { tools, extras }: Conversation): Effort | undefined =>
  effort === 'minimal' && extras.from !== 'responses' && tools.some(({ type }) => type === 'hosted') ? 'low' : effort

function text(output: OutputFormat | undefined, verbosity: unknown): JsonObject | undefined {
  if (!output && verbosity === undefined) return undefined
  return present({ format: output && outputFormat(output), verbosity })
}

/** Writes the format of the response; this dialect requires a name for the schema. */
function outputFormat(output: OutputFormat): JsonObject {
  if (output.type === 'json') return { type: 'json_object' }
  const { name = 'response', description, schema, strict } = output
  return present({ type: 'json_schema', name, description, schema, strict })
}

/** For clients of other dialects, the vendor must not store responses unless the client requested it. */
const storing = ({ shared }: Conversation, { isOwn }: Writing): JsonObject => ({
  store: shared.store ?? (isOwn ? undefined : false),
})

/**
 * Writes `include`: encrypted reasoning if the vendor stores none, so that the client can return it (a client of
 * another dialect has no other way); log probabilities, which reasoning models do not have; and search results
 * (`showsSources`).
 */
function including(conversation: Conversation, writing: Writing): JsonObject {
  const { target, isOwn } = writing
  const { shared, logProbabilities } = conversation
  const isScored = logProbabilities !== undefined && !refused(conversation, writing).includes('logProbabilities')
  if (logProbabilities && !isScored) target.drop('logProbabilities')
  const isSealed = (shared.store === false || !isOwn) && sealsThoughts(askedModel(target))
  const include = [
    ...(isSealed ? [SEALED_THOUGHTS] : []),
    ...(isScored ? [LOG_PROBABILITIES] : []),
    ...(showsSources(conversation, writing) ? [SOURCES] : []),
  ]
  return {
    include: include.length > 0 ? include : undefined,
    top_logprobs: isScored && logProbabilities.top > 0 ? Math.min(logProbabilities.top, MAX_TOP) : undefined,
  }
}

function addExtras(body: JsonObject, fields: Json): void {
  for (const [path, value] of Object.entries(fields)) {
    const [name = path, member] = path.split('.')
    if (member === undefined) body[name] = value
    // Only `text` and `reasoning` have members, and both are written as objects.
    else body[name] = { ...(body[name] as JsonObject | undefined), [member]: value }
  }
}
