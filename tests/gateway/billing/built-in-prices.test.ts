import { describe, expect, it } from 'vitest'
import { audioPriceOf } from '../../../gateway/billing/audio-prices.ts'
import type { BillableExtras } from '../../../gateway/billing/billable-extras.ts'
import { imagePriceFactor } from '../../../gateway/billing/image-prices.ts'
import { chargeFor } from '../../../gateway/billing/meter.ts'
import { createPriceBook } from '../../../gateway/billing/price.ts'
import { paidSearches, webSearchPrice } from '../../../gateway/billing/tool-prices.ts'
import { type Usage, usageOf } from '../../../gateway/billing/usage.ts'
import { pricingDefaults } from '../../../gateway/settings/pricing-defaults/index.ts'
import { completionRules } from '../../../shared/completion-rules.ts'

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

  it('charge the models of 2026 as their vendors do, caches included', () => {
    const million = { prompt: 3_000_000, cacheRead: 1_000_000, cacheWrite: 1_000_000, completion: 1_000_000 }
    // Dollars per million tokens: prompt, cache read, cache write, output.
    for (const [model, ...dollars] of [
      ['gpt-6.2-astra', 8, 0.4, 10, 40],
      ['gpt-6.1-terra', 1, 0.05, 1.25, 5],
      ['gpt-6-luna', 0.1, 0.01, 0.125, 0.5],
      ['gpt-5.6-sol', 4, 0.4, 5, 20],
      ['gpt-5.6-terra', 2, 0.2, 2.5, 12],
      ['gpt-5.6-luna', 0.2, 0.02, 0.25, 1.2],
      ['claude-fable-5-2', 8, 0.2, 10, 40],
      ['claude-opus-5-5', 4, 0.2, 5, 20],
      ['claude-opus-5', 5, 0.5, 6.25, 25],
      ['claude-sonnet-5-5', 2, 0.1, 2.5, 10],
      ['claude-haiku-5-5', 0.1, 0.01, 0.125, 0.5],
      ['kimi-k3.1-pro', 2, 0.2, 2, 10],
    ] as const)
      expect(charge(model, million), model).toBe(Math.round(dollars.reduce((sum, one) => sum + one, 0) * 500_000))
    const read = { prompt: 2_000_000, cacheRead: 1_000_000, completion: 1_000_000 }
    for (const [model, ...dollars] of [
      ['gpt-5.5', 5, 0.5, 30],
      ['gpt-5.3-codex', 1.75, 0.175, 14],
      ['gpt-5.1', 1.25, 0.125, 10],
      ['o3', 2, 0.5, 8],
      ['gemini-3.8-flash', 0.75, 0.075, 3.75],
      ['gemini-3.1-pro-preview', 2, 0.2, 12],
      ['gemini-2.5-pro', 1.25, 0.125, 10],
      ['deepseek-flash', 0.3, 0.006, 1.2],
      ['deepseek-v4-pro', 1.32, 0.044, 3.96],
      ['kimi-k2.6', 0.95, 0.16, 4],
      ['glm-4.7', 0.6, 0.11, 2.2],
      ['MiniMax-M3', 0.3, 0.06, 1.2],
      ['grok-4.7', 2, 0.5, 6],
      ['grok-4.3', 1.25, 0.2, 2.5],
    ] as const)
      expect(charge(model, read), model).toBe(Math.round(dollars.reduce((sum, one) => sum + one, 0) * 500_000))
    const heard = { prompt: 1_000_000, audioInput: 1_000_000, completion: 1_000_000, audioOutput: 1_000_000 }
    for (const [model, dollars] of [
      ['gpt-realtime-2.1', 32 + 64],
      ['gpt-audio', 32 + 64],
      ['gemini-3.1-flash-live-preview', 3 + 12],
    ] as const)
      expect(charge(model, heard), model).toBe(dollars * 500_000)
  })

  it('charge calls', () => {
    const hd = { size: '1792x1024', quality: 'hd', n: 1 }
    expect(charge('dall-e-3', {}, { times: imagePriceFactor({ model: 'dall-e-3', ...hd }) })).toBe(60_000)
    expect(charge('suno_music', {})).toBe(50_000)
    expect(charge('gpt-4o', { prompt: 800, webSearches: 2 }, { webSearch: { size: 'medium' } })).toBe(10_000 + 1000)
  })

  it('charge sound and images', () => {
    expect(charge('tts-1', { prompt: 100 })).toBe(750)
    expect(charge('whisper-1', { prompt: 1017 })).toBe(3051)
    const spoken = { prompt: 100, audioInput: 80, completion: 50, audioOutput: 40 }
    expect(charge('gpt-4o-audio-preview', spoken)).toBe((20 + 40 + 80 * 16 + 40 * 32) * 1.25)
    expect(charge('gpt-4o-realtime-preview-2024-12-17', spoken)).toBe((20 + 40 + 80 * 8 + 40 * 16) * 2.5)
    expect(charge('gpt-image-1', { prompt: 300, imageInput: 250, completion: 1056 })).toBe(22_495)
  })
})

it('a name with its vendor has the prices of that vendor’s searches and sound', () => {
  const none = { audioRatio: {}, audioCompletionRatio: {} }
  for (const model of ['gemini-2.5-flash', 'google/gemini-2.5-flash']) {
    expect(webSearchPrice(model, 'openai')).toBe(35)
    expect(paidSearches(model, 3)).toBe(1)
    expect(audioPriceOf(model, none).audioInputPrice).toBe(1)
  }
})
