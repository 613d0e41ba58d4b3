import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeFor, holdFor } from '../../../gateway/billing/meter.ts'
import type { Price } from '../../../gateway/billing/price.ts'
import type { Usage } from '../../../gateway/billing/usage.ts'
import { ceiling, type Fraction, fraction, nearest, product, sum, whole } from './fraction.ts'

const QUOTA_PER_UNIT = 500_000
const free: Price = {
  model: 'm',
  fixed: null,
  modelRatio: 1,
  completionRatio: 1,
  cacheRatio: 1,
  cacheWriteRatio: 1.25,
  groupRatio: 1,
  exclusiveRatio: null,
  unset: false,
}
const nothing: Usage = {
  prompt: 0,
  completion: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
  semantics: 'openai',
  source: 'upstream',
}
const charge = (usage: Partial<Usage>, price: Partial<Price>) =>
  chargeFor({ ...nothing, ...usage }, { ...free, ...price }, QUOTA_PER_UNIT)

describe('what a usage costs (spec/relay.md §6.3, §10)', () => {
  it('is 2000 for gpt-4o with a cache', () => {
    const price = { modelRatio: 1.25, completionRatio: 4, cacheRatio: 0.5 }
    expect(charge({ prompt: 1000, cacheRead: 400, completion: 200 }, price)).toBe(2000)
  })

  it('is 840 for claude-sonnet-4, whose prompt does not hold the cache', () => {
    const price = { modelRatio: 1.5, completionRatio: 5, cacheRatio: 0.1, cacheWriteRatio: 1.25, groupRatio: 0.8 }
    const usage = { prompt: 100, cacheRead: 1000, cacheWrite: 200, completion: 50, semantics: 'anthropic' } as const
    expect(charge(usage, price)).toBe(840)
  })

  it('rounds once, at the end, halves away from zero', () => {
    expect(charge({ prompt: 100, completion: 20 }, { modelRatio: 1.25, completionRatio: 4, groupRatio: 0.5 })).toBe(113)
    expect(charge({ prompt: 3 }, { modelRatio: 0.5 })).toBe(2)
    expect(charge({ prompt: 30 }, { modelRatio: 0.1, groupRatio: 0.15 })).toBe(1)
  })

  it('is at least 1 unless it is nothing', () => {
    expect(charge({ prompt: 1 }, { modelRatio: 0.000001 })).toBe(1)
    expect(charge({ prompt: 1 }, { modelRatio: 0 })).toBe(0)
    expect(charge({ prompt: 1 }, { groupRatio: 0 })).toBe(0)
    expect(charge({}, { modelRatio: 1e9 })).toBe(0)
  })

  it('is the price of a call where one is set, whatever was used', () => {
    const price = { fixed: 0.04, modelRatio: 99, groupRatio: 0.5 }
    expect(charge({}, price)).toBe(10_000)
    expect(charge({ prompt: 1_000_000 }, price)).toBe(10_000)
    expect(charge({}, { ...price, fixed: 0.0000001 })).toBe(1)
    expect(charge({}, { ...price, fixed: 0 })).toBe(0)
  })

  it('never gives money back, even where a cache claims more than the prompt', () => {
    expect(charge({ prompt: 10, cacheRead: 100 }, { cacheRatio: 0 })).toBe(0)
    expect(charge({ prompt: 10, cacheRead: 100, completion: 1 }, { cacheRatio: 0.1 })).toBe(11)
  })

  it('stays within what a balance can hold', () => {
    expect(charge({ prompt: 10_000_000 }, { modelRatio: 1e300 })).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('agrees with exact fractions for any usage and price', () => {
    fc.assert(
      fc.property(usages, prices, (usage, price) => {
        expect(BigInt(chargeFor(usage, numbersOf(price), QUOTA_PER_UNIT))).toBe(oracle(usage, price))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('what is set aside (spec/relay.md §6.2)', () => {
  it('is at least 500 tokens of prompt and all output the caller allows, rounded up', () => {
    expect(holdFor(10, 0, 500, free, QUOTA_PER_UNIT)).toBe(500)
    expect(holdFor(600, 100, 500, { ...free, completionRatio: 4 }, QUOTA_PER_UNIT)).toBe(1000)
    expect(holdFor(501, 0, 500, { ...free, modelRatio: 0.5 }, QUOTA_PER_UNIT)).toBe(251)
    expect(holdFor(10, 0, 500, { ...free, groupRatio: 0 }, QUOTA_PER_UNIT)).toBe(0)
    expect(holdFor(10, 9, 500, { ...free, fixed: 0.000003 }, QUOTA_PER_UNIT)).toBe(2)
  })

  it('covers every answer within the prompt and the output it was reckoned with', () => {
    fc.assert(
      fc.property(usages, prices, (usage, price) => {
        const numbers = numbersOf(price)
        const plain = { ...usage, cacheRead: 0, cacheWrite: 0 }
        const held = holdFor(plain.prompt, plain.completion, 0, numbers, QUOTA_PER_UNIT)
        expect(held).toBeGreaterThanOrEqual(chargeFor(plain, numbers, QUOTA_PER_UNIT))
        expect(BigInt(held)).toBe(safe(ceiling(cost(plain, price))))
      }),
    )
  })
})

/** Prices as decimal text: what an operator types. */
type Typed = Readonly<{
  fixed: string | null
  modelRatio: string
  completionRatio: string
  cacheRatio: string
  cacheWriteRatio: string
  groupRatio: string
}>

const ratio = fc
  .tuple(fc.nat(9_999_999), fc.nat(8))
  .map(([digits, scale]) => `${String(digits).padStart(scale + 1, '0')}`.replace(new RegExp(`(\\d{${scale}})$`), '.$1'))
  .map((text) => text.replace(/\.$/, ''))
const prices = fc.record({
  fixed: fc.option(ratio, { freq: 4 }),
  modelRatio: ratio,
  completionRatio: ratio,
  cacheRatio: ratio,
  cacheWriteRatio: ratio,
  groupRatio: fc.oneof(fc.constantFrom('0', '1', '0.5'), ratio),
})
const tokens = fc.oneof(fc.nat(20), fc.nat(200_000))
const usages = fc.record({
  prompt: tokens,
  completion: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  reasoning: tokens,
  semantics: fc.constantFrom('openai' as const, 'anthropic' as const),
  source: fc.constantFrom('upstream' as const),
})

const numbersOf = (price: Typed): Price => ({
  ...free,
  fixed: price.fixed === null ? null : Number(price.fixed),
  modelRatio: Number(price.modelRatio),
  completionRatio: Number(price.completionRatio),
  cacheRatio: Number(price.cacheRatio),
  cacheWriteRatio: Number(price.cacheWriteRatio),
  groupRatio: Number(price.groupRatio),
})

/** The specification's formula, word for word, over fractions. */
function cost(usage: Usage, price: Typed): Fraction {
  const group = fraction(price.groupRatio)
  if (price.fixed !== null) return product(fraction(price.fixed), whole(QUOTA_PER_UNIT), group)
  const { prompt, completion, cacheRead, cacheWrite, semantics } = usage
  const base = semantics === 'openai' ? Math.max(prompt - cacheRead - cacheWrite, 0) : prompt
  const weighted = sum(
    whole(base),
    product(whole(cacheRead), fraction(price.cacheRatio)),
    product(whole(cacheWrite), fraction(price.cacheWriteRatio)),
    product(whole(completion), fraction(price.completionRatio)),
  )
  return product(weighted, fraction(price.modelRatio), group)
}

function oracle(usage: Usage, price: Typed): bigint {
  const exact = cost(usage, price)
  if (exact.over === 0n) return 0n
  const quota = nearest(exact)
  return quota === 0n ? 1n : safe(quota)
}

const safe = (quota: bigint): bigint => (quota > MOST ? MOST : quota)
const MOST = BigInt(Number.MAX_SAFE_INTEGER)
