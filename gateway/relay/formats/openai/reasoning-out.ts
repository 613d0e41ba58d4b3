import { present } from '../../../base/json/json.ts'
import { type ChatModel, chatModel } from '../../capabilities/chat-models.ts'
import { type Effort, effortOfBudget, nearestEffort } from '../../capabilities/effort.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, Reasoning } from '../conversation.ts'

/**
 * Writes the amount of thinking, for OpenRouter in its own member. Elsewhere, it is unchanged for a client of this
 * dialect, which knows its model; for another client, it becomes the nearest effort of the model, or is reported if the
 * model supports none (docs/reference/conversion.md#thinking).
 */
export function reasoningOut(conversation: Conversation, target: RequestTarget): Json {
  const { reasoning, extras } = conversation
  if (!reasoning) return {}
  if (target.cacheMarks) return { reasoning: routerOut(reasoning) }
  if (extras.from === 'openai') return ownOut(reasoning, target)
  // OpenAI returns no reasoning in this dialect; compatible vendors return it without a request.
  if (target.strictOpenai && reasoning.show) target.drop('summary')
  const requested = effortOf(reasoning)
  if (requested === undefined && reasoning.mode === undefined) return {}
  const model = chatModel(target.model)
  return requested === 'none' ? offOut(model, target) : onOut(model, requested, target)
}

/** Thinking that cannot be disabled is minimized, and that is reported. */
function offOut(model: ChatModel | undefined, target: RequestTarget): Json {
  const switched = model?.thinks === 'always' ? undefined : switchOut(model, false, target)
  if (switched) return switched
  const effort = nearestEffort('none', chatEfforts(model))
  if (model && model.thinks !== 'never' && effort !== 'none') target.drop('reasoning')
  return present({ reasoning_effort: effort })
}

function onOut(model: ChatModel | undefined, requested: Effort | undefined, target: RequestTarget): Json {
  const switched = switchOut(model, true, target)
  const effort = requested && nearestEffort(requested, chatEfforts(model))
  const isSaid = switched !== undefined || effort !== undefined || (model !== undefined && model.efforts.length > 0)
  if (!isSaid) target.drop('reasoning')
  return present({ ...switched, reasoning_effort: effort })
}

/** Returns the member that enables or disables the model's thinking, if it has one and is not served by OpenAI. */
function switchOut(model: ChatModel | undefined, isOn: boolean, { strictOpenai }: RequestTarget): Json | undefined {
  const name = strictOpenai ? undefined : model?.thinkingSwitch
  if (!name) return undefined
  return { [name]: name === 'thinking' ? { type: isOn ? 'enabled' : 'disabled' } : isOn }
}

/** OpenAI's models accept `max` only in Responses. */
const chatEfforts = (model: ChatModel | undefined): readonly Effort[] =>
  (model?.efforts ?? []).filter((effort) => !model?.isOpenAi || effort !== 'max')

/** Writes OpenRouter's member, which OpenRouter converts for the model's vendor. */
function routerOut({ mode, effort, budget, show }: Reasoning): Json {
  const isOff = mode === 'off' || effort === 'none'
  const max_tokens = budget !== undefined && budget > 0 ? budget : undefined
  const exclude = show === undefined ? undefined : !show
  if (isOff) return { enabled: false }
  if (effort !== undefined && max_tokens === undefined)
    return present({ effort: effort === 'max' ? 'xhigh' : effort, exclude })
  return present({ enabled: max_tokens === undefined && mode ? true : undefined, max_tokens, exclude })
}

/** Writes what `reasoningIn` has read, under its most likely original name. */
function ownOut(reasoning: Reasoning, target: RequestTarget): Json {
  const { mode, effort, budget } = reasoning
  if (target.strictOpenai || mode === undefined) return present({ reasoning_effort: effortOf(reasoning) })
  return present({ thinking: thinkingOut(mode, budget), reasoning_effort: effort })
}

const thinkingOut = (mode: Reasoning['mode'], budget?: number): Json => {
  if (mode === 'off') return { type: 'disabled' }
  return present({ type: mode === 'adaptive' ? mode : 'enabled', budget_tokens: budget })
}

/** Returns the effort, or the one that corresponds to the budget. Undefined if the model decides. */
export function effortOf(reasoning: Reasoning | undefined): Effort | undefined {
  const { mode, effort, budget } = reasoning ?? {}
  if (mode === 'off' || (budget === 0 && effort === undefined)) return 'none'
  if (effort) return effort
  return budget === undefined || budget < 0 ? undefined : effortOfBudget(budget)
}
