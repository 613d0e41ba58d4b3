import { type JsonObject, numberIn, objectIn } from '../../base/json/json.ts'
import type { Hold } from '../../billing/ledger.ts'
import { outputWithin } from '../../billing/meter.ts'
import { MIN_BUDGET } from '../formats/anthropic/thinking.ts'
import type { Conversation } from '../formats/conversation.ts'
import type { Call } from '../model/call.ts'
import type { Plan } from '../model/plan.ts'
import { withoutTools } from './admit.ts'

/**
 * The call as its account can pay for it: where what is set aside is less than it may cost, with the output that it
 * pays for as a limit (docs/reference/billing.md#hold). A stream asks for more as it goes and needs none, unless it
 * thinks unseen.
 */
export function cappedToHold(
  call: Call,
  { expected, price, quotaPerUnit, extras, holdQuota: wanted }: Plan,
  hold: Hold,
): Call {
  const { isLimitable, hasHiddenReasoning, output, prompt, choices, unlimitedReasoning } = expected
  if (hold.quota >= wanted || !isLimitable || output === 0 || (call.stream && !hasHiddenReasoning)) return call
  const tokens = outputWithin(hold.quota, prompt, price, quotaPerUnit, withoutTools(extras))
  const outputLimit = Math.floor(tokens / choices) - unlimitedReasoning
  return outputLimit >= output / choices - unlimitedReasoning
    ? call
    : { ...call, outputLimit: Math.max(outputLimit, 1) }
}

/** The smaller of a limit that is said and the one that can be paid for. */
const within = (said: unknown, limit: number): number => Math.min(numberIn(said) || limit, limit)

const LIMITS = new Set(['max_tokens', 'max_completion_tokens', 'max_output_tokens'])

/** A member of a request's body, where it limits the output not above what can be paid for. */
export const withinOutputLimit = ({ outputLimit }: Call, field: string, value: unknown): unknown =>
  outputLimit !== undefined && LIMITS.has(field) ? within(value, outputLimit) : value

/** Limits the output of a conversation. */
export function limitedConversation({ outputLimit }: Call, conversation: Conversation): Conversation {
  if (outputLimit === undefined) return conversation
  const { reasoning } = conversation
  const maxOutput = within(conversation.maxOutput, outputLimit)
  if (reasoning?.budget === undefined || reasoning.budget < maxOutput) return { ...conversation, maxOutput }
  return { ...conversation, maxOutput, reasoning: { ...reasoning, budget: Math.max(maxOutput - 1, MIN_BUDGET) } }
}

/** Adds to the edits of a body of the caller's own dialect what keeps its output within what can be paid for. */
export function limitOutput({ endpoint, json, outputLimit }: Call, model: string, edits: Map<string, unknown>): void {
  if (outputLimit === undefined) return
  const said = (field: string): unknown => (edits.has(field) ? edits.get(field) : json[field])
  if (endpoint === 'generate') {
    const field =
      'generation_config' in json && !edits.has('generationConfig') ? 'generation_config' : 'generationConfig'
    const { max_output_tokens: other, ...config } = objectIn(said(field))
    edits.set(field, { ...config, maxOutputTokens: within(config.maxOutputTokens ?? other, outputLimit) })
    return
  }
  const fields = endpoint === 'responses' ? ['max_output_tokens'] : fieldsOf(said, model)
  for (const field of fields) edits.set(field, within(said(field), outputLimit))
  if (endpoint === 'messages') limitThought(objectIn(said('thinking')), numberIn(said('max_tokens')) ?? 0, edits)
}

/** Anthropic takes no budget of thought that is not below `max_tokens`, and none below its least. */
function limitThought(thinking: JsonObject, maxTokens: number, edits: Map<string, unknown>): void {
  if (thinking.type !== 'enabled' || (numberIn(thinking.budget_tokens) ?? 0) < maxTokens) return
  edits.set('thinking', maxTokens > MIN_BUDGET ? { ...thinking, budget_tokens: maxTokens - 1 } : undefined)
}

/** Those of OpenAI's two names that are said, else the one the model knows; Anthropic has the older. */
function fieldsOf(said: (field: string) => unknown, model: string): readonly string[] {
  const used = ['max_tokens', 'max_completion_tokens'].filter((field) => typeof said(field) === 'number')
  if (used.length > 0) return used
  return [/^(o\d|gpt-[5-9])/.test(model) ? 'max_completion_tokens' : 'max_tokens']
}
