import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { RequestGolden } from '../golden.ts'
import * as plainly from '../requests.ts'

const max = 16_000
const openai = (members: Json = {}) => plainly.openai({ max_completion_tokens: max, ...members })
const vendor = (members: Json = {}) => plainly.vendor({ max_completion_tokens: max, ...members })
const responses = (reasoning?: Json) =>
  plainly.responses({ max_output_tokens: max, ...(reasoning ? { reasoning } : {}) })
const anthropic = (members: Json = {}) => plainly.anthropic({ max_tokens: max, ...members })
const budget = (budget_tokens: number) => anthropic({ thinking: { type: 'enabled', budget_tokens } })
const gemini = (thinkingConfig?: Json) =>
  plainly.gemini({ generationConfig: { maxOutputTokens: max, ...(thinkingConfig ? { thinkingConfig } : {}) } })

/** The newest models as of November 2026. */
const newest = {
  openai: 'gpt-5.6-sol',
  responses: 'gpt-6.2-astra',
  anthropic: 'claude-opus-5-5',
  gemini: 'gemini-3.8-flash',
}
const adaptive = (effort: string) =>
  anthropic({ thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } })

const UNSHOWN = 'OpenAI Chat does not return reasoning'
const THOUGHTLESS = 'The target model does not support reasoning'
const SHOWN = 'generationConfig.thinkingConfig.includeThoughts'
const GEMINI = 'generationConfig.thinkingConfig'

