/** An exact decimal: `digits` divided by ten to the `scale`. */
export type Decimal = Readonly<{ digits: bigint; scale: number }>

/** The decimal that a number is written as: 0.1 is one tenth, not the nearest binary fraction. Finite numbers only. */
export function decimal(value: number): Decimal {
  if (Number.isSafeInteger(value)) return { digits: BigInt(value), scale: 0 }
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [integer = '0', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(integer + fraction)
  return scale < 0 ? { digits: digits * tenTo(-scale), scale: 0 } : { digits, scale }
}

const POWERS = Array.from({ length: 32 }, (_, exponent) => 10n ** BigInt(exponent))

/** A power of ten; the exponent must be at least 0. */
export const tenTo = (exponent: number): bigint => POWERS[exponent] ?? 10n ** BigInt(exponent)

export const times = (a: Decimal, b: Decimal): Decimal => ({ digits: a.digits * b.digits, scale: a.scale + b.scale })

export function plus(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { digits: a.digits + b.digits, scale: a.scale }
  return a.scale > b.scale ? plus(b, a) : { digits: a.digits * tenTo(b.scale - a.scale) + b.digits, scale: b.scale }
}

/**
 * The quotient with `digits` significant digits, rounded half away from zero. `a` must not be negative, `b` must be
 * positive, as prices and ratios are.
 */
export function quotient(a: Decimal, b: Decimal, digits: number): Decimal {
  const over = a.digits * tenTo(b.scale)
  const under = b.digits * tenTo(a.scale)
  if (over === 0n) return { digits: 0n, scale: 0 }
  const scale = digits - String(over).length + String(under).length
  // Whether the quotient has one digit more depends on the leading digits of `over` and `under`.
  const isLong = shifted(over, scale) >= shifted(under, -scale) * tenTo(digits)
  const decimals = isLong ? scale - 1 : scale
  const [more, less] = [shifted(over, decimals), shifted(under, -decimals)]
  const found = (more * 2n + less) / (less * 2n)
  return decimals < 0 ? { digits: found * tenTo(-decimals), scale: 0 } : { digits: found, scale: decimals }
}

const shifted = (value: bigint, decimals: number): bigint => (decimals > 0 ? value * tenTo(decimals) : value)

/** The nearest number; clamped to the largest one. */
export const numberOf = ({ digits, scale }: Decimal): number =>
  Math.min(Number(`${digits}e-${scale}`), Number.MAX_VALUE)

/** All digits of a non-negative decimal, without an exponent or trailing zeros. */
export function written({ digits, scale }: Decimal): string {
  const text = digits.toString().padStart(scale + 1, '0')
  const integer = text.slice(0, text.length - scale)
  const fraction = text.slice(text.length - scale).replace(/(?<!0)0+$/, '')
  return fraction === '' ? integer : `${integer}.${fraction}`
}

/** The nearest integer, rounding half away from zero; saturates at 2^53 - 1. */
export function rounded(value: Decimal): number {
  const unit = tenTo(value.scale)
  const size = value.digits < 0n ? -value.digits : value.digits
  const nearest = (size * 2n + unit) / (unit * 2n)
  return safe(value.digits < 0n ? -nearest : nearest)
}

/**
 * The integer nearest to the exact quotient, rounding half up; `a` must not be negative, `b` must be positive.
 * Saturates as `rounded` does.
 */
export function roundedQuotient(a: Decimal, b: Decimal): number {
  const over = a.digits * tenTo(b.scale)
  const under = b.digits * tenTo(a.scale)
  return safe((over * 2n + under) / (under * 2n))
}

/** Rounds up to an integer; saturates as `rounded` does. */
export function roundedUp(value: Decimal): number {
  const unit = tenTo(value.scale)
  const floor = value.digits / unit
  return safe(value.digits > 0n && value.digits % unit !== 0n ? floor + 1n : floor)
}

const MAX = BigInt(Number.MAX_SAFE_INTEGER)

function safe(integer: bigint): number {
  if (integer > MAX) return Number.MAX_SAFE_INTEGER
  return integer < -MAX ? Number.MIN_SAFE_INTEGER : Number(integer)
}
