import { describe, expect, it } from 'vitest'
import type { BillableExtras } from '../../../gateway/billing/billable-extras.ts'
import { completionRules } from '../../../gateway/billing/completion-rules.ts'
import { imagePriceFactor } from '../../../gateway/billing/image-prices.ts'
import { chargeFor } from '../../../gateway/billing/meter.ts'
import { createPriceBook } from '../../../gateway/billing/price.ts'
import { type Usage, usageOf } from '../../../gateway/billing/usage.ts'
import { pricingDefaults } from '../../../gateway/settings/pricing-defaults/index.ts'

const book = createPriceBook(
  {
    modelPrice: pricingDefaults.ModelPrice,
    modelRatio: pricingDefaults.ModelRatio,
    completionRatio: pricingDefaults.CompletionRatio,
    cacheRatio: pricingDefaults.CacheRatio,
    createCacheRatio: pricingDefaults.CreateCacheRatio,
    imageRatio: pricingDefaults.ImageRatio,
    audioRatio: pricingDefaults.AudioRatio,
    audioCompletionRatio: pricingDefaults.AudioCompletionRatio,
    groupRatio: { default: 1, cheap: 0.8 },
    groupGroupRatio: {},
  },
  completionRules,
)

function charge(model: string, usage: Partial<Usage>, extras: BillableExtras = {}, usingGroup = 'default'): number {
  const price = book.find({ model, userGroup: 'default', usingGroup, acceptUnset: false })
  if (!price) throw new Error(`${model} has no price`)
  return chargeFor(usageOf(usage), price, 500_000, extras)
}

describe('the prices that are built in (docs/reference/billing.md#built-in-prices)', () => {
  it('charge text by the formula', () => {
    expect(charge('gpt-4o', { prompt: 1000, cacheRead: 400, completion: 200 })).toBe(2000)
    const claude = { prompt: 100, cacheRead: 1000, cacheWrite: 200, completion: 50, semantics: 'anthropic' } as const
    expect(charge('claude-sonnet-4-20250514', claude, {}, 'cheap')).toBe(840)
  })

  it('charge calls', () => {
    const hd = { size: '1792x1024', quality: 'hd', n: 1 }
    expect(charge('dall-e-3', {}, { times: imagePriceFactor({ model: 'dall-e-3', ...hd }) })).toBe(60_000)
    expect(charge('suno_music', {})).toBe(50_000)
    expect(charge('gpt-4o', { prompt: 800, webSearches: 2 }, { webSearch: { size: 'medium' } })).toBe(35_000 + 1000)
  })

  it('charge sound and images', () => {
    expect(charge('tts-1', { prompt: 100 })).toBe(750)
    expect(charge('whisper-1', { prompt: 1017 })).toBe(15_255)
    const spoken = { prompt: 100, audioInput: 80, completion: 50, audioOutput: 40 }
    expect(charge('gpt-4o-audio-preview', spoken)).toBe((20 + 40 + 80 * 16 + 40 * 32) * 1.25)
    expect(charge('gpt-4o-realtime-preview-2024-12-17', spoken)).toBe((20 + 40 + 80 * 8 + 40 * 16) * 2.5)
    expect(charge('gpt-image-1', { prompt: 300, imageInput: 250, completion: 1056 })).toBe(22_495)
  })
})
