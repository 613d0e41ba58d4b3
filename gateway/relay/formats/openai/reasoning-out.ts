import { present } from '../../../base/json/json.ts'
import { type ChatModel, chatModel } from '../../capabilities/chat-models.ts'
import { type Effort, effortOfBudget, nearestEffort } from '../../capabilities/effort.ts'
import type { Json, RequestTarget } from '../codec.ts'
import type { Conversation, Reasoning } from '../conversation.ts'

/**
 * How much the model is to think. A client of this dialect knows its model: what it asks for is written as it was.
 * Another's is written as the model takes it, in the nearest of its efforts, and reported where it takes nothing of it
 * (docs/reference/conversion.md#thinking).
 */
export function reasoningOut(conversation: Conversation, target: RequestTarget): Json {
  const { reasoning, extras } = conversation
  if (!reasoning) return {}
  if (target.cacheMarks) return { reasoning: routerOut(reasoning) }
  if (extras.from === 'openai') return ownOut(reasoning, target)
  // OpenAI itself shows no thoughts here; vendors of its dialect show them to everybody.
  if (target.strictOpenai && reasoning.show) target.drop('summary')
  const wanted = effortOf(reasoning)
  if (wanted === undefined && reasoning.mode === undefined) return {}
  const model = chatModel(target.model)
  return wanted === 'none' ? offOut(model, target) : onOut(model, wanted, target)
}

/** Thinking that cannot be switched off is kept small, and that is reported. */
function offOut(model: ChatModel | undefined, target: RequestTarget): Json {
  const switched = model?.thinks === 'always' ? undefined : switchOut(model, false, target)
  if (switched) return switched
  const effort = nearestEffort('none', chatEfforts(model))
  if (model && model.thinks !== 'never' && effort !== 'none') target.drop('reasoning')
  return present({ reasoning_effort: effort })
}

function onOut(model: ChatModel | undefined, wanted: Effort | undefined, target: RequestTarget): Json {
  const switched = switchOut(model, true, target)
  const effort = wanted && nearestEffort(wanted, chatEfforts(model))
  const isSaid = switched !== undefined || effort !== undefined || (model !== undefined && model.efforts.length > 0)
  if (!isSaid) target.drop('reasoning')
  return present({ ...switched, reasoning_effort: effort })
}

/** The member that switches the model's thinking, where it has one and is served by others than OpenAI. */
function switchOut(model: ChatModel | undefined, isOn: boolean, { strictOpenai }: RequestTarget): Json | undefined {
  const name = strictOpenai ? undefined : model?.thinkingSwitch
  if (!name) return undefined
  return { [name]: name === 'thinking' ? { type: isOn ? 'enabled' : 'disabled' } : isOn }
}

/** OpenAI's models take `max` in Responses only. */
const chatEfforts = (model: ChatModel | undefined): readonly Effort[] =>
  (model?.efforts ?? []).filter((effort) => !model?.isOpenAi || effort !== 'max')

/** OpenRouter's member, which it turns into what the model's vendor wants. */
function routerOut({ mode, effort, budget, show }: Reasoning): Json {
  const isOff = mode === 'off' || effort === 'none'
  const max_tokens = budget !== undefined && budget > 0 ? budget : undefined
  const exclude = show === undefined ? undefined : !show
  if (isOff) return { enabled: false }
  if (effort !== undefined && max_tokens === undefined)
    return present({ effort: effort === 'max' ? 'xhigh' : effort, exclude })
  return present({ enabled: max_tokens === undefined && mode ? true : undefined, max_tokens, exclude })
}

/** What `reasoningIn` has read, under the name it most likely had. */
function ownOut(reasoning: Reasoning, target: RequestTarget): Json {
  const { mode, effort, budget } = reasoning
  if (target.strictOpenai || mode === undefined) return present({ reasoning_effort: effortOf(reasoning) })
  return present({ thinking: thinkingOut(mode, budget), reasoning_effort: effort })
}

const thinkingOut = (mode: Reasoning['mode'], budget?: number): Json => {
  if (mode === 'off') return { type: 'disabled' }
  return present({ type: mode === 'adaptive' ? mode : 'enabled', budget_tokens: budget })
}

/** An effort, or the one of a budget. Undefined where the model is to decide. */
export function effortOf(reasoning: Reasoning | undefined): Effort | undefined {
  const { mode, effort, budget } = reasoning ?? {}
  if (mode === 'off' || (budget === 0 && effort === undefined)) return 'none'
  if (effort) return effort
  return budget === undefined || budget < 0 ? undefined : effortOfBudget(budget)
}
