import { type ChatModel, chatModel } from '../../capabilities/chat-models.ts'
import { type Effort, effortOfBudget, nearestEffort } from '../../capabilities/effort.ts'
import type { RequestTarget } from '../codec.ts'
import type { Conversation, Reasoning } from '../conversation.ts'

type NamedTarget = Pick<RequestTarget, 'model' | 'requestedModel'>

/**
 * What is known of the model that is asked: by the upstream's name where that is one of OpenAI's, else by the caller's
 * where operators choose what models are called.
 */
export function askedModel({ model, requestedModel = model }: NamedTarget): ChatModel | undefined {
  const known = chatModel(model)
  return known?.isOpenAi ? known : chatModel(requestedModel)
}

/** Whether the model is known to take no effort. */
export const neverThinks = (model: ChatModel | undefined): boolean => model?.isOpenAi === true && !sealsThoughts(model)

/** Whether the model is one of OpenAI's that think, and seal their thoughts. */
export const sealsThoughts = (model: ChatModel | undefined): boolean =>
  model?.isOpenAi === true && model.efforts.length > 0

/** What every model that thinks takes. */
const COMMON: readonly Effort[] = ['low', 'medium', 'high']

/**
 * The effort for a model (docs/reference/conversion.md#thinking). What OpenAI's own dialects ask for is passed on;
 * what others ask for is brought to the nearest that the model takes. Undefined leaves it to the model.
 */
export function effortFor({ reasoning, extras }: Conversation, model: ChatModel | undefined): Effort | undefined {
  if (!reasoning) return undefined
  const { effort, mode, budget } = reasoning
  const isOwn = extras.from === 'openai' || extras.from === 'responses'
  if (isOwn && (effort || (!mode && budget === undefined))) return effort
  const wanted = isOff(reasoning) ? 'none' : (effort ?? asked(reasoning))
  return wanted && nearestEffort(wanted, model?.efforts ?? COMMON)
}

/** Whether the model is not to think at all. */
export const isOff = ({ mode, effort, budget }: Reasoning): boolean =>
  mode === 'off' || effort === 'none' || (budget === 0 && effort === undefined)

/** Thinking without a measure is medium. */
function asked({ budget, mode, show }: Reasoning): Effort | undefined {
  if (budget !== undefined && budget > 0) return effortOfBudget(budget)
  return mode === 'on' || mode === 'adaptive' || budget === -1 || show ? 'medium' : undefined
}
