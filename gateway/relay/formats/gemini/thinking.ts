import { flagIn, type JsonObject, present, textIn } from '../../../base/json/json.ts'
import { effortOfBudget, efforts } from '../../capabilities/effort.ts'
import {
  canThink,
  clampBudget,
  DYNAMIC_BUDGET,
  effortBudget,
  offBudget,
  speaksLevels,
  takesBudget,
  thinkingLevel,
} from '../../capabilities/gemini-models.ts'
import type { RequestTarget } from '../codec.ts'
import type { Conversation, Reasoning } from '../conversation.ts'
import { messageIn, numberOf } from './message.ts'

export function reasoningIn(value: unknown): Reasoning | undefined {
  if (value === undefined || value === null) return undefined
  const config = messageIn(value)
  const budget = numberOf(config.thinkingBudget, 'generationConfig.thinkingConfig.thinkingBudget')
  const level = textIn(config.thinkingLevel)?.toLowerCase()
  const effort = efforts.find((known) => known === level)
  const show = flagIn(config.includeThoughts)
  const isOn = effort !== undefined || budget !== undefined
  return {
    ...(isOn && { mode: budget === 0 ? 'off' : 'on' }),
    ...(effort !== undefined && { effort }),
    ...(budget !== undefined && { budget }),
    ...(show !== undefined && { show }),
  }
}

/**
 * Writes `generationConfig.thinkingConfig`: a level for the third generation, a budget for earlier ones, within the
 * model's limits (docs/reference/conversion.md#thinking). Thoughts are included unless the client configures otherwise,
 * since most dialects cannot request them.
 */
export function thinkingOut(conversation: Conversation, target: RequestTarget): JsonObject | undefined {
  const { reasoning, extras } = conversation
  if (!reasoning) return undefined
  const isOwn = extras.from === 'gemini'
  const isOff = reasoning.mode === 'off' || reasoning.effort === 'none'
  if (!isOwn && !canThink(target.model)) {
    if (!isOff) target.drop('reasoning')
    return undefined
  }
  const shown = reasoning.show ?? (reasoning.summary === undefined ? undefined : true)
  const includeThoughts = shown ?? (isOwn || isOff ? undefined : true)
  const amount = isOff ? offOut(target) : amountOut(reasoning, target.model, isOwn)
  const config = present({ includeThoughts, ...amount })
  return Object.keys(config).length > 0 || isOwn ? config : undefined
}

function offOut(target: RequestTarget): JsonObject {
  const { model } = target
  if (speaksLevels(model)) {
    const thinkingLevelOff = thinkingLevel(model, 'none')
    if (thinkingLevelOff !== 'minimal') target.drop('reasoning')
    return { thinkingLevel: thinkingLevelOff }
  }
  const budget = offBudget(model)
  if (budget !== undefined) return { thinkingBudget: budget }
  target.drop('reasoning')
  return takesBudget(model) ? { thinkingBudget: clampBudget(model, 0) } : {}
}

function amountOut({ mode, effort, budget }: Reasoning, model: string, isOwn: boolean): JsonObject {
  if (speaksLevels(model)) {
    if (isOwn && effort === undefined && budget !== undefined) return { thinkingBudget: budget }
    const requested = effort ?? (budget !== undefined && budget > 0 ? effortOfBudget(budget) : undefined)
    return requested === undefined ? {} : { thinkingLevel: thinkingLevel(model, requested) }
  }
  if (!takesBudget(model)) return {}
  if (budget !== undefined) return { thinkingBudget: clampBudget(model, budget) }
  if (effort !== undefined) return { thinkingBudget: effortBudget(model, effort) }
  return mode === 'on' || mode === 'adaptive' ? { thinkingBudget: DYNAMIC_BUDGET } : {}
}
