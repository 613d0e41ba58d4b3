import { isObject } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'

/**
 * The schema of a structured answer or strict tool as the vendor takes it (its limits of structured outputs): objects
 * are closed, and what it does not check goes into the description for the model to read. A schema of the dialect's own
 * is left as it is.
 */
export function schemaOut(schema: Json, native: boolean): Json {
  return native ? schema : cleaned(schema, 0)
}

/** Schemas deeper than this are sent as they are: none is meant for people or models. */
const DEEPEST = 64

/** Keywords the vendor's structured outputs refuse. */
const LIMITS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const

/** Keywords that hold schemas by name, and those that hold one or a list of them. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])
const NESTED: ReadonlySet<string> = new Set(['items', 'prefixItems', 'anyOf', 'allOf', 'oneOf', 'not'])

/** A schema without what the vendor refuses, and so are all schemas in it. */
function cleaned(schema: Json, depth: number): Json {
  if (depth > DEEPEST) return schema
  const kept: Record<string, unknown> = {}
  const unchecked: string[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (isLimit(keyword, value)) unchecked.push(`${keyword}: ${JSON.stringify(value)}`)
    else kept[keyword === 'oneOf' && !('anyOf' in schema) ? 'anyOf' : keyword] = member(keyword, value, depth)
  }
  if (unchecked.length > 0) kept.description = described(kept.description, unchecked)
  if (isObject(schema.properties) || isOfType(schema, 'object')) kept.additionalProperties = false
  return kept
}

/** Whether the vendor refuses a keyword with that value. */
function isLimit(keyword: string, value: unknown): boolean {
  if (keyword === 'minItems') return value !== 0 && value !== 1
  if (keyword === 'format') return typeof value === 'string' && !FORMATS.has(value)
  return LIMITS.some((limit) => limit === keyword)
}

/** Formats of strings that are checked. */
const FORMATS: ReadonlySet<string> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
])

const isOfType = ({ type }: Json, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name))

/** A description with the limits that nobody checks. */
const described = (description: unknown, unchecked: readonly string[]): string =>
  [...(typeof description === 'string' ? [description] : []), `(${unchecked.join(', ')})`].join(' ')

/** The value of a keyword with the schemas in it cleaned; names of properties are no keywords. */
function member(keyword: string, value: unknown, depth: number): unknown {
  if (NESTED.has(keyword)) {
    if (Array.isArray(value)) return value.map((one) => (isObject(one) ? cleaned(one, depth + 1) : one))
    return isObject(value) ? cleaned(value, depth + 1) : value
  }
  if (!NAMED.has(keyword) || !isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, isObject(one) ? cleaned(one, depth + 1) : one]),
  )
}
