/** A fraction of integers, `over` / `under`. The tests calculate with it independently of the gateway's decimals. */
export type Fraction = Readonly<{ over: bigint; under: bigint }>

/** Parses decimals such as `-12.5` or `1.25e-7`. */
export function fraction(text: string): Fraction {
  const [, sign, whole = '', part = '', exponent = '0'] = /^(-?)(\d+)\.?(\d*)(?:e([+-]?\d+))?$/.exec(text) ?? []
  const power = Number(exponent) - part.length
  const digits = BigInt(whole + part) * (sign ? -1n : 1n)
  return power < 0 ? { over: digits, under: 10n ** BigInt(-power) } : { over: digits * 10n ** BigInt(power), under: 1n }
}

export const whole = (value: number): Fraction => ({ over: BigInt(value), under: 1n })

export const product = (...factors: Fraction[]): Fraction =>
  factors.reduce((a, b) => ({ over: a.over * b.over, under: a.under * b.under }))

export const sum = (...terms: Fraction[]): Fraction =>
  terms.reduce((a, b) => ({ over: a.over * b.under + b.over * a.under, under: a.under * b.under }))

export const isSame = (a: Fraction, b: Fraction): boolean => a.over * b.under === b.over * a.under

/** Toward minus infinity. */
export function floor({ over, under }: Fraction): bigint {
  const toZero = over / under
  return over < 0n && over % under !== 0n ? toZero - 1n : toZero
}

export const ceiling = ({ over, under }: Fraction): bigint => -floor({ over: -over, under })

/** To the nearest whole number, halves away from zero. */
export function nearest({ over, under }: Fraction): bigint {
  const half = { over: 2n * (over < 0n ? -over : over) + under, under: 2n * under }
  return over < 0n ? -floor(half) : floor(half)
}
