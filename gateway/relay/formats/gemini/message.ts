import { isObject, type JsonObject } from '../../../base/json/json.ts'
import { malformed } from '../refusals.ts'

/**
 * Returns a message in Google's JSON mapping under its camelCase names; the vendor also accepts snake_case names, and
 * null for absent members. Anything but an object becomes an empty message.
 */
export function messageIn(value: unknown): JsonObject {
  if (!isObject(value)) return {}
  const entries = Object.entries(value)
  if (!entries.some(([name, member]) => member === null || name.includes('_'))) return value
  return Object.fromEntries(
    entries.filter(([, member]) => member !== null).map(([name, member]) => [camel(name), member]),
  )
}

/** Returns the messages of a list; the vendor also accepts a single message instead of a list. */
export function messagesIn(value: unknown): readonly JsonObject[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter(isObject).map(messageIn)
}

/**
 * Reads a number, which the mapping also accepts as text; undefined if absent. Throws for anything else; `where` is the
 * path in the error.
 */
export function numberOf(value: unknown, where: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw malformed(where)
  return number
}

/**
 * Reads a list of texts, or a single text; undefined if absent. Throws for anything else; `where` is the path in the
 * error.
 */
export function textsOf(value: unknown, where: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!list.every((text) => typeof text === 'string')) throw malformed(where)
  return list
}

const camel = (name: string): string =>
  name.includes('_') && name.length <= MAX_NAME
    ? name.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
    : name
/** Max characters of a name that is converted; the vendor has no longer names. */
const MAX_NAME = 48
