import type { Json } from '../../../../../gateway/relay/formats/codec.ts'
import type { RequestGolden } from '../golden.ts'
import { anthropic, gemini, openai, responses, vendor } from '../requests.ts'

const config = (generationConfig: Json) => gemini({ generationConfig })

const UNSCORED = 'The target model does not return log probabilities'

/** Sampling parameters and limits. */
export const sampling: readonly RequestGolden[] = [
  {
    feature: 'No output limit',
    forms: {
      openai: { messages: [{ role: 'user', content: 'Hello' }] },
      responses: { input: 'Hello' },
      anthropic: null,
      gemini: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ max_tokens: 64_000 }) },
      'responses>anthropic': { wire: anthropic({ max_tokens: 64_000 }) },
      'gemini>anthropic': { wire: anthropic({ max_tokens: 64_000 }) },
    },
  },
  {
    feature: 'No output limit (unknown Claude model)',
    models: { anthropic: 'claude-next' },
    forms: {
      openai: { messages: [{ role: 'user', content: 'Hello' }] },
      responses: { input: 'Hello' },
      anthropic: null,
      gemini: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ max_tokens: 8192 }) },
      'responses>anthropic': { wire: anthropic({ max_tokens: 8192 }) },
      'gemini>anthropic': { wire: anthropic({ max_tokens: 8192 }) },
    },
  },
  {
    feature: 'Temperature',
    forms: {
      openai: openai({ temperature: 0.3 }),
      responses: responses({ temperature: 0.3 }),
      anthropic: anthropic({ temperature: 0.3 }),
      gemini: config({ temperature: 0.3 }),
    },
  },
  {
    feature: 'Temperature 0',
    forms: {
      openai: openai({ temperature: 0 }),
      responses: responses({ temperature: 0 }),
      anthropic: anthropic({ temperature: 0 }),
      gemini: config({ temperature: 0 }),
    },
  },
  {
    feature: 'Temperature above 1',
    forms: {
      openai: openai({ temperature: 1.8 }),
      responses: responses({ temperature: 1.8 }),
      anthropic: null,
      gemini: config({ temperature: 1.8 }),
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ temperature: 1 }), isNearest: true },
      'responses>anthropic': { wire: anthropic({ temperature: 1 }), isNearest: true },
      'gemini>anthropic': { wire: anthropic({ temperature: 1 }), isNearest: true },
    },
  },
  {
    feature: 'Top p',
    forms: {
      openai: openai({ top_p: 0.9 }),
      responses: responses({ top_p: 0.9 }),
      anthropic: anthropic({ top_p: 0.9 }),
      gemini: config({ topP: 0.9 }),
    },
  },
  {
    feature: 'Top p 0',
    forms: {
      openai: openai({ top_p: 0 }),
      responses: responses({ top_p: 0 }),
      anthropic: anthropic({ top_p: 0 }),
      gemini: config({ topP: 0 }),
    },
  },
  {
    feature: 'Temperature and top p (Claude model that accepts only one)',
    forms: {
      openai: openai({ temperature: 0.3, top_p: 0.9 }),
      responses: responses({ temperature: 0.3, top_p: 0.9 }),
      anthropic: null,
      gemini: config({ temperature: 0.3, topP: 0.9 }),
    },
    outcomes: {
      'openai>anthropic': { wire: anthropic({ temperature: 0.3 }), reported: ['top_p'] },
      'responses>anthropic': { wire: anthropic({ temperature: 0.3 }), reported: ['top_p'] },
      'gemini>anthropic': { wire: anthropic({ temperature: 0.3 }), reported: ['generationConfig.topP'] },
    },
  },
  {
    feature: 'Temperature (OpenAI reasoning model)',
    models: { openai: 'gpt-5', responses: 'gpt-5' },
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({ temperature: 0.3 }),
      gemini: config({ temperature: 0.3 }),
    },
    outcomes: {
      'anthropic>openai': { reported: ['temperature'] },
      'anthropic>responses': { reported: ['temperature'] },
      'gemini>openai': { reported: ['generationConfig.temperature'] },
      'gemini>responses': { reported: ['generationConfig.temperature'] },
    },
  },
  {
    feature: 'Top k',
    forms: {
      openai: null,
      responses: null,
      anthropic: anthropic({ top_k: 40 }),
      gemini: config({ topK: 40 }),
    },
    outcomes: {
      'anthropic>openai': { reported: ['top_k'] },
      'anthropic>responses': { reported: ['top_k'] },
      'gemini>openai': { reported: ['generationConfig.topK'] },
      'gemini>responses': { reported: ['generationConfig.topK'] },
    },
  },
  {
    feature: 'Top k (OpenAI-compatible vendor)',
    openai: 'vendor',
    forms: {
      openai: vendor({ top_k: 40 }),
      responses: null,
      anthropic: anthropic({ top_k: 40 }),
      gemini: config({ topK: 40 }),
    },
    outcomes: {
      'openai>responses': { reported: ['top_k'] },
      'anthropic>responses': { reported: ['top_k'] },
      'gemini>responses': { reported: ['generationConfig.topK'] },
    },
  },
  {
    feature: 'Frequency and presence penalties',
    forms: {
      openai: openai({ frequency_penalty: 0.5, presence_penalty: 0 }),
      responses: null,
      anthropic: null,
      gemini: config({ frequencyPenalty: 0.5, presencePenalty: 0 }),
    },
    outcomes: {
      'openai>responses': { reported: ['frequency_penalty', 'presence_penalty'] },
      'openai>anthropic': { reported: ['frequency_penalty', 'presence_penalty'] },
      'gemini>responses': {
        reported: ['generationConfig.frequencyPenalty', 'generationConfig.presencePenalty'],
      },
      'gemini>anthropic': {
        reported: ['generationConfig.frequencyPenalty', 'generationConfig.presencePenalty'],
      },
    },
  },
  {
    feature: 'Seed',
    forms: { openai: openai({ seed: 0 }), responses: null, anthropic: null, gemini: config({ seed: 0 }) },
    outcomes: {
      'openai>responses': { reported: ['seed'] },
      'openai>anthropic': { reported: ['seed'] },
      'gemini>responses': { reported: ['generationConfig.seed'] },
      'gemini>anthropic': { reported: ['generationConfig.seed'] },
    },
  },
  {
    feature: 'Single stop sequence',
    forms: {
      openai: openai({ stop: 'END' }),
      responses: null,
      anthropic: anthropic({ stop_sequences: ['END'] }),
      gemini: config({ stopSequences: ['END'] }),
    },
    outcomes: {
      'openai>responses': { reported: ['stop'] },
      'anthropic>responses': { reported: ['stop_sequences'] },
      'gemini>responses': { reported: ['generationConfig.stopSequences'] },
    },
  },
  {
    feature: 'Multiple stop sequences',
    forms: {
      openai: openai({ stop: ['END', 'STOP'] }),
      responses: null,
      anthropic: anthropic({ stop_sequences: ['END', 'STOP'] }),
      gemini: config({ stopSequences: ['END', 'STOP'] }),
    },
    outcomes: {
      'openai>responses': { reported: ['stop'] },
      'anthropic>responses': { reported: ['stop_sequences'] },
      'gemini>responses': { reported: ['generationConfig.stopSequences'] },
    },
  },
  {
    feature: 'Multiple choices per response',
    forms: { openai: openai({ n: 2 }), responses: null, anthropic: null, gemini: config({ candidateCount: 2 }) },
    outcomes: {
      'openai>responses': { refused: 'choices' },
      'openai>anthropic': { refused: 'choices' },
      'gemini>responses': { refused: 'choices' },
      'gemini>anthropic': { refused: 'choices' },
    },
  },
  {
    feature: 'Log probabilities',
    forms: {
      openai: openai({ logprobs: true, top_logprobs: 2 }),
      responses: responses({ top_logprobs: 2, include: ['message.output_text.logprobs'] }),
      anthropic: null,
      gemini: config({ responseLogprobs: true, logprobs: 2 }),
    },
    outcomes: {
      'openai>anthropic': { reported: ['logprobs'] },
      'responses>anthropic': { reported: ['top_logprobs'] },
      'gemini>anthropic': { reported: ['generationConfig.responseLogprobs'] },
    },
  },
  {
    feature: 'Log probabilities without alternatives',
    forms: {
      openai: openai({ logprobs: true }),
      responses: responses({ include: ['message.output_text.logprobs'] }),
      anthropic: null,
      gemini: config({ responseLogprobs: true }),
    },
    outcomes: {
      'openai>anthropic': { reported: ['logprobs'] },
      'responses>anthropic': { reported: ['top_logprobs'] },
      'gemini>anthropic': { reported: ['generationConfig.responseLogprobs'] },
    },
  },
  {
    feature: 'Log probabilities (models without support)',
    models: { openai: 'gpt-5', responses: 'gpt-5', gemini: 'gemini-3-pro-preview' },
    forms: {
      openai: openai({ logprobs: true, top_logprobs: 2 }),
      responses: responses({ top_logprobs: 2, include: ['message.output_text.logprobs'] }),
      anthropic: null,
      gemini: config({ responseLogprobs: true, logprobs: 2 }),
    },
    outcomes: {
      'openai>responses': { wire: responses(), reported: ['logprobs'], impossible: UNSCORED },
      'openai>anthropic': { reported: ['logprobs'] },
      'openai>gemini': { wire: gemini(), reported: ['logprobs'], impossible: UNSCORED },
      'responses>openai': { wire: openai(), reported: ['top_logprobs'], impossible: UNSCORED },
      'responses>anthropic': { reported: ['top_logprobs'] },
      'responses>gemini': { wire: gemini(), reported: ['top_logprobs'], impossible: UNSCORED },
      'gemini>openai': { wire: openai(), reported: ['generationConfig.responseLogprobs'], impossible: UNSCORED },
      'gemini>responses': { wire: responses(), reported: ['generationConfig.responseLogprobs'], impossible: UNSCORED },
      'gemini>anthropic': { reported: ['generationConfig.responseLogprobs'] },
    },
  },
]
