import { isObject as isAnyObject, type JsonObject } from '../../shared/json.ts'
import { ExactNumber, parseAsWritten, parseExactly } from './exact-number.ts'
import { readJsonNow } from './json-read.ts'
import { answerBounds, scanNow } from './json-scan.ts'

export type { JsonObject } from '../../shared/json.ts'

/** Whether a parsed value is an object; arrays, null and numbers are none. */
export const isObject = (value: unknown): value is JsonObject => isAnyObject(value) && !(value instanceof ExactNumber)

/** A parsed value as an object; anything else as an empty one. */
export const objectIn = (value: unknown): JsonObject => (isObject(value) ? value : {})

/** The objects of a parsed array; anything else has none. */
export const objectsIn = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** A parsed value where it is text. */
export const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A parsed value where it is a finite number. */
export const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** A parsed value where it is true or false. */
export const flagIn = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** A parsed value as JSON again; `otherwise` where it is too deep to be written, which short texts may be too. */
export function written(value: unknown, otherwise = '{}'): string {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    if (cause instanceof RangeError) return otherwise
    throw cause
  }
}

/** A container takes two characters: a shorter text is not nested too deeply, nor does it hold too much. */
const UNCOUNTED = 2 * answerBounds.depth

/**
 * What a text holds, its large numbers as they came (exact-number.ts); undefined where it is no JSON, or has more in it, or
 * is nested more deeply, than an answer may (json-scan.ts).
 */
export function parsed(text: string): unknown {
  // Many columns are empty while nothing was set, and a failure takes longer than all that follows.
  if (text === '') return undefined
  try {
    return text.length > UNCOUNTED ? readJsonNow(Buffer.from(text), answerBounds, text).json : parseExactly(text)
  } catch {
    return undefined
  }
}

/** Longer texts have too many values to look at how each number is written. */
const MAX_AS_WRITTEN = 64 * 1024

/** As `parsed`, for what is only carried: up to 64 Ki characters its numbers are written as they came. */
export function parsedAsWritten(text: string): unknown {
  if (text === '' || text.length > MAX_AS_WRITTEN) return parsed(text)
  if (text.length > UNCOUNTED && scanNow(Buffer.from(text), answerBounds).excess !== null) return undefined
  try {
    return parseAsWritten(text)
  } catch {
    return undefined
  }
}

/** The members of an object that have a value: JSON has no undefined. */
export function present(members: JsonObject): JsonObject {
  const kept: JsonObject = {}
  for (const name in members) if (members[name] !== undefined) kept[name] = members[name]
  return kept
}
