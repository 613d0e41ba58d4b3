import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BillableExtras } from '../../../gateway/billing/billable-extras.ts'
import { imagePriceFactor } from '../../../gateway/billing/image-prices.ts'
import { chargeFor } from '../../../gateway/billing/meter.ts'
import { createPriceBook, type Price } from '../../../gateway/billing/price.ts'
import { receiptFacts } from '../../../gateway/billing/receipt-facts.ts'
import { type Usage, usageOf } from '../../../gateway/billing/usage.ts'
import { MAX_CHARGE } from '../../../shared/api/fields.ts'
import { completionRules } from '../../../shared/completion-rules.ts'
import { receiptOf } from '../../../shared/receipt.ts'
import { runs } from '../../support/speed.ts'
import { type Case, cases } from './oracle/cases.ts'
import { chargeOf, type Used, usedOf } from './oracle/cost.ts'
import { exactPrice, type Operator } from './oracle/prices.ts'

/** Number of random cases. A failure reports the seed and path with which fast-check reproduces it. */
const RUNS = runs(4000)

describe('the meter agrees with exact fractions worked out of the formula (docs/reference/billing.md#charge)', () => {
  // Slow, because errors in money show only in many random combinations.
  it('for any model, price, group, usage and work; and so does the receipt', () => {
    const met = { refused: 0, free: 0, byCall: 0, byRatio: 0, max: 0 }
    fc.assert(
      fc.property(cases, (one) => {
        const exact = exactPrice(one.operator, one.asked)
        const price = bookOf(one.operator).find(one.asked)
        expect(price === null).toBe(exact === undefined)
        if (!price || !exact) {
          met.refused += 1
          return
        }
        const expected = chargeOf(one.used, exact, one.unit, one.wanted)
        expect(charged(one, price)).toEqual({ charge: expected, receipt: expected })
        if (expected === 0) met.free += 1
        else if (expected === MAX_CHARGE) met.max += 1
        else if (exact.call) met.byCall += 1
        else met.byRatio += 1
      }),
      { numRuns: RUNS },
    )
    for (const count of Object.values(met)) expect(count).toBeGreaterThan(RUNS / 100)
  })
})

describe('a receipt', () => {
  it('has all digits of a price by the call', () => {
    const ModelPrice = { m: '999999999999' }
    const operator = { ...NO_PRICES, ModelPrice }
    const price = bookOf(operator).find({ model: 'm', userGroup: 'g', usingGroup: 'g', acceptUnset: false })
    const one = { used: usedOf({}), wanted: {}, unit: 1 }
    expect(price && charged(one, price)).toEqual({ charge: 999_999_999_999, receipt: 999_999_999_999 })
  })
})

const NO_PRICES: Operator = {
  ModelPrice: {},
  ModelRatio: {},
  CompletionRatio: {},
  CacheRatio: {},
  CreateCacheRatio: {},
  ImageRatio: {},
  AudioRatio: {},
  AudioCompletionRatio: {},
  GroupRatio: {},
  GroupGroupRatio: {},
}

function charged({ used, wanted, unit }: Pick<Case, 'used' | 'wanted' | 'unit'>, price: Price) {
  const usage = usageFrom(used)
  const extras: BillableExtras = {
    ...(wanted.search ? { webSearch: { size: wanted.search } } : {}),
    ...(wanted.image ? { image: wanted.image, times: imagePriceFactor({ model: price.model, ...wanted.image }) } : {}),
  }
  const charge = chargeFor(usage, price, unit, extras)
  // The row as the log stores it: facts as text, tokens in separate columns.
  const other = JSON.stringify(receiptFacts({ usage, price, quotaPerUnit: unit, extras }))
  const row = { prompt_tokens: usage.prompt, completion_tokens: usage.completion, other }
  return { charge, receipt: receiptOf(row)?.charge }
}

const usageFrom = ({ cacheHour, image, audioIn, audioOut, isInside, ...same }: Used): Usage =>
  usageOf({
    ...same,
    cacheWriteHour: cacheHour,
    imageInput: image,
    audioInput: audioIn,
    audioOutput: audioOut,
    semantics: isInside ? 'openai' : 'anthropic',
  })

function bookOf(operator: Operator) {
  const numbers = (typed: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, Number(text)]))
  const exclusive = Object.entries(operator.GroupGroupRatio).map(([group, typed]) => [group, numbers(typed)])
  return createPriceBook(
    {
      modelPrice: numbers(operator.ModelPrice),
      modelRatio: numbers(operator.ModelRatio),
      completionRatio: numbers(operator.CompletionRatio),
      cacheRatio: numbers(operator.CacheRatio),
      createCacheRatio: numbers(operator.CreateCacheRatio),
      imageRatio: numbers(operator.ImageRatio),
      audioRatio: numbers(operator.AudioRatio),
      audioCompletionRatio: numbers(operator.AudioCompletionRatio),
      groupRatio: numbers(operator.GroupRatio),
      groupGroupRatio: Object.fromEntries(exclusive),
    },
    completionRules,
  )
}
