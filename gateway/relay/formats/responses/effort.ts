import type { RequestTarget } from '../codec.ts'
import { type Conversation, type Effort, efforts, type Reasoning } from '../conversation.ts'

/** Whether the model is one of OpenAI's that take neither an effort nor sealed thoughts. Models of other names may. */
export const neverThinks = (model: string): boolean =>
  /(^|\/)(ft:)?(gpt-[34]|chatgpt-|gpt-5[\d.]*-chat|o1-(mini|preview))/.test(model)

/** Whether the model is one of OpenAI's that think: they seal their thoughts, and take no temperature. */
export const thinks = (model: string): boolean => levelsOf(model) !== undefined

/**
 * The name that tells what a model is: the upstream's where it is one of OpenAI's, else the caller's where operators
 * choose what models are called.
 */
export const telling = ({ model, requestedModel = model }: NamedTarget): string =>
  neverThinks(model) || thinks(model) ? model : requestedModel

type NamedTarget = Pick<RequestTarget, 'model' | 'requestedModel'>

/**
 * The effort for a model (docs/reference/conversion.md#thinking). What OpenAI's own dialects ask for is passed on;
 * what others ask for is brought to the nearest that the model takes. Undefined leaves it to the model.
 */
export function effortFor({ reasoning, extras }: Conversation, model: string): Effort | undefined {
  if (!reasoning) return undefined
  const { effort, mode, budget } = reasoning
  const isOwn = extras.from === 'openai' || extras.from === 'responses'
  if (isOwn && (effort || (!mode && budget === undefined))) return effort
  const wanted = isOff(reasoning) ? 'none' : (effort ?? asked(reasoning))
  return wanted && nearest(wanted, levelsOf(model) ?? COMMON)
}

/** Whether the model is not to think at all. */
export const isOff = ({ mode, effort, budget }: Reasoning): boolean =>
  mode === 'off' || effort === 'none' || (budget === 0 && effort === undefined)

/** Below 4k tokens low, below 16k medium, else high; thinking without a measure is medium. */
function asked({ budget, mode, show }: Reasoning): Effort | undefined {
  if (budget !== undefined && budget > 0) {
    if (budget < 4096) return 'low'
    return budget < 16_384 ? 'medium' : 'high'
  }
  return mode === 'on' || mode === 'adaptive' || budget === -1 || show ? 'medium' : undefined
}

/** What every model that thinks takes. */
const COMMON: readonly Effort[] = ['low', 'medium', 'high']

/** What OpenAI's models take; the first row that fits counts. */
const levels: readonly (readonly [RegExp, readonly Effort[]])[] = [
  [/(^|\/)gpt-5-pro(?![a-z])/, ['high']],
  [/(^|\/)gpt-(5\.\d|[6-9])[\w.-]*-pro(?![a-z])/, ['medium', 'high', 'xhigh']],
  [/(^|\/)gpt-5\.1-codex-max/, ['none', ...COMMON, 'xhigh']],
  [/(^|\/)gpt-5\.1/, ['none', ...COMMON]],
  [/(^|\/)gpt-(5\.\d|[6-9])[\w.-]*-codex/, [...COMMON, 'xhigh']],
  [/(^|\/)gpt-(5\.[2-9]|[6-9])/, ['none', ...COMMON, 'xhigh']],
  [/(^|\/)gpt-5-codex/, COMMON],
  [/(^|\/)gpt-5/, ['minimal', ...COMMON]],
  [/(^|\/)(o\d|codex-)/, COMMON],
]

const levelsOf = (model: string): readonly Effort[] | undefined =>
  neverThinks(model) ? undefined : levels.find(([pattern]) => pattern.test(model))?.[1]

const rank = (effort: Effort): number => efforts.indexOf(effort)

/** The strongest effort that is no stronger than the wanted one; where all are, the weakest. */
const nearest = (wanted: Effort, taken: readonly Effort[]): Effort | undefined =>
  taken.findLast((effort) => rank(effort) <= rank(wanted)) ?? taken[0]