/** Reasoning effort, and whether reasoning is returned. */
export const thinking: readonly RequestGolden[] = [
  {
    feature: 'Reasoning effort',
    models: { openai: 'gpt-5', responses: 'gpt-5' },
    forms: {
      openai: openai({ reasoning_effort: 'medium' }),
      responses: responses({ effort: 'medium' }),
      anthropic: null,
      gemini: null,
    },
    outcomes: {
      'openai>anthropic': { wire: budget(2048), isNearest: true },
      'openai>gemini': { wire: gemini({ includeThoughts: true, thinkingBudget: 12_288 }), isNearest: true },
      'responses>anthropic': { wire: budget(2048), isNearest: true },
      'responses>gemini': { wire: gemini({ includeThoughts: true, thinkingBudget: 12_288 }), isNearest: true },
    },
  },
  {
    feature: 'Reasoning token budget',
    models: { openai: 'gpt-5', responses: 'gpt-5' },
    forms: {
      openai: null,
      responses: null,
      anthropic: budget(8192),
      gemini: gemini({ includeThoughts: true, thinkingBudget: 8192 }),
    },
    outcomes: {
      'anthropic>openai': { wire: openai({ reasoning_effort: 'medium' }), isNearest: true },
      'anthropic>responses': { wire: responses({ effort: 'medium' }), isNearest: true },
      'gemini>openai': { wire: openai({ reasoning_effort: 'medium' }), reported: [SHOWN] },
      'gemini>responses': { wire: responses({ effort: 'medium', summary: 'auto' }), isNearest: true },
    },
  },
  {
    feature: 'Reasoning token budget (OpenRouter)',
    models: { openai: 'anthropic/claude-sonnet-4.5', responses: 'gpt-5' },
    openai: 'router',
    forms: {
      openai: vendor({ reasoning: { max_tokens: 8192 } }),
      responses: null,
      anthropic: budget(8192),
      gemini: gemini({ includeThoughts: true, thinkingBudget: 8192 }),
    },
    outcomes: {
      'openai>responses': { wire: responses({ effort: 'medium' }), isNearest: true },
      'anthropic>responses': { wire: responses({ effort: 'medium' }), isNearest: true },
      'gemini>openai': { wire: vendor({ reasoning: { max_tokens: 8192, exclude: false } }) },
      'gemini>responses': { wire: responses({ effort: 'medium', summary: 'auto' }), isNearest: true },
    },
  },
  {
    feature: 'Adaptive reasoning effort',
    models: {
      openai: 'gpt-5',
      responses: 'gpt-5',
      anthropic: 'claude-opus-4-6',
      gemini: 'gemini-3-pro-preview',
    },
    forms: {
      openai: openai({ reasoning_effort: 'high' }),
      responses: responses({ effort: 'high' }),
      anthropic: anthropic({ thinking: { type: 'adaptive' }, output_config: { effort: 'high' } }),
      gemini: gemini({ includeThoughts: true, thinkingLevel: 'high' }),
    },
    outcomes: {
      'gemini>openai': { reported: [SHOWN], impossible: UNSHOWN },
      'gemini>responses': { wire: responses({ effort: 'high', summary: 'auto' }) },
    },
  },
  {
    feature: 'Reasoning summary requested',
    models: {
      openai: 'gpt-5',
      responses: 'gpt-5',
      anthropic: 'claude-opus-4-7',
      gemini: 'gemini-3-pro-preview',
    },
    forms: {
      openai: null,
      responses: responses({ effort: 'low', summary: 'auto' }),
      anthropic: anthropic({
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: { effort: 'low' },
      }),
      gemini: gemini({ includeThoughts: true, thinkingLevel: 'low' }),
    },
    outcomes: {
      'responses>openai': { wire: openai({ reasoning_effort: 'low' }), reported: ['reasoning.summary'] },
      'anthropic>openai': { wire: openai({ reasoning_effort: 'low' }), reported: ['thinking.display'] },
      'gemini>openai': { wire: openai({ reasoning_effort: 'low' }), reported: [SHOWN] },
    },
  },
  {
    feature: 'Reasoning disabled',
    models: { openai: 'gpt-5.1', responses: 'gpt-5.1' },
    forms: {
      openai: openai({ reasoning_effort: 'none' }),
      responses: responses({ effort: 'none' }),
      anthropic: anthropic({ thinking: { type: 'disabled' } }),
      gemini: gemini({ thinkingBudget: 0 }),
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic() },
      'responses>anthropic': { wire: anthropic() },
      'gemini>anthropic': { wire: anthropic() },
    },
  },
  {
    feature: 'Reasoning disabled (models that always reason)',
    models: { openai: 'gpt-5', responses: 'gpt-5', gemini: 'gemini-2.5-pro' },
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({ thinking: { type: 'disabled' } }),
      gemini: null,
    },
    outcomes: {
      'anthropic>openai': { wire: openai({ reasoning_effort: 'minimal' }), reported: ['thinking'] },
      'anthropic>responses': { wire: responses({ effort: 'minimal' }), reported: ['thinking'] },
      'anthropic>gemini': { wire: gemini({ thinkingBudget: 128 }), reported: ['thinking'] },
    },
  },
  {
    feature: 'Maximum reasoning effort (newest models)',
    models: newest,
    forms: {
      openai: openai({ reasoning_effort: 'xhigh' }),
      responses: responses({ effort: 'max' }),
      anthropic: adaptive('max'),
      gemini: gemini({ includeThoughts: true, thinkingLevel: 'high' }),
    },
    outcomes: {
      'openai>responses': { wire: responses({ effort: 'xhigh' }) },
      'openai>anthropic': { wire: adaptive('xhigh') },
      'openai>gemini': { isNearest: true },
      'responses>openai': { isNearest: true },
      'responses>gemini': { isNearest: true },
      'anthropic>openai': { isNearest: true, reported: ['thinking.display'], impossible: UNSHOWN },
      'anthropic>responses': { wire: responses({ effort: 'max', summary: 'auto' }) },
      'anthropic>gemini': { isNearest: true },
      'gemini>openai': { wire: openai({ reasoning_effort: 'high' }), reported: [SHOWN], impossible: UNSHOWN },
      'gemini>responses': { wire: responses({ effort: 'high', summary: 'auto' }) },
      'gemini>anthropic': { wire: adaptive('high') },
    },
  },
  {
    feature: 'Reasoning disabled (newest Claude and Gemini models, which always reason)',
    models: newest,
    forms: { openai: openai({ reasoning_effort: 'none' }), responses: null, anthropic: null, gemini: null },
    outcomes: {
      'openai>responses': { wire: responses({ effort: 'none' }) },
      'openai>anthropic': {
        wire: anthropic({ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }),
        reported: ['reasoning_effort'],
      },
      'openai>gemini': { wire: gemini({ thinkingLevel: 'low' }), reported: ['reasoning_effort'] },
    },
  },
  {
    feature: 'Reasoning (models without support)',
    models: { anthropic: 'claude-3-5-haiku-20241022', gemini: 'gemini-2.0-flash' },
    forms: {
      openai: openai({ reasoning_effort: 'low' }),
      responses: responses({ effort: 'low' }),
      anthropic: budget(2048),
      gemini: gemini({ thinkingBudget: 2048 }),
    },
    outcomes: {
      'openai>responses': { wire: responses(), reported: ['reasoning_effort'], impossible: THOUGHTLESS },
      'openai>anthropic': { wire: anthropic(), reported: ['reasoning_effort'], impossible: THOUGHTLESS },
      'openai>gemini': { wire: gemini(), reported: ['reasoning_effort'], impossible: THOUGHTLESS },
      'responses>openai': { wire: openai(), reported: ['reasoning'], impossible: THOUGHTLESS },
      'responses>anthropic': { wire: anthropic(), reported: ['reasoning'], impossible: THOUGHTLESS },
      'responses>gemini': { wire: gemini(), reported: ['reasoning'], impossible: THOUGHTLESS },
      'anthropic>openai': { wire: openai(), reported: ['thinking'], impossible: THOUGHTLESS },
      'anthropic>responses': { wire: responses(), reported: ['thinking'], impossible: THOUGHTLESS },
      'anthropic>gemini': { wire: gemini(), reported: ['thinking'], impossible: THOUGHTLESS },
      'gemini>openai': { wire: openai(), reported: [GEMINI], impossible: THOUGHTLESS },
      'gemini>responses': { wire: responses(), reported: [GEMINI], impossible: THOUGHTLESS },
      'gemini>anthropic': { wire: anthropic(), reported: [GEMINI], impossible: THOUGHTLESS },
    },
  },
]
