import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BillableExtras } from '../../gateway/billing/billable-extras.ts'
import { chargeFor } from '../../gateway/billing/meter.ts'
import type { Price } from '../../gateway/billing/price.ts'
import { type Usage, usageOf } from '../../gateway/billing/usage.ts'
import { chargeOf, type LogContext } from '../../gateway/relay/metering/log-row.ts'
import type { Ending } from '../../gateway/relay/model/outcome.ts'
import { pricePerMillion, receiptOf } from '../../shared/receipt.ts'
import { oracle, priceOf, sales, usages, works } from '../gateway/billing/sales.ts'

/** The part of a log row for a usage and a price, written by the relay itself. */
function rowOf(
  usage: Usage,
  price: Price,
  quotaPerUnit: number,
  extras: BillableExtras = {},
  ending: Ending = 'complete',
) {
  // Only the members used for the row; the rest of a log context does not affect money.
  const logContext = {
    context: { requestId: 'r', at: 1, ip: '' },
    caller: { account: { id: 1, username: 'u', recordIp: false }, tokenId: 1, tokenName: 't' },
    call: { model: price.model, stream: false },
    group: 'default',
    attempts: [],
    channelId: 1,
    upstreamModel: price.model,
    firstByteMs: 1,
    tookMs: 1,
    extras,
  } as unknown as LogContext
  const expected = {
    ...{ prompt: 0, minPrompt: 0, maxPrompt: 0, output: 0, minOutput: 0, choices: 1, unlimitedReasoning: 0 },
    ...{
      isLimitable: false,
      hasHiddenReasoning: false,
      isReportedAtEnd: false,
      callsServers: false,
      hasUnknownPrompt: false,
      possible: undefined,
    },
  }
  const plan = {
    group: 'default',
    tiers: [],
    forced: null,
    price,
    holdQuota: 0,
    minHoldQuota: 0,
    expected,
    extras,
    quotaPerUnit,
  }
  const { log, quota } = chargeOf(logContext, plan, usage, ending, true)
  if (!log) throw new Error('no row was written')
  const { prompt_tokens = 0, completion_tokens = 0, other = '', content = '' } = log
  return { prompt_tokens, completion_tokens, other, content, quota }
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
const prices: fc.Arbitrary<Price> = fc.record({
  model: fc.constant('m'),
  fixed: fc.option(ratio, { freq: 4 }),
  modelRatio: ratio,
  completionRatio: ratio,
  cacheRatio: ratio,
  cacheWriteRatio: ratio,
  cacheWriteHourRatio: ratio,
  imageRatio: ratio,
  audioRatio: fc.option(ratio),
  audioCompletionRatio: ratio,
  audioInputPrice: fc.constant(null),
  groupRatio: ratio,
  exclusiveRatio: fc.constant(null),
  unset: fc.boolean(),
})

describe('a receipt, computed again from its log row (docs/reference/billing.md#receipts)', () => {
  it('equals the meter’s charge, to the unit, for any numbers', () => {
    const units = fc.constantFrom(500_000, 1, 1000, 123_457)
    fc.assert(
      fc.property(usages, prices, units, works, (usage, price, unit, extras) => {
        const written = rowOf(usage, price, unit, extras)
        expect(receiptOf(written)?.charge).toBe(written.quota)
        expect(written.quota).toBe(chargeFor(usage, price, unit, extras))
      }),
      { numRuns: 500 },
    )
  })

  it('equals the result of exact fractions, for charges of every kind', () => {
    fc.assert(
      fc.property(sales, (priced) => {
        const written = rowOf(priced.usage, priceOf(priced.typed), priced.quotaPerUnit, priced.extras)
        expect(receiptOf(written)?.charge).toBe(oracle(priced))
        expect(written.quota).toBe(oracle(priced))
      }),
      { numRuns: 500 },
    )
  })

  it('shows every step with its numbers (docs/reference/billing.md#receipts)', () => {
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

  it('names the long prompt and the service tier whose factors are included in the ratios, and computes the same', () => {
    const other = { model_ratio: 4, model_price: -1, completion_ratio: 3, group_ratio: 1 }
    const told = { ...other, price_step: 200_000, service_tier: 'priority', service_tier_ratio: 2 }
    expect(receiptOf(row(300_000, 100, told))).toEqual({
      ...receiptOf(row(300_000, 100, other)),
      step: 200_000,
      tier: { name: 'priority', ratio: 2 },
    })
    expect(receiptOf(row(300_000, 100, other))).toMatchObject({ step: null, tier: null, charge: 4 * 300_300 })
    expect(receiptOf(row(1, 1, { ...other, price_step: 'x', service_tier: 7 }))).toMatchObject({
      step: null,
      tier: null,
    })
  })

  it('knows images, sound and tool calls (docs/reference/billing.md#audio)', () => {
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

  it('shows a cache of an hour, and sound in dollars, as separate lines', () => {
    const price = { model_ratio: 1, model_price: -1, completion_ratio: 4, group_ratio: 0.5 }
    const kept = { cache_creation_tokens: 300, cache_creation_tokens_1h: 100, cache_creation_ratio: 1.25 }
    const claude = { ...price, claude: true, ...kept, cache_creation_ratio_1h: 2 }
    expect(receiptOf(row(10, 1, claude))).toMatchObject({
      lines: [
        { kind: 'prompt', tokens: 10 },
        { kind: 'cacheWrite', tokens: 200, ratio: 1.25, weighted: '250' },
        { kind: 'cacheWriteHour', tokens: 100, ratio: 2, weighted: '200' },
        { kind: 'completion', tokens: 1 },
      ],
      charge: 232,
    })
    const heard = { ...price, audio_input_seperate_price: true, audio_input_token_count: 900, audio_input_price: 0.7 }
    expect(receiptOf(row(1000, 0, heard))).toMatchObject({
      lines: [{ kind: 'prompt', tokens: 100 }, { kind: 'completion' }],
      tools: [{ kind: 'audioInput', calls: 900, price: 0.7, per: 1_000_000, quota: '157.5' }],
      charge: 208,
    })
  })

  it('shows a price by the call with its factor', () => {
    const image = { model_price: 0.12, model_unit_price: 0.04, price_times: 3, group_ratio: 1 }
    expect(receiptOf(row(0, 0, image))).toMatchObject({ fixed: 0.12, unitPrice: 0.04, times: 3, charge: 60_000 })
    const others = { model_price: 0.12, group_ratio: 1 }
    expect(receiptOf(row(0, 0, others))).toMatchObject({ fixed: 0.12, unitPrice: 0.12, times: 1, charge: 60_000 })
  })

  it('charges at least 1 for tokens that have a price, and 0 for none', () => {
    const price = { model_ratio: 0.000001, model_price: -1, completion_ratio: 0, group_ratio: 1 }
    expect(receiptOf(row(1, 0, price))?.charge).toBe(1)
    expect(receiptOf(row(0, 9, price))?.charge).toBe(1)
    expect(receiptOf(row(0, 9, { ...price, group_ratio: 0 }))?.charge).toBe(0)
    expect(receiptOf(row(0, 0, { ...price, web_search_call_count: 2, web_search_price: 35 }))).toMatchObject({
      tools: [],
      charge: 0,
    })
  })

  it('takes the family’s rows: Claude’s prompt without the cache, -1 for no price and no ratio override', () => {
    const other = { model_ratio: 1.5, model_price: -1, completion_ratio: 5, group_ratio: 0.8, user_group_ratio: -1 }
    const cached = { claude: true, cache_tokens: 1000, cache_ratio: 0.1, cache_creation_tokens: 200 }
    const receipt = receiptOf(row(100, 50, { ...other, ...cached, cache_creation_ratio: 1.25 }))
    expect(receipt).toMatchObject({ charge: 840, isExclusive: false })
  })

  it('does not exist where there is no price', () => {
    expect(receiptOf(row(0, 0, { error_code: 'x' }))).toBeUndefined()
    expect(receiptOf({ prompt_tokens: 0, completion_tokens: 0, other: '' })).toBeUndefined()
    expect(receiptOf({ prompt_tokens: 0, completion_tokens: 0, other: 'null' })).toBeUndefined()
  })
})

describe('the row of a charge (docs/reference/billing.md#receipts)', () => {
  const typed = {
    model: 'gpt-4o',
    fixed: null,
    modelRatio: '2',
    completionRatio: '4',
    cacheRatio: '0.5',
    cacheWriteRatio: '1.25',
    imageRatio: '3',
    audioRatio: null,
    audioCompletionRatio: '2',
    groupRatio: '1',
  } as const
  const written = (usage: Partial<Usage>, price: Partial<Price> = {}, extras?: BillableExtras) => {
    const { other, content } = rowOf(usageOf(usage), { ...priceOf(typed), ...price }, 500_000, extras)
    return { other: JSON.parse(other), content }
  }

  it('contains the charge and the ratios it was calculated with', () => {
    const { other, content } = written({ prompt: 10, completion: 5, cacheRead: 4, reasoning: 2 })
    expect(other).toMatchObject({
      ...{ model_ratio: 2, group_ratio: 1, completion_ratio: 4, model_price: -1, user_group_ratio: -1 },
      ...{ cache_tokens: 4, cache_ratio: 0.5, reasoning_tokens: 2, usage_source: 'upstream', ended: 'complete' },
    })
    for (const key of ['claude', 'image', 'audio', 'ws', 'web_search', 'file_search', 'cache_creation_tokens'])
      expect(other).not.toHaveProperty(key)
    expect(content).toBe('model ratio 2.00, completion ratio 4.00, group ratio 1.00')
    expect(written({}).content).toBe(`${content}, no usage: the upstream may have timed out`)
  })

  it('marks Claude’s, and contains how long the cache was written for', () => {
    const usage = { prompt: 10, cacheRead: 4, cacheWrite: 300, cacheWriteHour: 100, semantics: 'anthropic' } as const
    expect(written(usage).other).toMatchObject({
      claude: true,
      cache_tokens: 4,
      ...{ cache_creation_tokens: 300, cache_creation_ratio: 1.25 },
      ...{ cache_creation_tokens_1h: 100, cache_creation_ratio_1h: 2 },
    })
  })

  it('counts images and sound', () => {
    expect(written({ prompt: 10, imageInput: 7 }).other).toMatchObject({ image: true, image_ratio: 3, image_output: 7 })
    const usage = { prompt: 10, audioInput: 7, completion: 5, audioOutput: 3 }
    const sound = { audio: true, audio_input: 7, audio_output: 3, text_input: 3, text_output: 2 }
    const price = { audioRatio: 16, audioCompletionRatio: 2 }
    const ratios = { audio_ratio: 16, audio_completion_ratio: 2 }
    expect(written(usage, price).other).toMatchObject({ ...sound, ...ratios })
    expect(written(usage, price).other).not.toHaveProperty('ws')
    expect(written(usage, price, { realtime: true }).other).toMatchObject({ ...sound, ...ratios, ws: true })
    const gemini = written(usage, { audioInputPrice: 0.7 })
    const apart = { audio_input_seperate_price: true, audio_input_token_count: 7, audio_input_price: 0.7 }
    expect(gemini.other).toMatchObject(apart)
    expect(gemini.other).not.toHaveProperty('audio')
    expect(gemini.content).toContain(', audio input 7 tokens at $0.7 per million')
  })

  it('counts the use of tools', () => {
    const { other, content } = written({ prompt: 1, webSearches: 2, fileSearches: 3 })
    expect(other).toMatchObject({
      ...{ web_search: true, web_search_call_count: 2, web_search_price: 10 },
      ...{ file_search: true, file_search_call_count: 3, file_search_price: 2.5 },
    })
    expect(content).toContain(', web search 2 calls, context medium, $10 per thousand, file search 3 calls')
  })

  it('contains the parameters of an image', () => {
    const image = { size: '1792x1024', quality: 'hd', n: 1 }
    const { other, content } = written({}, { fixed: 0.04 }, { times: 3, image })
    expect(other).toMatchObject({ model_price: 0.12, model_unit_price: 0.04, price_times: 3 })
    expect(content).toBe('model price 0.12, group ratio 1.00, size 1792x1024, quality hd, n 1')
    expect(written({}, { fixed: 0.04 }).other).not.toHaveProperty('price_times')
  })

  it('has no price per call for an answer that broke off before anything came (docs/reference/billing.md#missing-usage)', () => {
    const price = { ...priceOf(typed), fixed: 0.04 }
    const broken = rowOf(usageOf({}), price, 500_000, { times: 3 }, 'upstream-broken')
    expect([broken.quota, receiptOf(broken)?.charge]).toEqual([0, 0])
    expect(rowOf(usageOf({ completion: 1 }), price, 500_000, {}, 'client-gone').quota).toBe(20_000)
    expect(rowOf(usageOf({}), price, 500_000, {}, 'complete').quota).toBe(20_000)
  })
})
