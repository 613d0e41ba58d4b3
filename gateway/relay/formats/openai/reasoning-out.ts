import { present } from '../../../base/json.ts'
import type { Json, RequestTarget } from '../codec.ts'
import { type Conversation, type Effort, efforts, type Reasoning } from '../conversation.ts'

/**
 * How much the model is to think. A client of this dialect knows its model: what it asks for is written as it was.
 * Another's is written where the model is known to take it, in the nearest of its efforts, and reported elsewhere
 * (docs/reference/conversion.md#thinking).
 */
export function reasoningOut(conversation: Conversation, target: RequestTarget): Json {
  const { reasoning, extras } = conversation
  if (!reasoning) return {}
  if (target.cacheMarks) return { reasoning: routerOut(reasoning) }
  if (extras.from === 'openai') return ownOut(reasoning, target)
  const levels = levelsOf(target.model)
  const wanted = effortOf(reasoning)
  // OpenAI itself shows no thoughts here; vendors of its dialect show them to everybody.
  if (target.strictOpenai && reasoning.show) target.drop('summary')
  if (levels) return levelOut(levels, wanted, target)
  const mode = reasoning.mode ?? (wanted && 'on')
  if (!mode) return {}
  if (!target.strictOpenai && SWITCHED.test(target.model)) return { thinking: thinkingOut(mode) }
  if (mode === 'on' || (wanted && wanted !== 'none')) target.drop('reasoning')
  return {}
}

/** Whether a model picks its words in its own way: it thinks, and is not told to leave that. */
export function insistsOnSampling({ reasoning }: Conversation, model: string): boolean {
  const levels = levelsOf(model)
  const isOff = reasoning !== undefined && effortOf(reasoning) === 'none' && levels?.includes('none')
  return levels !== undefined && !isOff
}

/** The nearest of a model's efforts; thinking that cannot be switched off is kept small, and that is reported. */
function levelOut(levels: readonly Effort[], wanted: Effort | undefined, target: RequestTarget): Json {
  if (!wanted) return {}
  if (wanted === 'none' && !levels.includes('none')) target.drop('reasoning')
  return { reasoning_effort: nearest(levels, wanted) }
}

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

/** An effort, or the one of a budget: below 4k low, below 16k medium, else high. Undefined where the model is to decide. */
function effortOf({ mode, effort, budget }: Reasoning): Effort | undefined {
  if (effort) return effort
  if (mode === 'off' || budget === 0) return 'none'
  if (budget === undefined || budget < 0) return undefined
  if (budget < 4096) return 'low'
  return budget < 16_384 ? 'medium' : 'high'
}

/** Models of this dialect whose thinking is switched by `thinking.type`. */
const SWITCHED = /glm-(4\.[5-9]|[5-9])|deepseek-(chat|v3\.[1-9]|v[4-9])|kimi-k2\.[5-9]|doubao-seed/i

/** The efforts that models take, the first that fits; models that none fits take no effort. */
const levels: readonly (readonly [RegExp, readonly Effort[]])[] = [
  [/(^|\/)gpt-5(\.\d+)?-chat/i, []],
  [/(^|\/)gpt-5[\w.-]*-pro/i, ['high']],
  [/(^|\/)gpt-5\.1-codex-max/i, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/(^|\/)gpt-5\.1/i, ['none', 'low', 'medium', 'high']],
  [/(^|\/)gpt-(5\.[2-9]|[6-9])/i, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/(^|\/)gpt-5-codex/i, ['low', 'medium', 'high']],
  [/(^|\/)gpt-5/i, ['minimal', 'low', 'medium', 'high']],
  [/(^|\/)o1-(mini|preview)/i, []],
  [/(^|\/)(o\d|gpt-oss|codex-mini)/i, ['low', 'medium', 'high']],
  [/grok-3-mini/i, ['low', 'high']],
  [/gemini-2\.5/i, ['none', 'low', 'medium', 'high']],
  [/gemini-[3-9]/i, ['minimal', 'low', 'medium', 'high']],
]

/** Undefined for models that are not known to take an effort. */
function levelsOf(model: string): readonly Effort[] | undefined {
  const known = levels.find(([pattern]) => pattern.test(model))?.[1]
  return known && known.length > 0 ? known : undefined
}

const rank = (effort: Effort): number => efforts.indexOf(effort)

/** The effort nearest to the wanted one; of two as near, the lower. */
const nearest = (known: readonly Effort[], wanted: Effort): Effort =>
  known.reduce((best, effort) =>
    Math.abs(rank(effort) - rank(wanted)) < Math.abs(rank(best) - rank(wanted)) ? effort : best,
  )
