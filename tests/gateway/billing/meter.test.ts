import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BillableExtras, PotentialExtras } from '../../../gateway/billing/billable-extras.ts'
import { imagePriceFactor } from '../../../gateway/billing/image-prices.ts'
import { chargeFor, holdFor, outputWithin } from '../../../gateway/billing/meter.ts'
import type { Price } from '../../../gateway/billing/price.ts'
import { type Usage, usageOf } from '../../../gateway/billing/usage.ts'
import { MAX_CHARGE } from '../../../shared/api/fields.ts'
import { ceiling } from './fraction.ts'
import { cost, oracle, priceOf, sales } from './sales.ts'

const QUOTA_PER_UNIT = 500_000
const free: Price = {
  model: 'm',
  fixed: null,
  modelRatio: 1,
  completionRatio: 1,
  cacheRatio: 1,
  cacheWriteRatio: 1.25,
  cacheWriteHourRatio: 2,
  imageRatio: 1,
  audioRatio: null,
  audioCompletionRatio: 1,
  audioInputPrice: null,
  groupRatio: 1,
  exclusiveRatio: null,
  unset: false,
}
const charge = (usage: Partial<Usage>, price: Partial<Price>, extras?: BillableExtras) =>
  chargeFor(usageOf(usage), { ...free, ...price }, QUOTA_PER_UNIT, extras)

