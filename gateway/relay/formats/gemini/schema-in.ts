import { isObject, type JsonObject } from '../../../base/json/json.ts'
import { messageIn } from './message.ts'

/** Keywords whose counts are texts in the vendor's mapping, like its long integers. */
const counts = ['minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength']

/** Schemas nested deeper than this are cut to one that matches anything. */
const MAX_DEPTH = 48

/**
 * Reads the vendor's Schema as a JSON schema: types in lower case, counts as numbers, `nullable` as one of the types,
 * enumerated numbers (which the vendor writes as texts) as numbers; `defs` and `ref` (Vertex) under their standard
 * names.
 */
export const schemaIn = (value: unknown): JsonObject => readAt(value, 0)

function readAt(value: unknown, depth: number): JsonObject {
  if (depth > MAX_DEPTH) return {}
  const { type, nullable, ref, defs, ...schema }: JsonObject = messageIn(value)
  const name = typeof type === 'string' && type !== 'TYPE_UNSPECIFIED' ? type.toLowerCase() : undefined
  for (const keyword of counts) if (typeof schema[keyword] === 'string') schema[keyword] = Number(schema[keyword])
  if (isObject(schema.properties)) schema.properties = membersAt(schema.properties, depth + 1)
  if (isObject(schema.items)) schema.items = readAt(schema.items, depth + 1)
  if (isObject(schema.additionalProperties))
    schema.additionalProperties = readAt(schema.additionalProperties, depth + 1)
  if (Array.isArray(schema.prefixItems)) schema.prefixItems = schema.prefixItems.map((item) => readAt(item, depth + 1))
  if (Array.isArray(schema.anyOf)) schema.anyOf = schema.anyOf.map((option) => readAt(option, depth + 1))
  if (isObject(defs)) schema.$defs = membersAt(defs, depth + 1)
  if (typeof ref === 'string') schema.$ref = ref.replace('#/defs/', '#/$defs/')
  if (Array.isArray(schema.enum) && (name === 'integer' || name === 'number')) {
    schema.enum = schema.enum.map((text) => (typeof text === 'string' && text !== '' ? Number(text) : text))
    if (schema.format === 'enum') delete schema.format
  }
  if (name === undefined) return nullable === undefined ? schema : { nullable, ...schema }
  return { type: nullable === true ? [name, 'null'] : name, ...schema }
}

const membersAt = (members: JsonObject, depth: number): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, readAt(member, depth)]))
