import { numberIn, objectIn } from '../../base/json.ts'
import type { Settings } from '../../settings/settings.ts'
import { type Effort, efforts, type Reasoning } from '../formats/conversation.ts'
import {
  budgetRange,
  clampBudget,
  offBudget,
  speaksLevels,
  takesBudget,
  thinkingLevel,
} from '../formats/gemini/budget.ts'
import type { Call } from '../model/call.ts'
import { type ModelSuffix, noSuffix } from './no-suffix.ts'

const BUDGETED = /-thinking-(\d+)$/
const SUFFIX = /-(thinking-\d+|thinking|nothinking)$/
const LEVELED = /-(high|medium|low|minimal)$/

/**
 * The thinking adapter for Gemini (spec/relay.md §3.5), read from the name as it was asked for: `-thinking-<n>`,
 * `-thinking`, `-nothinking`, and an effort at the end of a third-generation name.
 */
export function geminiSuffix(settings: Pick<Settings, 'get'>, { json, model: asked }: Call, name: string): ModelSuffix {
  if (!settings.get('gemini.thinking_adapter_enabled')) return noSuffix(name)
  const bare = name.replace(SUFFIX, '')
  const model = speaksLevels(bare) ? bare.replace(LEVELED, '') : bare
  const share = settings.get('gemini.thinking_adapter_budget_tokens_percentage')
  const config = objectIn(json.generationConfig ?? json.generation_config)
  const reasoningFor = (most: number | undefined) => reasoningOf(asked, model, share, most)
  const own = reasoningFor(numberIn(config.maxOutputTokens))
  if (!own) return noSuffix(model)
  const said = config.thinkingConfig ?? config.thinking_config
  return {
    model,
    edits: said ? NONE : new Map([['generationConfig', { ...config, thinkingConfig: configOf(model, own) }]]),
    adapt(conversation) {
      const reasoning = reasoningFor(conversation.maxOutput)
      return reasoning ? { ...conversation, reasoning: { ...conversation.reasoning, ...reasoning } } : conversation
    },
  }
}

const NONE: ReadonlyMap<string, unknown> = new Map()

/** What the name says of thinking; a share of nothing known leaves the amount to the model. */
function reasoningOf(asked: string, model: string, share: number, most: number | undefined): Reasoning | undefined {
  const tokens = BUDGETED.exec(asked)?.[1]
  if (tokens !== undefined) return { mode: 'on', budget: clampBudget(model, Number(tokens)), show: true }
  if (asked.endsWith('-nothinking')) return offBudget(model) === undefined ? undefined : { mode: 'off', budget: 0 }
  if (asked.endsWith('-thinking')) {
    if (most === undefined || !takesBudget(model)) return { mode: 'on', show: true }
    return { mode: 'on', budget: clampBudget(model, most * share), show: true }
  }
  const level = speaksLevels(model) ? LEVELED.exec(asked)?.[1] : undefined
  const effort = efforts.find((known) => known === level)
  return effort ? { mode: 'on', effort, show: true } : undefined
}

function configOf(model: string, { budget, effort, show }: Reasoning): object {
  return {
    ...(show ? { includeThoughts: true } : {}),
    ...(effort ? levelOf(model, effort) : {}),
    ...(budget === undefined ? {} : { thinkingBudget: Math.min(budget, budgetRange(model).max) }),
  }
}

const levelOf = (model: string, effort: Effort) => ({ thinkingLevel: thinkingLevel(model, effort) })
