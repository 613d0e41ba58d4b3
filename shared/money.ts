import { MAX_QUOTA } from './api/fields.ts'
import { decimal, rounded, tenTo, times } from './decimal.ts'

/**
 * How quota is displayed (docs/reference/screens.md#formats-and-colors): the options DisplayInCurrencyEnabled and
 * QuotaPerUnit.
 */
type MoneyDisplay = Readonly<{ inCurrency: boolean; quotaPerUnit: number }>

/**
 * Formats quota: dollars with `digits` decimals, or more if the amount would otherwise read as nothing; or the plain
 * count, abbreviated from ten thousand on to k, M and B with one decimal
 * (docs/reference/screens.md#formats-and-colors).
 */
export function formatQuota(quota: number, { inCurrency, quotaPerUnit }: MoneyDisplay, digits = 2): string {
  if (inCurrency) return formatDollars(quota / quotaPerUnit, decimalsFor(quota / quotaPerUnit, digits))
  const size = Math.abs(quota)
  const step = steps.find(({ from }) => size >= from)
  return step ? `${(quota / step.unit).toFixed(1)}${step.suffix}` : String(quota)
}

/** Enough decimals for two significant digits of an amount that `digits` would round to nothing. */
function decimalsFor(dollars: number, digits: number): number {
  const size = Math.abs(dollars)
  const isLost = size > 0 && Number(size.toFixed(digits)) === 0
  return isLost ? Math.min(1 - Math.floor(Math.log10(size)), MAX_SHOWN_DECIMALS) : digits
}

const MAX_SHOWN_DECIMALS = 10

/** Formats dollars of either sign with `digits` decimals; the sign precedes the `$`. */
export const formatDollars = (dollars: number, digits: number): string =>
  `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(digits)}`

/**
 * The quota of a typed dollar amount: the nearest unit, rounded half away from zero, without binary fractions.
 * Undefined if invalid, if more than an account can hold, or if positive and less than half a unit, which must not
 * become 0, because 0 often means unlimited.
 */
export function quotaOfPrice(typed: string, quotaPerUnit: number): number | undefined {
  const text = typed.trim().replace(/^\$/, '')
  const isAmount = text.length <= MAX_LENGTH && /^(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?$/.test(text) && /\d/.test(text)
  if (!isAmount || quotaPerUnit <= 0) return undefined
  const [integer = '', fraction = ''] = text.replaceAll(',', '').split('.')
  const price = { digits: BigInt(integer + fraction), scale: fraction.length }
  const exact = times(price, decimal(quotaPerUnit))
  const quota = rounded(exact)
  const isLost = quota === 0 && price.digits > 0n
  const isTooMuch = exact.digits > BigInt(MAX_QUOTA) * tenTo(exact.scale)
  return isLost || isTooMuch ? undefined : quota
}

const MAX_LENGTH = 64

/**
 * A quota amount of either sign in dollars, for editing: with as many decimals as needed to be parsed to the same
 * amount, and at least two.
 */
export function priceOfQuota(quota: number, quotaPerUnit: number): string {
  if (quota < 0) return `-${priceOfQuota(-quota, quotaPerUnit)}`
  const unit = decimal(quotaPerUnit)
  for (let decimals = 2; ; decimals += 1) {
    const scaled = BigInt(quota) * tenTo(unit.scale + decimals)
    // Rounded half away from zero, as when it is parsed.
    const digits = (scaled * 2n + unit.digits) / (unit.digits * 2n)
    const text = String(digits).padStart(decimals + 1, '0')
    const price = `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
    if (decimals === MAX_DECIMALS || quotaOfPrice(price, quotaPerUnit) === quota) return price
  }
}

/** Maximum decimals of an amount for editing; enough to distinguish any two amounts. */
const MAX_DECIMALS = 30

/** Groups the integer digits of an amount such as `$1234.50` in threes. */
export const groupMoney = (amount: string): string => amount.replace(/\d+/, inGroups)

function inGroups(digits: string): string {
  const first = digits.slice(0, digits.length % 3)
  const groups = digits.slice(first.length).match(/\d{3}/g) ?? []
  return (first === '' ? groups : [first, ...groups]).join(',')
}

/** Formats hundredths as an amount: 730 is 7.30. */
export function moneyText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Parses an amount such as 7.3 to hundredths; undefined if invalid, or if it has fractions of a cent. */
export function centsOf(text: string): number | undefined {
  const [, integer = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (integer === '' || /[1-9]/.test(fraction.slice(2))) return undefined
  return Number(integer) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'))
}

const steps = [
  { from: 1_000_000_000, unit: 1_000_000_000, suffix: 'B' },
  { from: 1_000_000, unit: 1_000_000, suffix: 'M' },
  { from: 10_000, unit: 1000, suffix: 'k' },
] as const
