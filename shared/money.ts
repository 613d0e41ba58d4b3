import { MAX_QUOTA } from './api/fields.ts'
import { decimal, rounded, tenTo, times } from './decimal.ts'

/**
 * How amounts of quota are shown (docs/reference/screens.md#formats-and-colours): the options DisplayInCurrencyEnabled
 * and QuotaPerUnit.
 */
type MoneyDisplay = Readonly<{ inCurrency: boolean; quotaPerUnit: number }>

/**
 * An amount of quota as people read it: dollars with `digits` decimals, or the plain count, shortened from ten
 * thousand on to k, M and B with one decimal (docs/reference/screens.md#formats-and-colours).
 */
export function formatQuota(quota: number, { inCurrency, quotaPerUnit }: MoneyDisplay, digits = 2): string {
  if (inCurrency) return formatDollars(quota / quotaPerUnit, digits)
  const size = Math.abs(quota)
  const step = steps.find(({ from }) => size >= from)
  return step ? `${(quota / step.unit).toFixed(1)}${step.suffix}` : String(quota)
}

/** Dollars of either sign with `digits` decimals: the sign stands before the `$`. */
export const formatDollars = (dollars: number, digits: number): string =>
  `${dollars < 0 ? '-' : ''}$${Math.abs(dollars).toFixed(digits)}`

/**
 * The quota that an amount of dollars is, as a person types it: the nearest unit, halves away from zero, without binary
 * fractions. Undefined for what is no amount, for more than an account can hold, and for less than half a unit, which
 * must not become 0: that often means no limit.
 */
export function quotaOfPrice(typed: string, quotaPerUnit: number): number | undefined {
  const text = typed.trim().replace(/^\$/, '')
  const isAmount = text.length <= MAX_LENGTH && /^(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?$/.test(text) && /\d/.test(text)
  if (!isAmount || quotaPerUnit <= 0) return undefined
  const [whole = '', fraction = ''] = text.replaceAll(',', '').split('.')
  const price = { digits: BigInt(whole + fraction), scale: fraction.length }
  const exact = times(price, decimal(quotaPerUnit))
  const quota = rounded(exact)
  const isLost = quota === 0 && price.digits > 0n
  const isTooMuch = exact.digits > BigInt(MAX_QUOTA) * tenTo(exact.scale)
  return isLost || isTooMuch ? undefined : quota
}

/** As many characters as an amount may take. */
const MAX_LENGTH = 64

/**
 * An amount of quota of either sign in dollars, to be changed by a person: with as many decimals as it takes to be read as the very
 * same amount, and at least two.
 */
export function priceOfQuota(quota: number, quotaPerUnit: number): string {
  if (quota < 0) return `-${priceOfQuota(-quota, quotaPerUnit)}`
  const unit = decimal(quotaPerUnit)
  for (let decimals = 2; ; decimals += 1) {
    const scaled = BigInt(quota) * tenTo(unit.scale + decimals)
    // Half away from zero, as it is read.
    const digits = (scaled * 2n + unit.digits) / (unit.digits * 2n)
    const text = String(digits).padStart(decimals + 1, '0')
    const price = `${text.slice(0, -decimals)}.${text.slice(-decimals)}`
    if (decimals === MAX_DECIMALS || quotaOfPrice(price, quotaPerUnit) === quota) return price
  }
}

/** Nothing that can be told apart needs more. */
const MAX_DECIMALS = 30

/** An amount of money as it is written elsewhere, such as `$1234.50`, with its whole digits in groups of three. */
export const groupMoney = (amount: string): string => amount.replace(/\d+/, inGroups)

function inGroups(digits: string): string {
  const first = digits.slice(0, digits.length % 3)
  const groups = digits.slice(first.length).match(/\d{3}/g) ?? []
  return (first === '' ? groups : [first, ...groups]).join(',')
}

/** An amount of money in hundredths, as it is written on a bill: 730 is 7.30. */
export function moneyText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The hundredths of an amount of money as somebody else writes it, such as 7.3; undefined for what is no such amount, or none to the cent. */
export function centsOf(text: string): number | undefined {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole === '' || /[1-9]/.test(fraction.slice(2))) return undefined
  return Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'))
}

const steps = [
  { from: 1_000_000_000, unit: 1_000_000_000, suffix: 'B' },
  { from: 1_000_000, unit: 1_000_000, suffix: 'M' },
  { from: 10_000, unit: 1000, suffix: 'k' },
] as const
