import { type JsonObject, numberIn, objectIn } from '../../base/json/json.ts'
import type { Hold } from '../../billing/ledger.ts'
import { outputWithin } from '../../billing/meter.ts'
import { MIN_BUDGET } from '../formats/anthropic/thinking.ts'
import type { Conversation } from '../formats/conversation.ts'
import type { Call } from '../model/call.ts'
import type { Plan } from '../model/plan.ts'
import { withoutTools } from './admit.ts'

/**
 * Limits the output of a call to what its reservation covers, if that is less than the call may cost
 * (docs/reference/billing.md#hold). Streams extend their reservation as they go and need no limit, unless their
 * reasoning is hidden.
 */
export function cappedToHold(
  call: Call,
  { expected, price, quotaPerUnit, extras, holdQuota: reserved }: Plan,
  hold: Hold,
): Call {
  const { isLimitable, hasHiddenReasoning, output, prompt, choices, unlimitedReasoning } = expected
  if (hold.quota >= reserved || !isLimitable || output === 0 || (call.stream && !hasHiddenReasoning)) return call
  const tokens = outputWithin(hold.quota, prompt, price, quotaPerUnit, withoutTools(extras))
  const outputLimit = Math.floor(tokens / choices) - unlimitedReasoning
  return outputLimit >= output / choices - unlimitedReasoning
    ? call
    : { ...call, outputLimit: Math.max(outputLimit, 1) }
}

const within = (value: unknown, limit: number): number => Math.min(numberIn(value) || limit, limit)

const LIMITS = new Set(['max_tokens', 'max_completion_tokens', 'max_output_tokens'])

/** The value of a body's member; output limits are lowered to the call's limit. */
export const withinOutputLimit = ({ outputLimit }: Call, field: string, value: unknown): unknown =>
  outputLimit !== undefined && LIMITS.has(field) ? within(value, outputLimit) : value

export function limitedConversation({ outputLimit }: Call, conversation: Conversation): Conversation {
  if (outputLimit === undefined) return conversation
  const { reasoning } = conversation
  const maxOutput = within(conversation.maxOutput, outputLimit)
  if (reasoning?.budget === undefined || reasoning.budget < maxOutput) return { ...conversation, maxOutput }
  return { ...conversation, maxOutput, reasoning: { ...reasoning, budget: Math.max(maxOutput - 1, MIN_BUDGET) } }
}

/** Adds edits to a body in the caller's own dialect that lower its output limit to the call's. */
export function limitOutput({ endpoint, json, outputLimit }: Call, model: string, edits: Map<string, unknown>): void {
  if (outputLimit === undefined) return
  const fieldValue = (field: string): unknown => (edits.has(field) ? edits.get(field) : json[field])
  if (endpoint === 'generate') {
    const field =
      'generation_config' in json && !edits.has('generationConfig') ? 'generation_config' : 'generationConfig'
    const { max_output_tokens: other, ...config } = objectIn(fieldValue(field))
    edits.set(field, { ...config, maxOutputTokens: within(config.maxOutputTokens ?? other, outputLimit) })
    return
  }
  const fields = endpoint === 'responses' ? ['max_output_tokens'] : fieldsOf(fieldValue, model)
  for (const field of fields) edits.set(field, within(fieldValue(field), outputLimit))
  if (endpoint === 'messages')
    limitThought(objectIn(fieldValue('thinking')), numberIn(fieldValue('max_tokens')) ?? 0, edits)
}

/** Anthropic requires a thinking budget of at least `MIN_BUDGET` and below `max_tokens`. */
function limitThought(thinking: JsonObject, maxTokens: number, edits: Map<string, unknown>): void {
  if (thinking.type !== 'enabled' || (numberIn(thinking.budget_tokens) ?? 0) < maxTokens) return
  edits.set('thinking', maxTokens > MIN_BUDGET ? { ...thinking, budget_tokens: maxTokens - 1 } : undefined)
}

/**
 * The names of the output limits in the body, of OpenAI's two; without any, the name that the model supports. Anthropic
 * uses the older name.
 */
function fieldsOf(fieldValue: (field: string) => unknown, model: string): readonly string[] {
  const used = ['max_tokens', 'max_completion_tokens'].filter((field) => typeof fieldValue(field) === 'number')
  if (used.length > 0) return used
  return [/^(o\d|gpt-[5-9])/.test(model) ? 'max_completion_tokens' : 'max_tokens']
}
