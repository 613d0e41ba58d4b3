import { numberIn, objectIn } from '../../base/json/json.ts'
import type { Settings } from '../../settings/settings.ts'
import { chatModel } from '../capabilities/chat-models.ts'
import { traitsOf } from '../capabilities/claude-models.ts'
import { type Effort, efforts } from '../capabilities/effort.ts'
import {
  budgetRange,
  clampBudget,
  offBudget,
  speaksLevels,
  takesBudget,
  thinkingLevel,
} from '../capabilities/gemini-models.ts'
import { defaultMaxTokens } from '../formats/anthropic/max-output.ts'
import { sharedBudget } from '../formats/anthropic/thinking.ts'
import type { Conversation, Reasoning, Turn } from '../formats/conversation.ts'
import type { Call } from '../model/call.ts'
import type { Endpoint } from '../model/endpoint.ts'

/**
 * Reads the suffixes of a model's name that configure thinking, and the requirements of its family
 * (docs/reference/conversion.md#model-suffixes).
 */
export function modelSuffixOf(
  settings: Pick<Settings, 'get'>,
  call: Call,
  upstreamEndpoint: Endpoint,
  model: string,
): ModelSuffix {
  if (upstreamEndpoint === 'messages') return claudeSuffix(settings, call, model)
  if (upstreamEndpoint === 'generate') return geminiSuffix(settings, call, model)
  return upstreamEndpoint === 'chat' || upstreamEndpoint === 'responses'
    ? openaiSuffix(call, upstreamEndpoint, model)
    : noSuffix(model)
}

export type ModelSuffix = Readonly<{
  model: string
  /** Members of the caller's own body; undefined removes one. */
  edits: ReadonlyMap<string, unknown>
  adapt: (conversation: Conversation) => Conversation
}>

export const noSuffix = (model: string): ModelSuffix => ({ model, edits: NOTHING, adapt: same })

const NOTHING: ReadonlyMap<string, unknown> = new Map()
const same = (conversation: Conversation): Conversation => conversation

const EFFORT_AT_END = /^(.+)-(high|medium|low|minimal|none|xhigh)$/
const CHAT_MODEL = /-chat/

/**
 * Whether a name is one of OpenAI's reasoning models, as OpenAI spells it; not for OpenAI's chat models, even if they
 * reason.
 */
function isReasoning(name: string): boolean {
  if (name.includes('/') || name.includes(':') || CHAT_MODEL.test(name)) return false
  const known = chatModel(name)
  return known?.isOpenAi === true && known.thinks !== 'never'
}

export const effortInName = (name: string): string | undefined =>
  isReasoning(name) ? EFFORT_AT_END.exec(name)?.[2] : undefined

/** OpenAI's first reasoning models accept only `system`. */
const SYSTEM_ONLY = /^o1-(mini|preview)/

/**
 * Applies the requirements of OpenAI's reasoning models (docs/reference/conversion.md#model-suffixes): an effort suffix
 * sets the effort, `max_tokens` becomes `max_completion_tokens`, sampling is removed, `system` becomes `developer`.
 */
function openaiSuffix(call: Call, upstreamEndpoint: Endpoint, name: string): ModelSuffix {
  if (!isReasoning(name)) return noSuffix(name)
  const [, stripped, suffix] = EFFORT_AT_END.exec(name) ?? []
  const effort = efforts.find((known) => known === suffix)
  const model = effort && stripped ? stripped : name
  return {
    model,
    edits: upstreamEndpoint === 'responses' ? responsesEdits(call, effort) : chatEdits(call, model, effort),
    adapt: (conversation) => ({
      ...conversation,
      turns: SYSTEM_ONLY.test(model) ? conversation.turns : conversation.turns.map(asDeveloper),
      ...(effort ? { reasoning: { ...conversation.reasoning, effort } } : {}),
    }),
  }
}

const asDeveloper = (turn: Turn): Turn => (turn.role === 'system' ? { ...turn, role: 'developer' } : turn)

function responsesEdits({ json }: Call, effort: Effort | undefined): ReadonlyMap<string, unknown> {
  const edits = new Map<string, unknown>(sampling(json))
  if (effort) edits.set('reasoning', { ...objectIn(json.reasoning), effort })
  return edits
}

function chatEdits({ json }: Call, model: string, effort: Effort | undefined): ReadonlyMap<string, unknown> {
  const edits = new Map<string, unknown>(sampling(json))
  if (effort) edits.set('reasoning_effort', effort)
  if ('max_tokens' in json) {
    edits.set('max_tokens', undefined)
    if (!json.max_completion_tokens) edits.set('max_completion_tokens', json.max_tokens)
  }
  const [first, ...others] = Array.isArray(json.messages) ? json.messages : []
  if (objectIn(first).role === 'system' && !SYSTEM_ONLY.test(model))
    edits.set('messages', [{ ...objectIn(first), role: 'developer' }, ...others])
  return edits
}

const sampling = (json: Call['json']) =>
  ['temperature', 'top_p', 'logprobs', 'top_logprobs']
    .filter((field) => field in json)
    .map((field) => [field, undefined] as const)

const THINKING = '-thinking'
const EFFORT = /^(claude-opus-4-[678].*)-(max|xhigh|high|medium|low)$/

