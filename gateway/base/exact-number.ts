/** The digits of a number that a double would change. Where it stands in a parsed value, `JSON.stringify` writes them as they came. */
export class ExactNumber {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }

  toString(): string {
    return this.digits
  }

  toJSON(): unknown {
    return json.rawJSON(this.digits)
  }
}

/** As `JSON.parse`, for short texts (each value is looked at), but for whole numbers beyond 2^53 and numbers beyond a double's range: each is an `ExactNumber`. */
export const parseExactly = (text: string): unknown =>
  MAY_CHANGE.test(text)
    ? json.parse(text, (_, value, { source }) => (isChanged(value, source) ? new ExactNumber(source) : value))
    : JSON.parse(text)

/**
 * As `JSON.parse`, for what is only carried: every number that would be written in another way than it came (`1.0`, `1E5`)
 * is an `ExactNumber`.
 */
export const parseAsWritten = (text: string): unknown =>
  MAY_DIFFER.test(text)
    ? json.parse(text, (_, value, { source }) =>
        typeof value === 'number' && source !== undefined && String(value) !== source ? new ExactNumber(source) : value,
      )
    : JSON.parse(text)

/** Every number that a double changes is found; some others, and some in texts, are taken for such. */
const MAY_CHANGE = /(?:^|[:[,\s])-?(?:\d{16}|\d[\d.]*[eE](?:\+?\d|-\d{3}))/
const MAY_DIFFER = /(?:^|[:[,\s])(?:-0|-?\d{16}|-?\d+[.eE])/

/** Beyond it not every whole number is a double. */
const LIMIT = 2 ** 53

/** A double of at least `LIMIT`, or none but zero, is written with other digits. Fractions are as near as a double is. */
function isChanged(value: unknown, source: string | undefined): source is string {
  if (typeof value !== 'number' || source === undefined) return false
  if (value !== 0 && Math.abs(value) < LIMIT) return false
  return !Number.isFinite(value) || canonical(String(value)) !== canonical(source)
}

/** A number's sign, its digits without zeros around them, and its power of ten: the same for all ways to write it. */
function canonical(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const bare = withoutEnd(digits)
  if (bare === '') return '0'
  const power = Number(exponent) - fraction.length + digits.length - bare.length
  return `${source.startsWith('-') ? '-' : ''}${bare}e${power}`
}

/** Digits without the zeros at their end. */
function withoutEnd(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** What the standard library's types do not tell of yet (ECMAScript, "JSON.parse source text access"). */
type SourceJson = Readonly<{
  rawJSON(text: string): unknown
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: Readonly<{ source?: string }>) => unknown,
  ): unknown
}>

// Node has both.
const json = JSON as unknown as SourceJson
