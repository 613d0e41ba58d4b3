import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_QUOTA } from '../../shared/api/fields.ts'
import {
  centsOf,
  formatDollars,
  formatQuota,
  groupMoney,
  moneyText,
  priceOfQuota,
  quotaOfPrice,
} from '../../shared/money.ts'

const UNIT = 500_000
const anyQuota = fc.integer({ min: 0, max: MAX_QUOTA })
const anyUnit = fc.oneof(
  fc.integer({ min: 1, max: 1_000_000_000 }),
  fc.double({ min: 0.0001, max: 1_000_000, noNaN: true }),
)

describe('amounts typed as dollars (docs/reference/screens.md#formats-and-colors)', () => {
  it.each([
    ['1', 500_000],
    ['$1', 500_000],
    [' 0.000002 ', 1],
    ['.5', 250_000],
    ['2.', 1_000_000],
    ['1,234.50', 617_250_000],
    ['0', 0],
    ['0.00', 0],
    // A binary fraction would be one unit too small.
    ['1.15', 575_000],
    ['0.000003', 2],
    ['2000000000', MAX_QUOTA],
  ])('%j is %d', (text, quota) => expect(quotaOfPrice(text, UNIT)).toBe(quota))

  it.each(['', '$', '.', '-1', '1e3', 'one', '1.2.3', '1,23', '2000000000.01', '0.0000009', '1'.repeat(400)])(
    '%j is not an amount',
    (text) => expect(quotaOfPrice(text, UNIT)).toBeUndefined(),
  )

  it('a missing unit makes an amount undefined', () => expect(quotaOfPrice('1', 0)).toBeUndefined())

  it('an amount is written so that it reads as the very same, for any unit', () => {
    expect(priceOfQuota(500_000, UNIT)).toBe('1.00')
    expect(priceOfQuota(1, UNIT)).toBe('0.000002')
    expect(priceOfQuota(0, UNIT)).toBe('0.00')
    expect(priceOfQuota(1, 3)).toBe('0.33')
    expect(priceOfQuota(MAX_QUOTA - 1, UNIT)).toBe('1999999999.999998')
    expect([-1, -250_000, -1_234_567].map((quota) => priceOfQuota(quota, UNIT))).toEqual([
      '-0.000002',
      '-0.50',
      '-2.469134',
    ])
    fc.assert(
      fc.property(anyQuota, anyUnit, (quota, unit) => {
        expect(quotaOfPrice(priceOfQuota(quota, unit), unit)).toBe(quota)
      }),
    )
  })
})

describe('amounts that are shown (docs/reference/screens.md#formats-and-colors)', () => {
  it('are dollars with two decimals where currency is shown, by the quota of a dollar', () => {
    expect(
      [0, 1, 500_000, 1_234_567, -250_000].map((quota) => formatQuota(quota, { inCurrency: true, quotaPerUnit: UNIT })),
    ).toEqual(['$0.00', '$0.0000020', '$1.00', '$2.47', '-$0.50'])
    expect([-1234, 4999].map((quota) => formatQuota(quota, { inCurrency: true, quotaPerUnit: UNIT }))).toEqual([
      '-$0.0025',
      '$0.01',
    ])
    expect(formatQuota(500_000, { inCurrency: true, quotaPerUnit: 250_000 })).toBe('$2.00')
  })

  it('have their sign before the dollar sign, also in groups of three', () => {
    expect([-0.5, 0.5, -1234.5].map((dollars) => groupMoney(formatDollars(dollars, 2)))).toEqual([
      '-$0.50',
      '$0.50',
      '-$1,234.50',
    ])
  })

  it('are plain counts otherwise, shortened from ten thousand, a million and a billion on', () => {
    const plain = (quota: number) => formatQuota(quota, { inCurrency: false, quotaPerUnit: UNIT })
    expect([9999, 10_000, 999_900, 1_000_000, 1_000_000_000, -20_000].map(plain)).toEqual([
      '9999',
      '10.0k',
      '999.9k',
      '1.0M',
      '1.0B',
      '-20.0k',
    ])
  })
})

describe('money on bills (docs/reference/wallet.md#amounts)', () => {
  it('is written with two decimals, and read back to the cent', () => {
    expect([0, 7, 730, 100, 123_456_789].map(moneyText)).toEqual(['0.00', '0.07', '7.30', '1.00', '1234567.89'])
    fc.assert(fc.property(fc.nat(), (cents) => centsOf(moneyText(cents)) === cents))
  })

  it('is read in any notation of its zeros, and not where it is not exact to the cent', () => {
    expect(['7.3', '7.300000', '007.30', '7'].map(centsOf)).toEqual([730, 730, 730, 700])
    const none = ['', '.5', '7.', '7.301', '-7', '+7', '7e2', ' 7', '7,30', '0x7', '1'.repeat(13), '7.3000000', 'NaN']
    expect(none.filter((text) => centsOf(text) !== undefined)).toEqual([])
  })
})

it('groups an amount of money behind its sign, and never its cents', () => {
  const amounts = ['$0.00', '$1234.500000', '-$2512.52', '¥7300000.00', '12.5k']
  expect(amounts.map(groupMoney)).toEqual(['$0.00', '$1,234.500000', '-$2,512.52', '¥7,300,000.00', '12.5k'])
})