/**
 * The thinking adapter for Claude (docs/reference/conversion.md#model-suffixes): `-thinking` reserves a share of the
 * output for thinking, or turns on adaptive thinking for models without budgets; an effort suffix of Opus 4.6 to 4.8
 * sets the effort of its adaptive thinking. The caller's own `thinking` and budget take precedence, its effort does
 * not.
 */
function claudeSuffix(settings: Pick<Settings, 'get'>, { json }: Call, name: string): ModelSuffix {
  const isOn = settings.get('claude.thinking_adapter_enabled')
  const [, adaptiveModel, effort] = EFFORT.exec(name) ?? []
  if (isOn && adaptiveModel && isEffort(effort)) return adaptive(adaptiveModel, effort, json)
  if (!name.endsWith(THINKING)) return noSuffix(name)
  const model = name.slice(0, -THINKING.length)
  if (!isOn || traitsOf(model).thinks === 'never') return noSuffix(model)
  if (traitsOf(model).adaptive && !traitsOf(model).budgets) return adaptive(model, 'high', json)
  const share = settings.get('claude.thinking_adapter_budget_tokens_percentage')
  const limits = settings.get('claude.default_max_tokens')
  const shared = (max: number | undefined) => sharedBudget(max ?? defaultMaxTokens([name, model], limits), share)
  const own = shared(numberIn(json.max_tokens))
  return {
    model,
    edits: json.thinking
      ? NOTHING
      : new Map<string, unknown>([
          ['thinking', { type: 'enabled', budget_tokens: own.budget }],
          ['max_tokens', own.maxTokens],
          ['temperature', 'temperature' in json ? 1 : undefined],
          ['top_p', undefined],
        ]),
    adapt(conversation) {
      if (conversation.reasoning?.mode !== undefined || conversation.reasoning?.budget !== undefined)
        return conversation
      const { maxTokens, budget } = shared(conversation.maxOutput)
      const reasoning = { ...conversation.reasoning, mode: 'on', budget } as const
      return { ...conversation, maxOutput: maxTokens, reasoning }
    },
  }
}

/** Models that do not support sampling would refuse it, so it is removed. */
function adaptive(model: string, effort: Effort, json: Call['json']): ModelSuffix {
  const { sampling } = traitsOf(model)
  const config = { ...objectIn(json.output_config), effort }
  const thinking = { type: 'adaptive', ...(sampling ? {} : { display: 'summarized' }) }
  const unsampled = ['temperature', 'top_p', 'top_k'].map((field) => [field, undefined] as const)
  return {
    model,
    edits: new Map<string, unknown>([
      ...(json.thinking ? [] : [['thinking', thinking] as const]),
      ['output_config', config],
      ...(sampling ? [] : unsampled),
    ]),
    adapt: (conversation) => ({ ...conversation, reasoning: { ...conversation.reasoning, mode: 'adaptive', effort } }),
  }
}

const isEffort = (text: string | undefined): text is Effort => text !== undefined

const BUDGETED = /-thinking-(\d+)$/
const THINKING_AT_END = /-(thinking-\d+|thinking|nothinking)$/
const LEVELED = /-(high|medium|low|minimal)$/

/**
 * The thinking adapter for Gemini (docs/reference/conversion.md#model-suffixes), read from the requested name:
 * `-thinking-<n>`, `-thinking`, `-nothinking`, and an effort suffix of a third-generation name.
 */
function geminiSuffix(
  settings: Pick<Settings, 'get'>,
  { json, model: requestedName }: Call,
  name: string,
): ModelSuffix {
  if (!settings.get('gemini.thinking_adapter_enabled')) return noSuffix(name)
  const bare = name.replace(THINKING_AT_END, '')
  const model = speaksLevels(bare) ? bare.replace(LEVELED, '') : bare
  const share = settings.get('gemini.thinking_adapter_budget_tokens_percentage')
  const config = objectIn(json.generationConfig ?? json.generation_config)
  const reasoningFor = (max: number | undefined) => reasoningOf(requestedName, model, share, max)
  const own = reasoningFor(numberIn(config.maxOutputTokens))
  if (!own) return noSuffix(model)
  const ownConfig = config.thinkingConfig ?? config.thinking_config
  return {
    model,
    edits: ownConfig ? NOTHING : new Map([['generationConfig', { ...config, thinkingConfig: configOf(model, own) }]]),
    adapt(conversation) {
      const reasoning = reasoningFor(conversation.maxOutput)
      return reasoning ? { ...conversation, reasoning: { ...conversation.reasoning, ...reasoning } } : conversation
    },
  }
}

/** Reads the thinking settings in the name; without a known maximum, the amount is left to the model. */
function reasoningOf(
  requestedName: string,
  model: string,
  share: number,
  max: number | undefined,
): Reasoning | undefined {
  const tokens = BUDGETED.exec(requestedName)?.[1]
  if (tokens !== undefined) return { mode: 'on', budget: clampBudget(model, Number(tokens)), show: true }
  if (requestedName.endsWith('-nothinking'))
    return offBudget(model) === undefined ? undefined : { mode: 'off', budget: 0 }
  if (requestedName.endsWith('-thinking')) {
    if (max === undefined || !takesBudget(model)) return { mode: 'on', show: true }
    return { mode: 'on', budget: clampBudget(model, max * share), show: true }
  }
  const level = speaksLevels(model) ? LEVELED.exec(requestedName)?.[1] : undefined
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
