import type { ListedPrice } from '../../shared/api/pricing.ts'
import type { Price } from './price.ts'
import { webSearchPrice } from './tool-prices.ts'

/** The public price of a model, before any group ratio (docs/reference/api.md#pricing). */
export function listedPriceOf(price: Price, model: string): Omit<ListedPrice, 'enable_groups'> {
  const isPerCall = price.fixed !== null
  const ratio = (value: number) => (isPerCall ? 0 : value)
  const search = (size: 'low' | 'medium' | 'high') => webSearchPrice(price.model, 'openai', size)
  return {
    model_name: model,
    quota_type: isPerCall ? 1 : 0,
    model_ratio: ratio(price.modelRatio),
    completion_ratio: ratio(price.completionRatio),
    model_price: price.fixed ?? 0,
    owner_by: '',
    cache_ratio: ratio(price.cacheRatio),
    cache_creation_ratio: ratio(price.cacheWriteRatio),
    cache_creation_ratio_1h: ratio(price.cacheWriteHourRatio),
    image_ratio: ratio(price.imageRatio),
    audio_ratio: isPerCall ? null : price.audioRatio,
    audio_completion_ratio: ratio(price.audioCompletionRatio),
    audio_input_price: isPerCall ? null : price.audioInputPrice,
    price_steps: isPerCall ? [] : [...(price.steps ?? [])],
    web_search_price: { low: search('low'), medium: search('medium'), high: search('high') },
    unset: price.unset,
  }
}
