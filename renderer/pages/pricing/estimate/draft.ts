import type { EstimateRequest } from '../../../../shared/api/pricing.ts'
import { vendorOfModel } from '../model-vendor.ts'

export const numberFields = {
  prompt_tokens: { max: 10_000_000 },
  completion_tokens: { max: 10_000_000 },
  cache_tokens: { max: 10_000_000 },
  cache_creation_tokens: { max: 10_000_000 },
  cache_creation_tokens_1h: { max: 10_000_000 },
  image_tokens: { max: 10_000_000 },
  audio_tokens: { max: 10_000_000 },
  audio_completion_tokens: { max: 10_000_000 },
  web_search_calls: { max: 1_000_000 },
  file_search_calls: { max: 1_000_000 },
  images: { min: 1, max: 128 },
  requests: { min: 1, max: 1_000_000_000 },
} as const satisfies Partial<Record<keyof EstimateRequest, Readonly<{ min?: number; max: number }>>>
export type NumberName = keyof typeof numberFields

/** The input; a number is undefined while invalid. */
export type Draft = Readonly<{
  model: string
  group: string
  userGroup: string
  /** Undefined until chosen; while undefined, the value is derived from the model. */
  semantics: Semantics | undefined
  numbers: Readonly<Record<NumberName, number | undefined>>
  context: NonNullable<EstimateRequest['search_context']>
  size: string
  quality: string
}>
type Semantics = NonNullable<EstimateRequest['semantics']>

export const newDraft = (model: string, group: string): Draft => ({
  model,
  group,
  userGroup: '',
  semantics: undefined,
  numbers: {
    prompt_tokens: 1000,
    completion_tokens: 500,
    cache_tokens: 0,
    cache_creation_tokens: 0,
    cache_creation_tokens_1h: 0,
    image_tokens: 0,
    audio_tokens: 0,
    audio_completion_tokens: 0,
    web_search_calls: 0,
    file_search_calls: 0,
    images: 1,
    requests: 1,
  },
  context: 'medium',
  size: '',
  quality: '',
})

/** Only Anthropic counts cached tokens separately from the prompt. */
export const semanticsOf = ({ semantics, model }: Draft): Semantics =>
  semantics ?? (vendorOfModel(model) === 'anthropic' ? 'anthropic' : 'openai')

export const problemsOf = ({ model, numbers }: Draft): ReadonlySet<NumberName | 'model'> =>
  new Set([
    ...(model.trim() === '' ? (['model'] as const) : []),
    ...names.filter((name) => numbers[name] === undefined),
  ])

const names = Object.keys(numberFields) as NumberName[] // the keys of a constant

export const estimateRequestOf = (draft: Draft): EstimateRequest => ({
  model: draft.model.trim(),
  group: draft.group,
  user_group: draft.userGroup,
  semantics: semanticsOf(draft),
  ...draft.numbers,
  search_context: draft.context,
  image_size: draft.size.trim(),
  image_quality: draft.quality.trim(),
})
