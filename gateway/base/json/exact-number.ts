/** The digits of a number that a double would change; `JSON.stringify` writes them unchanged. */
export class ExactNumber {
  readonly digits: string
  /** The nearest double. */
  readonly #value: number

  constructor(digits: string) {
    this.digits = digits
    this.#value = Number(digits)
  }

  valueOf(): number {
    return this.#value
  }

  toString(): string {
    return this.digits
  }

  toJSON(): unknown {
    return json.rawJSON(this.digits)
  }
}

/**
 * Like `JSON.parse`, except that numbers beyond 2^53 and numbers that underflow to zero become an `ExactNumber` if a
 * double would change their digits. For short texts, because it visits each value.
 */
export const parseExactly = (text: string): unknown =>
  MAY_CHANGE.test(text)
    ? json.parse(text, (_, value, { source }) => (isChanged(value, source) ? new ExactNumber(source) : value))
    : JSON.parse(text)

/**
 * Like `JSON.parse`, for values that are only passed on: every number that would be written differently (`1.0`, `1E5`)
 * becomes an `ExactNumber`.
 */
export const parseAsWritten = (text: string): unknown =>
  MAY_DIFFER.test(text)
    ? json.parse(text, (_, value, { source }) =>
        typeof value === 'number' && source !== undefined && String(value) !== source ? new ExactNumber(source) : value,
      )
    : JSON.parse(text)

/** Finds every number that a double changes, with false positives among other numbers and inside strings. */
const MAY_CHANGE = /(?:^|[:[,\s])-?(?:\d{16}|\d[\d.]*[eE](?:\+?\d|-\d{3}))/
const MAY_DIFFER = /(?:^|[:[,\s])(?:-0|-?\d{16}|-?\d+[.eE])/

/** Beyond this, not every integer is a double. */
const LIMIT = 2 ** 53

/**
 * Returns whether a number is written with other digits as a double: it is at least `LIMIT`, or underflows to zero.
 * Ignores the rounding of fractions.
 */
function isChanged(value: unknown, source: string | undefined): source is string {
  if (typeof value !== 'number' || source === undefined) return false
  if (value !== 0 && Math.abs(value) < LIMIT) return false
  return !Number.isFinite(value) || canonical(String(value)) !== canonical(source)
}

/**
 * Normalizes a number to its sign, its digits without leading and trailing zeros, and its power of ten; all spellings
 * of a number give the same result.
 */
function canonical(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const bare = withoutEnd(digits)
  if (bare === '') return '0'
  const power = Number(exponent) - fraction.length + digits.length - bare.length
  return `${source.startsWith('-') ? '-' : ''}${bare}e${power}`
}

function withoutEnd(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Missing in the standard library's types (ECMAScript, "JSON.parse source text access"). */
type SourceJson = Readonly<{
  rawJSON(text: string): unknown
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: Readonly<{ source?: string }>) => unknown,
  ): unknown
}>

const json = JSON as unknown as SourceJson
