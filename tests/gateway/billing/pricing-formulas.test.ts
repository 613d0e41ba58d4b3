import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listedPriceOf } from '../../../gateway/billing/listed-price.ts'
import { chargeFor } from '../../../gateway/billing/meter.ts'
import { createPriceBook, type Price, priceInDollars } from '../../../gateway/billing/price.ts'
import { receiptFacts } from '../../../gateway/billing/receipt-facts.ts'
import { usageOf } from '../../../gateway/billing/usage.ts'
import { printed, productOf, ratioBetween, ratioOfPrice, tokenPrices } from '../../../shared/pricing.ts'
import { receiptOf } from '../../../shared/receipt.ts'
import { type Fraction, fraction, nearest, product, sum, whole } from './fraction.ts'

/** Positive ratios as operators type them; a product of three of them never exceeds what an account can hold. */
const ratio = fc
  .tuple(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 3, max: 8 }))
  .map(([digits, scale]) => Number(`${digits}e-${scale}`))
const tokens = fc.nat(2_000_000)
const cases = fc.record({ R: ratio, C: ratio, G: ratio, K: ratio, p: tokens, c: tokens, cached: fc.nat(1_000_000) })
type Case = Readonly<{ R: number; C: number; G: number; K: number; p: number; c: number; cached: number }>

const exact = (value: number): Fraction => fraction(value.toExponential())
const UNIT = 500_000

function bookOf({ R, C, G, K }: Case, fixed?: number) {
  return createPriceBook(
    {
      modelPrice: fixed === undefined ? {} : { m: fixed },
      modelRatio: { m: R },
      completionRatio: { m: C },
      cacheRatio: { m: K },
      createCacheRatio: {},
      imageRatio: {},
      audioRatio: {},
      audioCompletionRatio: {},
      groupRatio: { g: G },
      groupGroupRatio: { own: { g: G } },
    },
    [],
  )
}

function priceOf(one: Case, userGroup: string, fixed?: number): Price {
  const price = bookOf(one, fixed).find({ model: 'm', userGroup, usingGroup: 'g', acceptUnset: false })
  if (!price) throw new Error('no price')
  return price
}

function receiptCharge(price: Price, usage: ReturnType<typeof usageOf>): number | undefined {
  const other = JSON.stringify(receiptFacts({ usage, price, quotaPerUnit: UNIT, extras: {} }))
  return receiptOf({ prompt_tokens: usage.prompt, completion_tokens: usage.completion, other })?.charge
}

/** The maximum of a charge. */
const MAX = 1_000_000_000_000

describe('the formulas of prices (docs/reference/billing.md#prices-and-ratios)', () => {
  it('apply in the meter and the receipt: group × model × (prompt + completion × completion ratio) units', () => {
    fc.assert(
      fc.property(cases, fc.constantFrom('other', 'own'), (one, userGroup) => {
        const price = priceOf(one, userGroup)
        const usage = usageOf({ prompt: one.p, completion: one.c })
        const counted = sum(whole(one.p), product(whole(one.c), exact(one.C)))
        const units = Number(nearest(product(exact(one.G), exact(one.R), counted)))
        const expected = one.p + one.c === 0 ? 0 : Math.min(Math.max(units, 1), MAX)
        expect({ meter: chargeFor(usage, price, UNIT), receipt: receiptCharge(price, usage) }).toEqual({
          meter: expected,
          receipt: expected,
        })
      }),
      { numRuns: 2000 },
    )
  })

  it('apply on the page: dollars for a million tokens are ratio × 2, × the completion ratio, × the group', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const listed = listedPriceOf(priceOf(one, 'other'), 'm')
        const shown = tokenPrices(
          {
            modelRatio: listed.model_ratio,
            completionRatio: listed.completion_ratio,
            cacheRatio: listed.cache_ratio,
            cacheWriteRatio: listed.cache_creation_ratio,
            cacheWriteHourRatio: listed.cache_creation_ratio_1h,
            imageRatio: listed.image_ratio,
            audioRatio: listed.audio_ratio,
            audioCompletionRatio: listed.audio_completion_ratio,
            audioInputPrice: listed.audio_input_price,
            groupRatio: one.G,
          },
          UNIT,
        )
        const about = (value: number, ...factors: number[]) =>
          expect(isAbout(value, product(whole(2), ...factors.map(exact)))).toBe(true)
        about(shown.input, one.R, one.G)
        about(shown.output, one.R, one.G, one.C)
        about(shown.cacheRead, one.R, one.G, one.K)
        about(shown.cacheWrite, one.R, one.G, 1.25)
        about(shown.cacheWriteHour, one.R, one.G, 2)
      }),
      { numRuns: 2000 },
    )
  })

  it('turn the prices of the page into the meter’s charge, to the unit', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const price = priceOf(one, 'other')
        const shown = tokenPrices(price, UNIT)
        const cached = Math.min(one.cached, one.p)
        const usage = usageOf({ prompt: one.p, completion: one.c, cacheRead: cached })
        const dollars = sum(
          product(whole(one.p - cached), exact(shown.input)),
          product(whole(cached), exact(shown.cacheRead)),
          product(whole(one.c), exact(shown.output)),
        )
        const units = Math.min(Number(nearest(product(dollars, exact(UNIT), fraction('1e-6')))), MAX)
        const charge = chargeFor(usage, price, UNIT)
        // Displayed prices have fifteen digits, so a cost at exactly a half may round the other way.
        expect(Math.abs(charge - units)).toBeLessThanOrEqual(Math.max(1, charge * 1e-13))
      }),
      { numRuns: 2000 },
    )
  })

  it('apply in the editor: a price becomes the ratio it came from, output over input the completion ratio', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const { input, output } = priceInDollars(bookOf(one), UNIT, 'm')
        expect(ratioOfPrice(input ?? 0, UNIT)).toBe(one.R)
        expect(Number(printed(ratioBetween(output ?? 0, input ?? 0) ?? 0))).toBe(one.C)
      }),
      { numRuns: 2000 },
    )
  })

  it('let a price by the call override the ratios: price × group, in the meter as on the page', () => {
    fc.assert(
      fc.property(cases, ratio, (one, fixed) => {
        const price = priceOf(one, 'other', fixed)
        const dollars = product(exact(fixed), exact(one.G))
        const units = Number(nearest(product(dollars, whole(UNIT))))
        expect(chargeFor(usageOf({ prompt: one.p }), price, UNIT)).toBe(Math.min(Math.max(units, 1), MAX))
        expect(listedPriceOf(price, 'm')).toMatchObject({ quota_type: 1, model_price: fixed, model_ratio: 0 })
        expect(isAbout(productOf(fixed, one.G), dollars)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

/** Whether the value agrees with the fraction to within one in 10^14. */
function isAbout(value: number, wanted: Fraction): boolean {
  const found = exact(value)
  const difference = found.over * wanted.under - wanted.over * found.under
  const size = difference < 0n ? -difference : difference
  return size * 10n ** 14n <= wanted.over * found.under
}
