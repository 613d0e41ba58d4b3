import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  priceOfRatio,
  printed,
  productOf,
  ratioBetween,
  ratioOfPrice,
  shownPrice,
  tokenPrices,
  typedNumber,
} from '../../shared/pricing.ts'
import { type Fraction, fraction, product } from '../gateway/billing/fraction.ts'

/** Typical input: a limited number of significant digits around the point. */
const typed = (digits: number) =>
  fc
    .tuple(fc.bigInt(1n, 10n ** BigInt(digits) - 1n), fc.integer({ min: -9, max: 6 }))
    .map(([value, power]) => Number(`${value}e${power}`))
const units = fc.oneof(
  fc.constantFrom(500_000, 1, 3, 1000, 123_457, 0.7, 1_000_000_000),
  fc.integer({ min: 1, max: 1_000_000_000 }),
)

/** Whether a number equals a fraction to within one in 10^14: the first fourteen digits must be right. */
function isAbout(value: number, exact: Fraction): boolean {
  const found = fraction(value.toExponential())
  const difference = found.over * exact.under - exact.over * found.under
  const size = difference < 0n ? -difference : difference
  return size * 10n ** 14n <= exact.over * found.under
}

describe('price and ratio (docs/reference/billing.md#prices-and-ratios)', () => {
  it('take a ratio of 1 for 2 dollars a million tokens at the usual QuotaPerUnit', () => {
    expect(priceOfRatio(1, 500_000)).toBe(2)
    expect(priceOfRatio(1.25, 500_000)).toBe(2.5)
    expect(priceOfRatio(1.25, 500_000, 4)).toBe(10)
    expect(priceOfRatio(1.25, 1_000_000)).toBe(1.25)
    expect(ratioOfPrice(2.5, 500_000)).toBe(1.25)
    expect(ratioOfPrice(0, 500_000)).toBe(0)
    expect(ratioBetween(10, 2.5)).toBe(4)
    expect(ratioBetween(10, 0)).toBeUndefined()
  })

  it('leave no dust of binary fractions', () => {
    expect(priceOfRatio(0.07, 500_000)).toBe(0.14)
    expect(priceOfRatio(0.15, 500_000, 3)).toBe(0.9)
    expect(ratioOfPrice(0.3, 500_000)).toBe(0.15)
    expect(ratioBetween(0.3, 0.1)).toBe(3)
    expect(productOf(1.1, 1.6)).toBe(1.76)
    expect(priceOfRatio(0.1, 500_000, 3, 0.1)).toBe(0.06)
  })

  it('lead there and back exactly for everything that fits, where a dollar is 500,000', () => {
    fc.assert(
      fc.property(typed(14), (value) => {
        expect(priceOfRatio(ratioOfPrice(value, 500_000), 500_000)).toBe(value)
        expect(ratioOfPrice(priceOfRatio(value, 500_000), 500_000)).toBe(value)
      }),
      { numRuns: 2000 },
    )
  })

  it('convert in both directions exactly within the printed digits, for any number of units per dollar', () => {
    fc.assert(
      fc.property(typed(12), units, (value, unit) => {
        expect(Number(printed(priceOfRatio(ratioOfPrice(value, unit), unit)))).toBe(value)
        expect(Number(printed(ratioOfPrice(priceOfRatio(value, unit), unit)))).toBe(value)
      }),
      { numRuns: 4000 },
    )
  })

  it('preserve the price of output: input times the ratio between the two is the typed value', () => {
    fc.assert(
      fc.property(typed(12), typed(12), units, (input, output, unit) => {
        const modelRatio = ratioOfPrice(input, unit)
        const completionRatio = ratioBetween(output, input) ?? Number.NaN
        expect(Number(printed(priceOfRatio(modelRatio, unit, completionRatio)))).toBe(output)
      }),
      { numRuns: 4000 },
    )
  })

  it('equal the result of exact fractions, to all digits of a number', () => {
    fc.assert(
      fc.property(typed(15), typed(15), units, (one, other, unit) => {
        const [a, b] = [fraction(one.toExponential()), fraction(other.toExponential())]
        const perUnit = fraction(unit.toExponential())
        const million = fraction('1000000')
        const price = { over: product(a, b, million).over * perUnit.under, under: a.under * b.under * perUnit.over }
        expect(isAbout(priceOfRatio(one, unit, other), price)).toBe(true)
        expect(isAbout(ratioOfPrice(one, unit), product(a, perUnit, fraction('1e-6')))).toBe(true)
        expect(isAbout(ratioBetween(one, other) ?? 0, { over: a.over * b.under, under: a.under * b.over })).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  it('stay numbers however large a ratio is', () => {
    expect(priceOfRatio(Number.MAX_VALUE, 1, 10)).toBe(Number.MAX_VALUE)
    expect(productOf(0, 5)).toBe(0)
    expect(priceOfRatio(5e-324, 500_000)).toBe(1e-323)
  })
})

describe('all prices of a model', () => {
  const ratios = {
    modelRatio: 1.25,
    completionRatio: 4,
    cacheRatio: 0.5,
    cacheWriteRatio: 1.25,
    cacheWriteHourRatio: 2,
    imageRatio: 3,
    audioRatio: null,
    audioCompletionRatio: 1,
    audioInputPrice: null,
    groupRatio: 0.5,
  }

  it('have the group’s ratio in them', () => {
    expect(tokenPrices(ratios, 500_000)).toEqual({
      input: 1.25,
      output: 5,
      cacheRead: 0.625,
      cacheWrite: 1.5625,
      cacheWriteHour: 2.5,
      image: 3.75,
      audioInput: null,
      audioOutput: null,
    })
  })

  it('take sound by its ratios, or at the vendor’s own price', () => {
    const spoken = { ...ratios, audioRatio: 16, audioCompletionRatio: 2 }
    expect(tokenPrices(spoken, 500_000)).toMatchObject({ audioInput: 20, audioOutput: 40 })
    const apart = { ...ratios, audioInputPrice: 0.7 }
    expect(tokenPrices(apart, 500_000)).toMatchObject({ audioInput: 0.35, audioOutput: null })
  })
})

describe('a printed price', () => {
  it('has plain digits and no superfluous ones', () => {
    for (const [value, text] of [
      [0, '0'],
      [2.5, '2.5'],
      [1e-7, '0.0000001'],
      [1e21, '1000000000000000000000'],
      [0.1 + 0.2, '0.3'],
      [1 / 3, '0.333333333333'],
      [999_999_999_999.9, '1000000000000'],
    ] as const)
      expect(printed(value)).toBe(text)
  })

  it('is read as the very price', () => {
    fc.assert(
      fc.property(typed(12), (value) => {
        expect(typedNumber(printed(value))).toBe(value)
      }),
    )
    for (const text of ['', ' ', '-1', '1e3', 'abc', '1.2.3', '.', 'Infinity', '0x10', '1,5'])
      expect(typedNumber(text), text).toBeUndefined()
    expect(typedNumber(' 2. ')).toBe(2)
    expect(typedNumber('.5')).toBe(0.5)
    expect(typedNumber('0')).toBe(0)
  })
})

describe('a shown price (docs/reference/screens.md#pricing)', () => {
  const rates = { price: 2, exchangeRate: 8 }
  const plain = { ...rates, currency: 'USD', isRecharge: false } as const

  it('has three decimals, and more only where a small price would lose its digits', () => {
    for (const [dollars, text] of [
      [0, '$0.000'],
      [2.5, '$2.500'],
      [0.1, '$0.100'],
      [0.2739725, '$0.274'],
      [1.0005, '$1.001'],
      [1.005, '$1.005'],
      [0.0375, '$0.0375'],
      [0.00020004, '$0.0002'],
      [0.0999999, '$0.100'],
      [1234567.8915, '$1234567.892'],
    ] as const)
      expect(shownPrice(dollars, plain), String(dollars)).toBe(text)
  })

  it('is in yuan by the exchange rate, and as recharged by the price of a dollar of quota', () => {
    expect(shownPrice(2.5, { ...plain, currency: 'CNY' })).toBe('¥20.000')
    expect(shownPrice(2.5, { ...plain, isRecharge: true })).toBe('$0.625')
    expect(shownPrice(2.5, { ...plain, isRecharge: true, currency: 'CNY' })).toBe('¥5.000')
    expect(shownPrice(1, { ...plain, isRecharge: true, price: 7.3, exchangeRate: 7.3 })).toBe('$1.000')
  })
})
