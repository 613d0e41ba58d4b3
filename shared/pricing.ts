import { type Decimal, decimal, numberOf, quotient, tenTo, times, written } from './decimal.ts'

/**
 * Between the ratios that prices are kept as and the dollars that people read (docs/reference/billing.md#prices-and-ratios).
 * Everything is worked out in decimals and rounded once, to as many digits as a number keeps; what is printed has fewer,
 * so that a price of at most 12 digits comes back as it was, whatever `QuotaPerUnit` is.
 */

/** Significant digits that any number keeps. */
const KEPT_DIGITS = 15
/** Significant digits of a price or ratio where people read or change it. */
const PRINTED_DIGITS = 12

/** US dollars for a million tokens at a model ratio, further ratios on top: 1 is 2 dollars where a dollar is 500,000 units. */
export const priceOfRatio = (modelRatio: number, quotaPerUnit: number, ...ratios: readonly number[]): number =>
  kept(product(modelRatio, MILLION, ...ratios), decimal(quotaPerUnit))

/** The model ratio at which a million tokens cost so many US dollars. */
export const ratioOfPrice = (price: number, quotaPerUnit: number): number =>
  kept(product(price, quotaPerUnit), decimal(MILLION))

/** What one price is to another, as the completion ratio is of output to input; undefined where the other is nothing. */
export const ratioBetween = (price: number, base: number): number | undefined =>
  base > 0 ? kept(decimal(price), decimal(base)) : undefined

/** The exact product of ratios and prices, as far as a number keeps it: 1.1 times 1.6 is 1.76. */
export const productOf = (...factors: readonly number[]): number => kept(product(...factors), ONE)

/** The ratios and prices of one model for one caller, as far as they make the prices of a million tokens. */
type TokenRatios = Readonly<{
  modelRatio: number
  completionRatio: number
  cacheRatio: number
  cacheWriteRatio: number
  cacheWriteHourRatio: number
  imageRatio: number
  /** Null where sound costs what text does, or has a price in dollars of its own. */
  audioRatio: number | null
  audioCompletionRatio: number
  /** US dollars for a million tokens of sound heard; null where the vendor has no price for it alone. */
  audioInputPrice: number | null
  groupRatio: number
}>

/** US dollars for a million tokens of each kind, for one group; null where sound has no price apart from text. */
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

/** What a million tokens of each kind cost in US dollars, the group's ratio included. */
export function tokenPrices(ratios: TokenRatios, quotaPerUnit: number): TokenPrices {
  const { modelRatio, groupRatio, audioRatio, audioCompletionRatio, audioInputPrice } = ratios
  const at = (...more: readonly number[]) => priceOfRatio(modelRatio, quotaPerUnit, groupRatio, ...more)
  const heard = audioRatio === null ? null : at(audioRatio)
  return {
    input: at(),
    output: at(ratios.completionRatio),
    cacheRead: at(ratios.cacheRatio),
    cacheWrite: at(ratios.cacheWriteRatio),
    cacheWriteHour: at(ratios.cacheWriteHourRatio),
    image: at(ratios.imageRatio),
    audioInput: audioInputPrice === null ? heard : productOf(audioInputPrice, groupRatio),
    audioOutput: audioRatio === null ? null : at(audioRatio, audioCompletionRatio),
  }
}

/** A price or ratio as people read and change it: plain digits, without exponent, at most 12 of them significant. */
export const printed = (value: number): string => written(quotient(decimal(value), ONE, PRINTED_DIGITS))

/** The price or ratio that a person typed: digits and one point, at least 0; undefined for anything else. */
export function typedNumber(text: string): number | undefined {
  const typed = text.trim()
  const value = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(typed) ? Number(typed) : Number.NaN
  return Number.isFinite(value) ? value : undefined
}

/** How prices are shown: in which currency, and whether as what they cost when quota is bought. */
export type PriceDisplay = Readonly<{
  currency: 'USD' | 'CNY'
  isRecharge: boolean
  /** The options Price and USDExchangeRate: CNY for a dollar of quota, and for a dollar. Above 0. */
  price: number
  exchangeRate: number
}>

/** An amount of US dollars as it is shown (docs/reference/screens.md#pricing): in dollars or yuan, three decimals, and more for what is small. */
export function shownPrice(dollars: number, { currency, isRecharge, price, exchangeRate }: PriceDisplay): string {
  const rate = decimal(exchangeRate)
  const inYuan = times(decimal(dollars), isRecharge ? decimal(price) : rate)
  if (currency === 'CNY') return `¥${threeDecimals(inYuan, ONE)}`
  return `$${isRecharge ? threeDecimals(inYuan, rate) : threeDecimals(decimal(dollars), ONE)}`
}

/** Three decimals, halves up; below a tenth as many as three significant digits take, so that no price reads as nothing. */
function threeDecimals(over: Decimal, under: Decimal): string {
  const exact = quotient(over, under, KEPT_DIGITS)
  const isSmall = exact.digits > 0n && exact.digits * 10n < tenTo(exact.scale)
  const text = written(isSmall ? quotient(exact, ONE, 3) : toThousandths(exact))
  const [whole = '0', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(3, '0')}`
}

function toThousandths({ digits, scale }: Decimal): Decimal {
  if (scale <= 3) return { digits, scale }
  const unit = tenTo(scale - 3)
  return { digits: (digits * 2n + unit) / (unit * 2n), scale: 3 }
}

const MILLION = 1_000_000
const ONE: Decimal = decimal(1)

const product = (...factors: readonly number[]): Decimal => factors.map(decimal).reduce(times, ONE)

const kept = (over: Decimal, under: Decimal): number => numberOf(quotient(over, under, KEPT_DIGITS))
