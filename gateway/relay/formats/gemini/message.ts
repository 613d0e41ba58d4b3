import { isObject, type JsonObject } from '../../../base/json/json.ts'
import { malformed } from '../refusals.ts'

/**
 * A message in Google's JSON mapping under its camelCase names: the vendor takes snake_case names too, and null for
 * what is absent. Anything but an object is an empty message.
 */
export function messageIn(value: unknown): JsonObject {
  if (!isObject(value)) return {}
  const entries = Object.entries(value)
  if (!entries.some(([name, member]) => member === null || name.includes('_'))) return value
  return Object.fromEntries(
    entries.filter(([, member]) => member !== null).map(([name, member]) => [camel(name), member]),
  )
}

/** The messages of a list; the vendor also takes one message where a list is meant. */
export function messagesIn(value: unknown): readonly JsonObject[] {
  const list = Array.isArray(value) ? value : [value]
  return list.filter(isObject).map(messageIn)
}

/** A number, which the mapping also takes as text; `where` names it to a client that sent something else. */
export function numberOf(value: unknown, where: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) throw malformed(where)
  return number
}

/** The texts of a list of texts; `where` names it to a client that sent something else. */
export function textsOf(value: unknown, where: string): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (!list.every((text) => typeof text === 'string')) throw malformed(where)
  return list
}

const camel = (name: string): string =>
  name.includes('_') ? name.replaceAll(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) : name
