import { isObject as isAnyObject, type JsonObject } from '../../../shared/json.ts'
import { ExactNumber, parseAsWritten, parseExactly } from './exact-number.ts'
import { readJsonNow } from './json-read.ts'
import { answerBounds, scanNow } from './json-scan.ts'

export type { JsonObject } from '../../../shared/json.ts'

/** Returns whether a parsed value is an object; false for arrays, null and `ExactNumber`. */
export const isObject = (value: unknown): value is JsonObject => isAnyObject(value) && !(value instanceof ExactNumber)

export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

export const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The entry of a table under a name that a caller chose, such as `constructor`. */
export const own = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Returns undefined for NaN and infinities too. */
export const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

export const flagIn = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/**
 * Serializes a parsed value; returns `otherwise` if it is nested too deeply for that, which even a short text can be.
 */
export function written(value: unknown, otherwise = '{}'): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    if (cause instanceof RangeError) return otherwise
    throw cause
  }
}

/** A container takes two characters, so a shorter text exceeds no bound. */
const UNCOUNTED = 2 * answerBounds.depth

/**
 * Parses a text, with large numbers as `ExactNumber` (exact-number.ts). Returns undefined if it is not JSON or exceeds
 * the bounds of a response (json-scan.ts).
 */
export function parsed(text: string): unknown {
  if (!BEGINS.test(text)) return undefined
  return orUndefined(() =>
    text.length > UNCOUNTED ? readJsonNow(Buffer.from(text), answerBounds, text).json : parseExactly(text),
  )
}

/** Whether a text that looks like JSON is not read because it exceeds the bounds of a response. */
export const isBeyondBounds = (text: string): boolean =>
  BEGINS.test(text) && scanNow(Buffer.from(text), answerBounds).excess !== null

/**
 * The beginning of every JSON text. Many columns are empty, and many texts of a request are not JSON: a thrown error
 * costs as much as parsing kilobytes.
 */
const BEGINS = /^[ \t\n\r]*[-"[{0-9ntf]/

/** Calls a parser; undefined if it throws. An error without a stack trace costs half. */
function orUndefined(parse: () => unknown): unknown {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return parse()
  } catch {
    return undefined
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Longer texts have too many values to check the spelling of each number. */
const MAX_AS_WRITTEN = 64 * 1024

/** Like `parsed`, for values that are only passed on: up to 64 Ki characters, numbers keep their spelling. */
export function parsedAsWritten(text: string): unknown {
  if (text.length > MAX_AS_WRITTEN) return parsed(text)
  if (!BEGINS.test(text)) return undefined
  if (text.length > UNCOUNTED && scanNow(Buffer.from(text), answerBounds).excess !== null) return undefined
  return orUndefined(() => parseAsWritten(text))
}

/** The names and texts of a parsed value, in no particular order. */
export function* namesAndTexts(value: unknown): Generator<string, void> {
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next === 'string') yield next
    else if (Array.isArray(next)) for (const item of next) rest.push(item)
    else if (isObject(next)) for (const [name, member] of Object.entries(next)) rest.push(name, member)
  }
}

/** Whether the names and texts of a parsed value have more than `max` characters together. */
export function isLong(value: unknown, max: number): boolean {
  let length = 0
  const rest: unknown[] = [value]
  while (rest.length > 0 && length <= max) {
    const next = rest.pop()
    if (typeof next === 'string') length += next.length
    else if (Array.isArray(next)) for (const item of next) rest.push(item)
    else if (isObject(next))
      for (const name of Object.keys(next)) {
        length += name.length
        rest.push(next[name])
      }
  }
  return length > max
}

/** Removes members that are undefined, which JSON does not have. */
export function present(members: JsonObject): JsonObject {
  const result: JsonObject = {}
  for (const name in members) if (members[name] !== undefined) result[name] = members[name]
  return result
}
