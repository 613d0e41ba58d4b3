import { numberIn, objectIn } from '../../base/json.ts'
import type { Settings } from '../../settings/settings.ts'
import { traitsOf } from '../formats/anthropic/model-traits.ts'
import { defaultMaxTokens, sharedBudget } from '../formats/anthropic/thinking.ts'
import type { Effort } from '../formats/conversation.ts'
import type { Call } from '../model/call.ts'
import { type ModelSuffix, noSuffix } from './no-suffix.ts'

const THINKING = '-thinking'
const EFFORT = /^(claude-opus-4-[678].*)-(max|xhigh|high|medium|low)$/

/**
 * The thinking adapter for Claude (spec/relay.md §3.1): `-thinking` gives a share of the answer to thought, an effort at
 * the end of an Opus 4.6 or later steers its adaptive thinking. What a caller says of thinking itself is kept.
 */
export function claudeSuffix(settings: Pick<Settings, 'get'>, { json }: Call, name: string): ModelSuffix {
  const isOn = settings.get('claude.thinking_adapter_enabled')
  const [, steered, effort] = EFFORT.exec(name) ?? []
  if (isOn && steered && isEffort(effort)) return adaptive(steered, effort, json)
  if (!name.endsWith(THINKING)) return noSuffix(name)
  const model = name.slice(0, -THINKING.length)
  if (!isOn || !traitsOf(model).thinks) return noSuffix(model)
  if (traitsOf(model).adaptive && !traitsOf(model).budgets) return adaptive(model, 'high', json)
  const share = settings.get('claude.thinking_adapter_budget_tokens_percentage')
  const limits = settings.get('claude.default_max_tokens')
  const shared = (asked: number | undefined) => sharedBudget(asked ?? defaultMaxTokens([name, model], limits), share)
  const own = shared(numberIn(json.max_tokens))
  return {
    model,
    edits: json.thinking
      ? NONE
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

/** Models that take no sampling are not given any: they would refuse it. */
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

const NONE: ReadonlyMap<string, unknown> = new Map()

const isEffort = (text: string | undefined): text is Effort => text !== undefined
