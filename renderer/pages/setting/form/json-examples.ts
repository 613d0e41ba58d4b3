import { type OptionKey, options } from '../../../../shared/options/index.ts'

/** What the template button of a JSON setting puts into its field: an example, else its default. */
export const exampleOf = (option: OptionKey): string => JSON.stringify(examples[option] ?? options[option].default)

/** For those whose default is empty. */
const examples: Readonly<Partial<Record<OptionKey, unknown>>> = {
  ModelRequestRateLimitGroup: { default: [200, 100], vip: [0, 1000] },
  ModelMaxOutput: { 'my-model': 16_384, 'my-family-*': 8192 },
  GroupGroupRatio: { vip: { default: 0.9 } },
  'claude.model_headers_settings': {
    'claude-3-7-sonnet-20250219': { 'anthropic-beta': ['output-128k-2025-02-19'] },
  },
  ModelPrice: { 'dall-e-3': 0.04 },
  ModelRatio: { 'gpt-4o': 1.25 },
  CompletionRatio: { 'gpt-4o': 4 },
  CacheRatio: { 'gpt-4o': 0.5 },
  CreateCacheRatio: { 'claude-3-5-sonnet-20241022': 1.25 },
  ImageRatio: { 'gpt-image-1': 2 },
  AudioRatio: { 'gpt-4o-audio-preview': 16 },
  AudioCompletionRatio: { 'gpt-4o-audio-preview': 2 },
  PriceSteps: { 'gemini-2.5-pro': [{ above: 200_000, input: 2, output: 1.5 }] },
  ServiceTierRatio: { priority: 2, 'claude-opus-4-6:fast': 6 },
}