describe('the cost of a usage (docs/reference/billing.md#charge)', () => {
  it('is 2000 for gpt-4o with a cache', () => {
    const price = { modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5 }
    expect(charge({ prompt: 1000, cacheRead: 400, completion: 200 }, price)).toBe(2000)
  })

  it('is 840 for claude-sonnet-4, whose prompt does not include the cache', () => {
    const price = { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1, cacheWriteRatio: 1.25, groupRatio: 0.8 }
    const usage = { prompt: 100, cacheRead: 1000, cacheWrite: 200, completion: 50, semantics: 'anthropic' } as const
    expect(charge(usage, price)).toBe(840)
  })

  it('rounds once, at the end, halves away from zero', () => {
    expect(charge({ prompt: 100, completion: 20 }, { modelRatio: 1.25, completionRatio: 4, groupRatio: 0.5 })).toBe(113)
    expect(charge({ prompt: 3 }, { modelRatio: 0.5 })).toBe(2)
    expect(charge({ prompt: 30 }, { modelRatio: 0.1, groupRatio: 0.15 })).toBe(1)
  })

  it('is at least 1 unless it is free or nothing was used', () => {
    expect(charge({ prompt: 1 }, { modelRatio: 0.000001 })).toBe(1)
    expect(charge({ prompt: 10, cacheRead: 10 }, { cacheRatio: 0 })).toBe(1)
    expect(charge({ prompt: 1 }, { modelRatio: 0 })).toBe(0)
    expect(charge({ prompt: 1 }, { groupRatio: 0 })).toBe(0)
    expect(charge({}, { modelRatio: 1e9 })).toBe(0)
  })

  it('is the price per call where one is set, regardless of the usage', () => {
    const price = { fixed: 0.04, modelRatio: 99, groupRatio: 0.5 }
    expect(charge({}, price)).toBe(10_000)
    expect(charge({ prompt: 1_000_000 }, price)).toBe(10_000)
    expect(charge({}, { ...price, fixed: 0.0000001 })).toBe(1)
    expect(charge({}, { ...price, fixed: 0 })).toBe(0)
  })

  it('believes no part that claims more than its whole', () => {
    expect(charge({ prompt: 10, cacheRead: 100, completion: 1 }, { cacheRatio: 0.1 })).toBe(2)
    expect(charge({ prompt: 10, cacheRead: 8, cacheWrite: 8 }, { cacheRatio: 0.5, cacheWriteRatio: 3 })).toBe(10)
    expect(charge({ prompt: 10, audioInput: 99, completion: 5, audioOutput: 99 }, { audioRatio: 2 })).toBe(30)
    expect(charge({ prompt: 10, imageInput: 99, cacheRead: 99 }, { imageRatio: 2 })).toBe(20)
    expect(charge({ cacheWrite: 10, cacheWriteHour: 99, semantics: 'anthropic' }, {})).toBe(20)
  })

  it('stays within the ledger’s maximum for one request', () => {
    expect(charge({ prompt: 10_000_000 }, { modelRatio: 1e300 })).toBe(MAX_CHARGE)
    expect(charge({ prompt: 10_000_000 }, { modelRatio: 100_000 })).toBe(MAX_CHARGE)
    expect(holdFor(10_000_000, 0, 0, { ...free, modelRatio: 1e300 }, QUOTA_PER_UNIT)).toBe(MAX_CHARGE)
  })

  it('agrees with exact fractions for any usage, price and work', () => {
    fc.assert(
      fc.property(sales, (priced) => {
        const { usage, typed, extras, quotaPerUnit } = priced
        expect(chargeFor(usage, priceOf(typed), quotaPerUnit, extras)).toBe(oracle(priced))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('the cost of a cache (docs/reference/billing.md#price-lookup, docs/reference/billing.md#charge)', () => {
  it('is 1.6 times as much for an hour as for five minutes', () => {
    const price = { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1 }
    const usage = { prompt: 100, cacheRead: 1000, cacheWrite: 200, cacheWriteHour: 80, completion: 50 }
    // (100 + 100 + 120 × 1.25 + 80 × 2 + 250) × 1.5
    expect(charge({ ...usage, semantics: 'anthropic' }, price)).toBe(1140)
    // The same call in OpenAI's form: the prompt includes the cache.
    expect(charge({ ...usage, prompt: 1300 }, price)).toBe(1140)
  })
})

describe('the cost of images and sound (docs/reference/billing.md#charge, docs/reference/billing.md#audio)', () => {
  it('weighs the images of a prompt by the image ratio', () => {
    // gpt-image-1: (50 + 250 × 2 + 1056 × 8) × 2.5
    const price = { modelRatio: 2.5, completionRatio: 8, imageRatio: 2 }
    expect(charge({ prompt: 300, imageInput: 250, completion: 1056 }, price)).toBe(22_495)
  })

  it('weighs sound apart from text for models of sound', () => {
    // gpt-4o-audio-preview: (20 + 10 × 4 + 80 × 16 + 40 × 16 × 2) × 1.25
    const price = { modelRatio: 1.25, completionRatio: 4, audioRatio: 16, audioCompletionRatio: 2 }
    expect(charge({ prompt: 100, audioInput: 80, completion: 50, audioOutput: 40 }, price)).toBe(3275)
  })

  it('leaves sound in the text where the model has no price for it', () => {
    expect(charge({ prompt: 100, audioInput: 80, completion: 50, audioOutput: 40 }, { completionRatio: 4 })).toBe(300)
  })

  it('applies the vendor’s dollar prices only for sound', () => {
    // gemini-2.0-flash at half price: (100 + 10 × 4) × 0.05 × 0.5, and 900 × 0.7 / 1e6 × 500000 × 0.5
    const price = { modelRatio: 0.05, completionRatio: 4, audioInputPrice: 0.7, groupRatio: 0.5 }
    expect(charge({ prompt: 1000, audioInput: 900, completion: 10 }, price)).toBe(161)
  })

  it('is 750 for a hundred characters read aloud by tts-1, and 15255 for 61 seconds transcribed by whisper', () => {
    expect(charge({ prompt: 100 }, { modelRatio: 7.5, audioRatio: 20, audioCompletionRatio: 0 })).toBe(750)
    expect(charge({ prompt: 1017 }, { modelRatio: 15 })).toBe(15_255)
  })
})

describe('the cost of tools (docs/reference/billing.md#tools)', () => {
  const searches = (model: string, extras?: BillableExtras, usage: Partial<Usage> = {}) =>
    charge({ prompt: 1, webSearches: 2, ...usage }, { model, modelRatio: 0 }, extras)

  it('is 10000 for two searches of gpt-4o, however much they read', () => {
    expect(searches('gpt-4o')).toBe(10_000)
    expect(searches('gpt-4o', { webSearch: { size: 'medium' } })).toBe(10_000)
  })

  it('depends on the vendor and, for search models of Chat, on the size of the search context', () => {
    for (const [model, low, medium, high] of [
      ['gpt-4o-search-preview', 30_000, 35_000, 50_000],
      ['gpt-4.1-2025-04-14', 10_000, 10_000, 10_000],
      ['gpt-4o-mini-search-preview', 25_000, 27_500, 30_000],
      ['gpt-4.1-mini', 10_000, 10_000, 10_000],
      ['o4-mini', 10_000, 10_000, 10_000],
      ['gpt-6.2-astra', 10_000, 10_000, 10_000],
      ['claude-sonnet-4', 10_000, 10_000, 10_000],
      ['gemini-2.5-pro', 17_500, 17_500, 17_500],
      ['gemini-3-pro-preview', 14_000, 14_000, 14_000],
    ] as const) {
      expect(searches(model, { webSearch: { size: 'low' } }), model).toBe(low)
      expect(searches(model, { webSearch: { size: 'medium' } }), model).toBe(medium)
      expect(searches(model, { webSearch: { size: 'high' } }), model).toBe(high)
    }
    expect(searches('sonnet', {}, { semantics: 'anthropic' })).toBe(10_000)
  })

  it('comes on top of tokens and of a price by the call, at the group’s ratio', () => {
    expect(charge({ prompt: 100, fileSearches: 4 }, { modelRatio: 2, groupRatio: 0.5 })).toBe(100 + 2500)
    expect(charge({ fileSearches: 4 }, { fixed: 0.01 })).toBe(5000 + 5000)
    expect(charge({ fileSearches: 4 }, {})).toBe(0)
  })
})

describe('the cost of images by the piece (docs/reference/billing.md#images)', () => {
  const dalle = (size: string, quality: string, n: number) => {
    const times = imagePriceFactor({ model: 'dall-e-3', size, quality, n })
    return charge({}, { model: 'dall-e-3', fixed: 0.04 }, { times })
  }

  it('is 60000 for dall-e-3 in high quality, 1792x1024', () => {
    expect(dalle('1792x1024', 'hd', 1)).toBe(60_000)
  })

  it('is the price times size, quality and number', () => {
    expect(dalle('1024x1024', 'standard', 1)).toBe(20_000)
    expect(dalle('1024x1024', 'hd', 1)).toBe(40_000)
    expect(dalle('1024x1792', 'standard', 1)).toBe(40_000)
    expect(dalle('1024x1792', 'hd', 2)).toBe(120_000)
    expect(dalle('', '', 3)).toBe(60_000)
    expect(dalle('7x7', 'odd', 1)).toBe(20_000)
    expect(imagePriceFactor({ model: 'dall-e-2', size: '256x256', quality: 'hd', n: 3 })).toBe(1.2)
    expect(imagePriceFactor({ model: 'dall-e-2', size: '512x512', quality: '', n: 7 })).toBe(3.15)
    expect(imagePriceFactor({ model: 'openai/dall-e-3', size: '1024x1792', quality: 'hd', n: 1 })).toBe(3)
  })

  it('counts only pieces where the vendor has one price for any size', () => {
    expect(imagePriceFactor({ model: 'imagen-3.0-generate-002', size: '1024x1792', quality: 'hd', n: 4 })).toBe(4)
  })

  it('multiplies the reservation too', () => {
    expect(holdFor(0, 0, 500, { ...free, fixed: 0.04 }, QUOTA_PER_UNIT, { times: 3 })).toBe(60_000)
  })
})

describe('the reservation (docs/reference/billing.md#hold)', () => {
  it('is at least 500 tokens of prompt and all output the caller allows, rounded up', () => {
    expect(holdFor(10, 0, 500, free, QUOTA_PER_UNIT)).toBe(500)
    expect(holdFor(600, 100, 500, { ...free, completionRatio: 4 }, QUOTA_PER_UNIT)).toBe(1000)
    expect(holdFor(501, 0, 500, { ...free, modelRatio: 0.5 }, QUOTA_PER_UNIT)).toBe(251)
    expect(holdFor(10, 0, 500, { ...free, groupRatio: 0 }, QUOTA_PER_UNIT)).toBe(0)
    expect(holdFor(10, 9, 500, { ...free, fixed: 0.000003 }, QUOTA_PER_UNIT)).toBe(2)
  })

  it('covers every plain answer within the prompt and the output it was reckoned with', () => {
    fc.assert(
      fc.property(sales, (priced) => {
        const { typed, extras, quotaPerUnit } = priced
        const usage = usageOf({ prompt: priced.usage.prompt + 1, completion: priced.usage.completion })
        const price = priceOf(typed)
        const held = holdFor(usage.prompt, usage.completion, 0, price, quotaPerUnit, extras)
        expect(held).toBeGreaterThanOrEqual(chargeFor(usage, price, quotaPerUnit, extras))
        const max = BigInt(MAX_CHARGE)
        const exact = ceiling(cost({ ...priced, usage }))
        expect(BigInt(held)).toBe(exact > max ? max : exact)
      }),
    )
  })

  it('takes each part at the dearest price it may have', () => {
    const price = { ...free, completionRatio: 2, cacheWriteRatio: 1.25, cacheWriteHourRatio: 2, imageRatio: 3 }
    const heard = { ...price, audioRatio: 8, audioCompletionRatio: 2 }
    const held = (possible: PotentialExtras, of = price) => holdFor(100, 10, 0, of, QUOTA_PER_UNIT, { possible })
    expect(held({})).toBe(120)
    expect(held({ cacheLife: 'minutes' })).toBe(125 + 20)
    expect(held({ cacheLife: 'hour' })).toBe(200 + 20)
    expect(held({ hasImages: true })).toBe(300 + 20)
    expect(held({ hasAudioInput: true }, heard)).toBe(800 + 20)
    expect(held({ hasAudioOutput: true }, heard)).toBe(100 + 160)
    expect(held({ hasAudioInput: true }, { ...price, audioInputPrice: 100 })).toBe(120 + 5000)
    expect(held({ webSearches: 2, isClaude: true })).toBe(120 + 10_000)
    expect(held({ fileSearches: 1 })).toBe(120 + 1250)
    expect(held({ webSearches: 2, isClaude: true }, { ...price, fixed: 0.04 })).toBe(20_000 + 10_000)
  })

  it('covers the resulting charge, for any figures', () => {
    fc.assert(
      fc.property(sales, ({ usage, typed, extras, quotaPerUnit }) => {
        const price = priceOf(typed)
        // Cached tokens may be part of the prompt or separate from it; their ratios are limited to those that the
        // reservation assumes.
        const all = usage.prompt + usage.cacheRead + usage.cacheWrite
        const { webSearches, fileSearches, containerGigabytes, secondModel } = usage
        const heard = { cacheLife: 'hour', hasImages: true, hasAudioInput: true, hasAudioOutput: true } as const
        const isClaude = usage.semantics === 'anthropic'
        const tools = { webSearches, fileSearches, containerGigabytes, secondModel }
        const possible: PotentialExtras = { ...heard, ...tools, isClaude }
        const dear = { ...price, cacheRatio: Math.min(price.cacheRatio, 1) }
        const hourly = { ...dear, cacheWriteRatio: Math.min(dear.cacheWriteRatio, dear.cacheWriteHourRatio) }
        const held = holdFor(all, usage.completion, 1, hourly, quotaPerUnit, { ...extras, possible })
        expect(held).toBeGreaterThanOrEqual(chargeFor(usage, hourly, quotaPerUnit, extras))
      }),
    )
  })

  it('calculates how much output an amount pays for, to the token', () => {
    fc.assert(
      fc.property(sales, fc.nat(1_000_000), fc.nat(5000), ({ typed, quotaPerUnit }, quota, prompt) => {
        const price = priceOf(typed)
        const tokens = outputWithin(quota, prompt, price, quotaPerUnit)
        if (tokens === Number.POSITIVE_INFINITY || tokens >= 1e12) return
        const held = (output: number) => holdFor(prompt, output, 0, price, quotaPerUnit)
        if (tokens > 0) expect(held(tokens)).toBeLessThanOrEqual(quota)
        expect(held(tokens + 1)).toBeGreaterThan(quota)
      }),
    )
  })
})
