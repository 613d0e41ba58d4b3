import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeFor } from '../../gateway/billing/meter.ts'
import type { Price } from '../../gateway/billing/price.ts'
import type { Usage } from '../../gateway/billing/usage.ts'
import { chargeOf, type Story } from '../../gateway/relay/record.ts'
import { pricePerMillion, receiptOf } from '../../shared/receipt.ts'

/** A log row's part of a usage and a price, written by the relay itself. */
function rowOf(usage: Usage, price: Price, quotaPerUnit: number) {
  // Only what the row is made of; the rest of a story says nothing about money.
  const story = {
    arrival: { requestId: 'r', at: 1, ip: '' },
    caller: { account: { id: 1, username: 'u', recordIp: false }, tokenId: 1, tokenName: 't' },
    call: { model: price.model, stream: false },
    group: 'default',
    attempts: [],
    channelId: 1,
    upstreamModel: price.model,
    firstByteMs: 1,
    tookMs: 1,
  } as unknown as Story
  const plan = { group: 'default', tiers: [], forced: null, price, hold: 0, quotaPerUnit }
  const { log, quota } = chargeOf(story, plan, usage, 'complete', true)
  if (!log) throw new Error('no row was written')
  const { prompt_tokens = 0, completion_tokens = 0, other = '' } = log
  return { prompt_tokens, completion_tokens, other, quota }
}

const row = (prompt_tokens: number, completion_tokens: number, other: object) => ({
  prompt_tokens,
  completion_tokens,
  other: JSON.stringify(other),
})

const ratio = fc.oneof(
  fc.constantFrom(0, 1, 0.1, 0.5, 1.25, 37.5, 0.000001, 1e-7),
  fc.double({ min: 0, max: 100, noNaN: true }),
)
const tokens = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 10_000_000 }))
const usages: fc.Arbitrary<Usage> = fc.record({
  prompt: tokens,
  completion: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  reasoning: fc.constant(0),
  semantics: fc.constantFrom('openai' as const, 'anthropic' as const),
  source: fc.constant('upstream' as const),
})
const prices: fc.Arbitrary<Price> = fc.record({
  model: fc.constant('m'),
  fixed: fc.option(ratio, { freq: 4 }),
  modelRatio: ratio,
  completionRatio: ratio,
  cacheRatio: ratio,
  cacheWriteRatio: ratio,
  groupRatio: ratio,
  exclusiveRatio: fc.constant(null),
  unset: fc.boolean(),
})

describe('a receipt, computed again from its log row (design/product.md, promise 2)', () => {
  it('gives what the meter charged, to the unit', () => {
    fc.assert(
      fc.property(usages, prices, fc.constantFrom(500_000, 1, 1000, 123_457), (usage, price, unit) => {
        const written = rowOf(usage, price, unit)
        expect(receiptOf(written)?.charge).toBe(written.quota)
        expect(written.quota).toBe(chargeFor(usage, price, unit))
      }),
      { numRuns: 500 },
    )
  })

  it('shows every step with its numbers (spec/console.md §8.19)', () => {
    const other = {
      model_ratio: 1.25,
      model_price: -1,
      completion_ratio: 4,
      group_ratio: 0.5,
      user_group_ratio: 0.5,
      cache_tokens: 400,
      cache_ratio: 0.5,
      quota_per_unit: 500_000,
    }
    const receipt = receiptOf(row(1000, 200, other))
    expect(receipt).toMatchObject({
      fixed: null,
      weighted: '1600',
      exact: '1000',
      charge: 1000,
      isExclusive: true,
      lines: [
        { kind: 'prompt', tokens: 600, ratio: 1, weighted: '600' },
        { kind: 'cacheRead', tokens: 400, ratio: 0.5, weighted: '200' },
        { kind: 'completion', tokens: 200, ratio: 4, weighted: '800' },
      ],
    })
    expect(receipt && pricePerMillion(receipt, 4)).toBe(10)
  })

  it('knows images, sound and tool calls (spec/relay.md §6.3, §6.4)', () => {
    const base = { model_ratio: 2, model_price: -1, completion_ratio: 8, group_ratio: 1 }
    const image = { ...base, image: true, image_output: 100, image_ratio: 5 }
    expect(receiptOf(row(300, 10, image))?.charge).toBe((200 + 500 + 80) * 2)
    const sound = { audio: true, text_input: 10, text_output: 5, audio_input: 20, audio_output: 30, audio_ratio: 16 }
    const spoken = { ...base, ...sound, audio_completion_ratio: 2 }
    expect(receiptOf(row(30, 35, spoken))?.charge).toBe((10 + 20 * 16 + 5 * 8 + 30 * 32) * 2)
    const search = { ...base, web_search: true, web_search_call_count: 3, web_search_price: 10 }
    expect(receiptOf(row(100, 0, search))).toMatchObject({
      charge: 200 + 15_000,
      tools: [{ kind: 'webSearch', calls: 3, price: 10, quota: '15000' }],
    })
  })

  it('takes the family’s rows: Claude’s prompt without the cache, -1 for no price and no exclusive ratio', () => {
    const other = { model_ratio: 1.5, model_price: -1, completion_ratio: 5, group_ratio: 0.8, user_group_ratio: -1 }
    const cached = { claude: true, cache_tokens: 1000, cache_ratio: 0.1, cache_creation_tokens: 200 }
    const receipt = receiptOf(row(100, 50, { ...other, ...cached, cache_creation_ratio: 1.25 }))
    expect(receipt).toMatchObject({ charge: 840, isExclusive: false })
  })

  it('is none where there is no price', () => {
    expect(receiptOf(row(0, 0, { error_code: 'x' }))).toBeUndefined()
    expect(receiptOf({ prompt_tokens: 0, completion_tokens: 0, other: '' })).toBeUndefined()
    expect(receiptOf({ prompt_tokens: 0, completion_tokens: 0, other: 'null' })).toBeUndefined()
  })
})
