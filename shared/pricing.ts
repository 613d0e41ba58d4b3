import { type Decimal, decimal, numberOf, quotient, tenTo, times, written } from './decimal.ts'

/**
 * Converts between stored ratios and displayed dollars (docs/reference/billing.md#prices-and-ratios). Everything is
 * computed in decimals and rounded once, to the precision of a number; printed values have fewer digits, so that a
 * price of at most 12 digits is preserved in a round trip, whatever `QuotaPerUnit` is.
 */

/** Significant digits that any number can hold. */
const QUOTIENT_DIGITS = 15
/** Significant digits of a displayed or edited price or ratio. */
const PRINTED_DIGITS = 12

/**
 * US dollars per million tokens at a model ratio and further ratios: a model ratio of 1 is 2 dollars if a dollar is
 * 500,000 units.
 */
export const priceOfRatio = (modelRatio: number, quotaPerUnit: number, ...ratios: readonly number[]): number =>
  asNumber(product(modelRatio, MILLION, ...ratios), decimal(quotaPerUnit))

/** The model ratio at which a million tokens cost this many US dollars. */
export const ratioOfPrice = (price: number, quotaPerUnit: number): number =>
  asNumber(product(price, quotaPerUnit), decimal(MILLION))

/** The ratio of two prices, such as the completion ratio of output to input; undefined if the base is 0. */
export const ratioBetween = (price: number, base: number): number | undefined =>
  base > 0 ? asNumber(decimal(price), decimal(base)) : undefined

/** The product of ratios and prices, computed exactly: 1.1 times 1.6 is 1.76. */
export const productOf = (...factors: readonly number[]): number => asNumber(product(...factors), ONE)

/** A model's ratios and prices that determine one caller's prices per million tokens. */
type TokenRatios = Readonly<{
  modelRatio: number
  completionRatio: number
  cacheRatio: number
  cacheWriteRatio: number
  cacheWriteHourRatio: number
  imageRatio: number
  /** Null if audio costs the same as text, or has its own price in dollars. */
  audioRatio: number | null
  audioCompletionRatio: number
  /** US dollars per million tokens of audio input; null if the vendor has no separate price. */
  audioInputPrice: number | null
  groupRatio: number
}>

/** US dollars per million tokens of each kind, for one group; null if audio has no separate price. */
export type TokenPrices = Readonly<{
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  cacheWriteHour: number
  image: number
  audioInput: number | null
  audioOutput: number | null
}>

/** US dollars per million tokens of each kind, including the group ratio. */
export function tokenPrices(ratios: TokenRatios, quotaPerUnit: number): TokenPrices {
  const { modelRatio, groupRatio, audioRatio, audioCompletionRatio, audioInputPrice } = ratios
  const at = (...more: readonly number[]) => priceOfRatio(modelRatio, quotaPerUnit, groupRatio, ...more)
  const audioPrice = audioRatio === null ? null : at(audioRatio)
  return {
    input: at(),
    output: at(ratios.completionRatio),
    cacheRead: at(ratios.cacheRatio),
    cacheWrite: at(ratios.cacheWriteRatio),
    cacheWriteHour: at(ratios.cacheWriteHourRatio),
    image: at(ratios.imageRatio),
    audioInput: audioInputPrice === null ? audioPrice : productOf(audioInputPrice, groupRatio),
    audioOutput: audioRatio === null ? null : at(audioRatio, audioCompletionRatio),
  }
}

/** A price or ratio for display and editing: plain digits, without exponent, at most 12 significant ones. */
export const printed = (value: number): string => written(quotient(decimal(value), ONE, PRINTED_DIGITS))

/** Parses a typed price or ratio: digits and one point, at least 0; undefined for anything else. */
export function typedNumber(text: string): number | undefined {
  const typed = text.trim()
  const value = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(typed) ? Number(typed) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** How prices are displayed: in which currency, and whether as the cost of buying the quota. */
export type PriceDisplay = Readonly<{
  currency: 'USD' | 'CNY'
  isRecharge: boolean
  /** The options Price and USDExchangeRate: CNY per dollar of quota, and per dollar. Above 0. */
  price: number
  exchangeRate: number
}>

/**
 * Formats US dollars (docs/reference/screens.md#pricing): in dollars or yuan, three decimals, more for small amounts.
 */
export function shownPrice(dollars: number, { currency, isRecharge, price, exchangeRate }: PriceDisplay): string {
  const rate = decimal(exchangeRate)
  const inYuan = times(decimal(dollars), isRecharge ? decimal(price) : rate)
  if (currency === 'CNY') return `¥${threeDecimals(inYuan, ONE)}`
  return `$${isRecharge ? threeDecimals(inYuan, rate) : threeDecimals(decimal(dollars), ONE)}`
}

/** Three decimals, rounded half up; below 0.1 three significant digits, so that no price is displayed as zero. */
function threeDecimals(over: Decimal, under: Decimal): string {
  const exact = quotient(over, under, QUOTIENT_DIGITS)
  const isSmall = exact.digits > 0n && exact.digits * 10n < tenTo(exact.scale)
  const text = written(isSmall ? quotient(exact, ONE, 3) : toThousandths(exact))
  const [integer = '0', fraction = ''] = text.split('.')
  return `${integer}.${fraction.padEnd(3, '0')}`
}

function toThousandths({ digits, scale }: Decimal): Decimal {
  if (scale <= 3) return { digits, scale }
  const unit = tenTo(scale - 3)
  return { digits: (digits * 2n + unit) / (unit * 2n), scale: 3 }
}

const MILLION = 1_000_000
const ONE: Decimal = decimal(1)

const product = (...factors: readonly number[]): Decimal => factors.map(decimal).reduce(times, ONE)

const asNumber = (over: Decimal, under: Decimal): number => numberOf(quotient(over, under, QUOTIENT_DIGITS))
