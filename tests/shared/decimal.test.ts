import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Decimal, decimal, plus, rounded, roundedQuotient, roundedUp, times } from '../../shared/decimal.ts'
import { ceiling, type Fraction, fraction, isSame, nearest, product, sum } from '../gateway/billing/fraction.ts'

const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
const price = fc.double({ noNaN: true, min: -1e9, max: 1e9 })
const exact = ({ digits, scale }: Decimal): Fraction => ({ over: digits, under: 10n ** BigInt(scale) })
/** The number from its shortest digits, in another notation than the gateway parses. */
const written = (value: number): Fraction => fraction(value.toExponential())

describe('decimal arithmetic', () => {
  it('reads a number as it is written', () => {
    expect(decimal(0.1)).toEqual({ digits: 1n, scale: 1 })
    expect(decimal(1.5e-7)).toEqual({ digits: 15n, scale: 8 })
    expect(exact(decimal(1e21))).toEqual({ over: 10n ** 21n, under: 1n })
    expect(exact(decimal(-2.5))).toEqual({ over: -25n, under: 10n })
    fc.assert(fc.property(finite, (value) => isSame(exact(decimal(value)), written(value))))
  })

  it('adds and multiplies without losing anything', () => {
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        const [left, right] = [decimal(a), decimal(b)]
        expect(isSame(exact(times(left, right)), product(written(a), written(b)))).toBe(true)
        expect(isSame(exact(plus(left, right)), sum(written(a), written(b)))).toBe(true)
      }),
    )
  })

  it('rounds halves away from zero, and up to the number not below', () => {
    for (const [value, to] of [
      [0.5, 1],
      [1.5, 2],
      [2.5, 3],
      [-0.5, -1],
      [-2.5, -3],
      [112.5, 113],
      [0.49999, 0],
      [-0.49999, 0],
    ] as const)
      expect(rounded(decimal(value)) + 0, `${value}`).toBe(to)
    fc.assert(
      fc.property(price, (value) => {
        expect(BigInt(rounded(decimal(value)))).toBe(nearest(written(value)))
        expect(BigInt(roundedUp(decimal(value)))).toBe(ceiling(written(value)))
      }),
    )
  })

  it('stays a safe whole number however large the product', () => {
    const huge = times(decimal(1e300), decimal(1e300))
    const debt = times(huge, decimal(-1))
    expect(rounded(huge)).toBe(Number.MAX_SAFE_INTEGER)
    expect(roundedUp(huge)).toBe(Number.MAX_SAFE_INTEGER)
    expect(rounded(debt)).toBe(Number.MIN_SAFE_INTEGER)
    expect(roundedUp(debt)).toBe(Number.MIN_SAFE_INTEGER)
  })

  it('rounds an exact quotient once, halves up', () => {
    const whole = fc.integer({ min: 0, max: 1_000_000_000 })
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 1_000_000 }), (over, under) => {
        const exact = (2n * BigInt(over) + BigInt(under)) / (2n * BigInt(under))
        expect(BigInt(roundedQuotient(decimal(over), decimal(under)))).toBe(exact)
        const shifted = { digits: BigInt(over), scale: 3 }
        expect(roundedQuotient(shifted, { digits: BigInt(under), scale: 3 })).toBe(Number(exact))
      }),
    )
    expect(roundedQuotient(decimal(1), decimal(2))).toBe(1)
    expect(roundedQuotient(decimal(0.1), decimal(0.3))).toBe(0)
    expect(roundedQuotient(decimal(1e300), decimal(1e-300))).toBe(Number.MAX_SAFE_INTEGER)
  })
})
