import { cacheRatio } from './cache-ratio.ts'
import { completionRatio } from './completion-ratio.ts'
import { createCacheRatio } from './create-cache-ratio.ts'
import { audioCompletionRatio, audioRatio, imageRatio } from './media-ratios.ts'
import { modelRatio } from './model-ratio.ts'
import { priceSteps } from './price-steps.ts'

/** Fixed prices by name, in US dollars per call. Built in (docs/reference/billing.md#built-in-prices). */
const modelPrice: Readonly<Record<string, number>> = {
  suno_music: 0.1,
  suno_lyrics: 0.01,
  'dall-e-3': 0.04,
  'imagen-3.0-generate-002': 0.03,
  'gpt-4-gizmo-*': 0.1,
  mj_imagine: 0.1,
  mj_variation: 0.1,
  mj_reroll: 0.1,
  mj_blend: 0.1,
  mj_modal: 0.1,
  mj_zoom: 0.1,
  mj_shorten: 0.1,
  mj_high_variation: 0.1,
  mj_low_variation: 0.1,
  mj_pan: 0.1,
  mj_inpaint: 0,
  mj_custom_zoom: 0,
  mj_describe: 0.05,
  mj_upscale: 0.05,
  swap_face: 0.05,
  mj_upload: 0.05,
  'black-forest-labs/flux-1.1-pro': 0.04,
  mj_video: 0.8,
  mj_edits: 0.1,
  'sora-2': 0.3,
  'sora-2-pro': 0.5,
  'gpt-4o-mini-tts': 0.3,
  'veo-3.0-generate-001': 0.4,
  'veo-3.0-fast-generate-001': 0.15,
  'veo-3.1-generate-preview': 0.4,
  'veo-3.1-fast-generate-preview': 0.15,
}

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
