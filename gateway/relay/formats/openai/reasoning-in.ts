import { flagIn, isObject, numberIn, objectIn, textIn } from '../../../base/json.ts'
import type { Json } from '../codec.ts'
import { type Effort, efforts, type Reasoning } from '../conversation.ts'

/**
 * How much the model is to think: `reasoning_effort`, OpenRouter's `reasoning`, and the `thinking` that DeepSeek, GLM
 * and others have taken over from Anthropic. What `isReasoning` does not know is left to the extras.
 */
export function reasoningIn(wire: Json): Reasoning | undefined {
  const router = isReasoning.reasoning(wire.reasoning) ? objectIn(wire.reasoning) : {}
  const thinking = isReasoning.thinking(wire.thinking) ? objectIn(wire.thinking) : {}
  const enabled = flagIn(router.enabled)
  const exclude = flagIn(router.exclude)
  const mode = modes[textIn(thinking.type) ?? ''] ?? (enabled === undefined ? undefined : switched(enabled))
  const reasoning: Reasoning = {
    mode,
    effort: effortIn(wire.reasoning_effort) ?? effortIn(router.effort),
    budget: numberIn(thinking.budget_tokens) ?? numberIn(router.max_tokens),
    show: exclude === undefined ? undefined : !exclude,
  }
  return Object.values(reasoning).some((value) => value !== undefined) ? reasoning : undefined
}

/** Whether a member is understood by `reasoningIn`, all of it. */
export const isReasoning = {
  reasoning_effort: (value: unknown): boolean => effortIn(value) !== undefined,
  reasoning: (value: unknown): boolean =>
    isObject(value) &&
    hasOnly(value, ['effort', 'max_tokens', 'exclude', 'enabled']) &&
    (value.effort === undefined || value.effort === null || effortIn(value.effort) !== undefined),
  thinking: (value: unknown): boolean =>
    isObject(value) && modes[textIn(value.type) ?? ''] !== undefined && hasOnly(value, ['type', 'budget_tokens']),
}

/** `thinking.type`. */
const modes: Readonly<Record<string, Reasoning['mode']>> = { enabled: 'on', disabled: 'off', adaptive: 'adaptive' }

const switched = (enabled: boolean): Reasoning['mode'] => (enabled ? 'on' : 'off')

const effortIn = (value: unknown): Effort | undefined => efforts.find((effort) => effort === value)

const hasOnly = (value: Json, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name))
