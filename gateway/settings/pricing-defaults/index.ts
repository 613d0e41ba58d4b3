import { cacheRatio } from './cache-ratio.ts'
import { completionRatio } from './completion-ratio.ts'
import { createCacheRatio } from './create-cache-ratio.ts'
import { audioCompletionRatio, audioRatio, imageRatio } from './media-ratios.ts'
import { modelPrice } from './model-price.ts'
import { modelRatio } from './model-ratio.ts'
import { priceSteps } from './price-steps.ts'

/** The built-in price tables, by the option they are the default of. */
export const pricingDefaults = {
  ModelRatio: modelRatio,
  ModelPrice: modelPrice,
  CompletionRatio: completionRatio,
  CacheRatio: cacheRatio,
  CreateCacheRatio: createCacheRatio,
  ImageRatio: imageRatio,
  AudioRatio: audioRatio,
  AudioCompletionRatio: audioCompletionRatio,
  PriceSteps: priceSteps,
}
