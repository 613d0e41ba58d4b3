import { isObject, type JsonObject, parsed as parsedWhole } from '../../shared/json.ts'
import { answerBounds, scanNow } from './json-scan.ts'

export { isObject, type JsonObject } from '../../shared/json.ts'

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

/** Shorter texts cannot hold enough to matter. */
const UNCOUNTED = 128 * 1024

/** What a text holds; undefined where it is no JSON, or has more in it than an answer may (json-scan.ts). */
export function parsed(text: string): unknown {
  if (text.length > UNCOUNTED && scanNow(Buffer.from(text), answerBounds).excess !== null) return undefined
  return parsedWhole(text)
}

/** The members of an object that have a value: JSON has no undefined. */
export function present(members: JsonObject): JsonObject {
  const kept: JsonObject = {}
  for (const name in members) if (members[name] !== undefined) kept[name] = members[name]
  return kept
}
