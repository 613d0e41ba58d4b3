import { flagIn, type JsonObject, numberIn, objectIn, textIn } from '../../base/json/json.ts'
import { type Effort, efforts } from '../capabilities/effort.ts'
import { budgetOfEffort, fittedBudget, MIN_MAX_TOKENS } from '../formats/anthropic/thinking.ts'
import { generationConfigOf } from '../intake/choices.ts'
import type { Call } from '../model/call.ts'
import { countIn } from './expected-tools.ts'
import type { OutputLimit } from './model-output-limits.ts'

/**
 * Reasoning tokens of one choice: `extra` is in addition to the output limit, `min` is the least that a limit must
 * allow for.
 */
type Thought = Readonly<{ extra: number; min: number }>
export const NO_THOUGHT: Thought = { extra: 0, min: 0 }

/** Longest reasoning of Qwen's models, and of the models of vendors that exclude it from the output limit, in tokens. */
const QWEN_THOUGHT = 81_920
const EXCLUDED_THOUGHT = 65_536

/** The reasoning that a conversation's vendor may bill (docs/reference/model-output-limits.md#thought). */
export function thoughtOf(call: Call, limit: OutputLimit): Thought {
  const own = call.endpoint === 'messages' ? ownBudget(call.json) : NO_THOUGHT
  const wanted = requestedIn(call.json)
  const claude = limit.isClaude ? thoughtOnClaude(call, limit, wanted) : NO_THOUGHT
  const excluded = isExcluded(call, limit, wanted) ? excludedThought(call.json, limit) : 0
  return { extra: Math.max(own.extra, claude.extra, excluded), min: Math.max(own.min, claude.min) }
}

/** Whether the request hides the reasoning from its response (OpenRouter, "Reasoning tokens"; Groq, "Reasoning"). */
export const hidesThought = ({ reasoning, include_reasoning, reasoning_format }: Readonly<JsonObject>): boolean =>
  objectIn(reasoning).exclude === true || include_reasoning === false || reasoning_format === 'hidden'

/** Whether a Claude model thinks; its streams show at most a summary (Anthropic, "Extended thinking"). */
export function thinksOnClaude({ endpoint, json }: Call, { isClaude, thinksUnasked }: OutputLimit): boolean {
  const { type } = objectIn(json.thinking)
  if (endpoint === 'messages') return type === undefined ? thinksUnasked : type !== 'disabled'
  return thinksUnasked || (isClaude && requestedIn(json).isOn)
}

export const effortOf = (json: Readonly<JsonObject>): string | undefined =>
  textIn(json.reasoning_effort) ??
  textIn(objectIn(json.reasoning).effort) ??
  textIn(objectIn(json.output_config).effort)

/** Anthropic counts reasoning within `max_tokens`, unless its budget is larger. */
function ownBudget(json: Readonly<JsonObject>): Thought {
  const budget = countIn(objectIn(json.thinking).budget_tokens) ?? 0
  const isInside = budget < (numberIn(json.max_tokens) ?? 0)
  return { extra: isInside ? 0 : budget, min: budget }
}

/**
 * Reasoning settings of a request in any dialect: the largest budget, the effort, and whether reasoning is on or off.
 */
type Requested = Readonly<{ budget: number; effort: Effort | undefined; isOn: boolean; isOff: boolean }>

function requestedIn(json: Readonly<JsonObject>): Requested {
  const [thinking, router] = [objectIn(json.thinking), objectIn(json.reasoning)]
  const { thinkingConfig, thinking_config } = generationConfigOf(json)
  const gemini = objectIn(thinkingConfig ?? thinking_config)
  const budgets = [thinking.budget_tokens, router.max_tokens, gemini.thinkingBudget, gemini.thinking_budget]
  const budget = Math.max(0, ...budgets.map((value) => countIn(value) ?? 0))
  const level = (textIn(gemini.thinkingLevel) ?? textIn(gemini.thinking_level))?.toLowerCase()
  const effort = efforts.find((known) => known === (effortOf(json) ?? level))
  const isShown = flagIn(gemini.includeThoughts ?? gemini.include_thoughts) || router.summary !== undefined
  const isSwitchedOn = thinking.type === 'enabled' || thinking.type === 'adaptive' || router.enabled === true
  const isSwitchedOff = thinking.type === 'disabled' || router.enabled === false || json.enable_thinking === false
  return {
    budget,
    effort,
    isOn: budget > 0 || (effort !== undefined && effort !== 'none') || isSwitchedOn || isShown,
    isOff: isSwitchedOff || effort === 'none',
  }
}

/**
 * Conversions for Claude raise `max_tokens` above the budget, and to a minimum if the model's name requests thinking
 * (docs/reference/conversion.md#thinking).
 */
function thoughtOnClaude({ endpoint, json, maxOutput }: Call, limit: OutputLimit, wanted: Requested): Thought {
  const { tokens, isKnown, isSet, hasThinkingName, takesBudgets, takesEffortBudgets } = limit
  const max = maxOutput || tokens
  const isNative = endpoint === 'messages'
  const minTotal = hasThinkingName && !(isNative && json.thinking) ? MIN_MAX_TOKENS : 0
  const byEffort = takesEffortBudgets && wanted.isOn ? budgetOfEffort(wanted.effort ?? 'medium') : 0
  const requested = !takesBudgets || isNative ? 0 : wanted.budget || byEffort
  const fitted = requested > 0 ? fittedBudget(requested, max, isKnown && !isSet ? tokens : undefined) : undefined
  const total = Math.max(fitted?.maxTokens ?? max, max, minTotal)
  return { extra: total - max, min: Math.max(fitted?.budget ?? 0, minTotal) }
}

/** Whether the model may reason beyond the output limit. */
function isExcluded({ json, stream }: Call, limit: OutputLimit, { isOn, isOff }: Requested): boolean {
  const isRequested = isOn || json.enable_thinking === true || json.thinking_budget !== undefined
  // DashScope's whole responses have no reasoning (docs/reference/channel-types.md#alibaba-dashscope).
  if (limit.isQwen && (isRequested || (stream && !isOff && limit.reasonsUnasked))) return true
  return limit.excludesReasoning && (isRequested || (!isOff && limit.reasonsUnasked))
}

function excludedThought({ thinking_budget }: Readonly<JsonObject>, { isQwen }: OutputLimit): number {
  return countIn(thinking_budget) ?? (isQwen ? QWEN_THOUGHT : EXCLUDED_THOUGHT)
}
