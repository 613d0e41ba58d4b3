/**
 * Max escaped surrogates without their other half in a text: writing one as JSON takes as long as a hundred other
 * characters, and texts that people wrote contain at most a few, where they were cut.
 */
export const MAX_LONE_SURROGATES = 100_000

const ESCAPES = ['\\ud', '\\uD']
const ESCAPE_LENGTH = 6
const BACKSLASH = 0x5c

/** Counts the lone surrogates that begin in a range of a JSON text, up to one more than `max`. */
export function countLoneSurrogates(bytes: Buffer, from: number, until: number, max: number): number {
  let count = 0
  const part = bytes.subarray(0, Math.min(until + ESCAPE_LENGTH - 1, bytes.length))
  for (const begin of ESCAPES)
    for (let at = part.indexOf(begin, from, 'latin1'); at >= 0 && at < until; at = next(part, begin, at)) {
      if (!isLone(bytes, at)) continue
      count += 1
      if (count > max) return count
    }
  return count
}

const next = (part: Buffer, begin: string, at: number): number => part.indexOf(begin, at + begin.length, 'latin1')

function isLone(bytes: Buffer, at: number): boolean {
  const half = halfAt(bytes, at)
  if (half === undefined || isEscaped(bytes, at)) return false
  return half === 'high'
    ? halfAt(bytes, at + ESCAPE_LENGTH) !== 'low'
    : halfAt(bytes, at - ESCAPE_LENGTH) !== 'high' || isEscaped(bytes, at - ESCAPE_LENGTH)
}

/** The kind of surrogate whose escape sequence begins at an offset: `\ud8…` to `\udb…`, or `\udc…` to `\udf…`. */
function halfAt(bytes: Buffer, at: number): 'high' | 'low' | undefined {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== 0x75 || ((bytes[at + 2] ?? 0) | 0x20) !== 0x64) return undefined
  const digit = Number.parseInt(String.fromCharCode(bytes[at + 3] ?? 0), 16)
  if (digit >= 0xc) return 'low'
  return digit >= 0x8 ? 'high' : undefined
}

/** Whether the backslash at an offset is itself escaped, so that no escape sequence begins there. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at
  while (bytes[before - 1] === BACKSLASH) before -= 1
  return (at - before) % 2 === 1
}
