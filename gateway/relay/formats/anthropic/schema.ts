import { isObject } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'

/**
 * Writes the schema of a structured output or strict tool within the vendor's limits for structured outputs: objects
 * are closed, and unchecked keywords go into the description for the model to read. Schemas of native clients are not
 * changed.
 */
export function schemaOut(schema: Json, native: boolean): Json {
  return native ? schema : cleaned(schema, 0)
}

/** Parts of a schema that are nested deeper than this are sent unchanged. */
const MAX_DEPTH = 64

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

/** Keywords whose value is a map of schemas, and those whose value is one schema or a list. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])
const NESTED: ReadonlySet<string> = new Set(['items', 'prefixItems', 'anyOf', 'allOf', 'oneOf', 'not'])

function cleaned(schema: Json, depth: number): Json {
  if (depth > MAX_DEPTH) return schema
  const written: Record<string, unknown> = {}
  const unchecked: string[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (isLimit(keyword, value)) unchecked.push(`${keyword}: ${JSON.stringify(value)}`)
    else written[keyword === 'oneOf' && !('anyOf' in schema) ? 'anyOf' : keyword] = member(keyword, value, depth)
  }
  if (unchecked.length > 0) written.description = described(written.description, unchecked)
  if (isObject(schema.properties) || isOfType(schema, 'object')) written.additionalProperties = false
  return written
}

function isLimit(keyword: string, value: unknown): boolean {
  if (keyword === 'minItems') return value !== 0 && value !== 1
  if (keyword === 'format') return typeof value === 'string' && !FORMATS.has(value)
  return LIMITS.some((limit) => limit === keyword)
}

/** String formats that the vendor checks. */
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

const described = (description: unknown, unchecked: readonly string[]): string =>
  [...(typeof description === 'string' ? [description] : []), `(${unchecked.join(', ')})`].join(' ')

/** Cleans the schemas in a keyword's value; names of properties are not keywords. */
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
