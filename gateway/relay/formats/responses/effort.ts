import { type ChatModel, chatModel } from '../../capabilities/chat-models.ts'
import { type Effort, effortOfBudget, nearestEffort } from '../../capabilities/effort.ts'
import type { RequestTarget } from '../codec.ts'
import type { Conversation, Reasoning } from '../conversation.ts'

type NamedTarget = Pick<RequestTarget, 'model' | 'requestedModel'>

/**
 * Returns the traits of the requested model: by the upstream's name if it is one of OpenAI's, else by the client's,
 * since operators may choose the names.
 */
export function askedModel({ model, requestedModel = model }: NamedTarget): ChatModel | undefined {
  const known = chatModel(model)
  return known?.isOpenAi ? known : chatModel(requestedModel)
}

export const neverThinks = (model: ChatModel | undefined): boolean => model?.isOpenAi === true && !sealsThoughts(model)

/** Whether the model is one of OpenAI's reasoning models, which encrypt their reasoning. */
export const sealsThoughts = (model: ChatModel | undefined): boolean =>
  model?.isOpenAi === true && model.efforts.length > 0

const COMMON: readonly Effort[] = ['low', 'medium', 'high']

/**
 * Returns the effort for a model (docs/reference/conversion.md#thinking). An effort in OpenAI's own dialects is passed
 * on; others are mapped to the nearest that the model supports. Undefined if the model decides.
 */
export function effortFor({ reasoning, extras }: Conversation, model: ChatModel | undefined): Effort | undefined {
  if (!reasoning) return undefined
  const { effort, mode, budget } = reasoning
  const isOwn = extras.from === 'openai' || extras.from === 'responses'
  if (isOwn && (effort || (!mode && budget === undefined))) return effort
  const requested = isOff(reasoning) ? 'none' : (effort ?? requestedEffort(reasoning))
  return requested && nearestEffort(requested, model?.efforts ?? COMMON)
}

export const isOff = ({ mode, effort, budget }: Reasoning): boolean =>
  mode === 'off' || effort === 'none' || (budget === 0 && effort === undefined)

/** Thinking without a configured amount has medium effort. */
function requestedEffort({ budget, mode, show }: Reasoning): Effort | undefined {
  if (budget !== undefined && budget > 0) return effortOfBudget(budget)
  return mode === 'on' || mode === 'adaptive' || budget === -1 || show ? 'medium' : undefined
}
