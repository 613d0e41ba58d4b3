import { isObject, type JsonObject } from '../../../base/json/json.ts'
import { messageIn } from './message.ts'

/** The keywords that the vendor counts in texts, as its mapping does for long integers. */
const counts = ['minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength']

/** A schema nested deeper than this is cut to one of anything. */
const DEEPEST = 48

/**
 * The vendor's Schema as a JSON schema: types in lower case, counts as numbers, `nullable` as one of the types, and the
 * enumerated values of numbers, which the vendor writes as texts, as numbers; `defs` and `ref` (Vertex) under their
 * standard names.
 */
export const schemaIn = (value: unknown): JsonObject => readAt(value, 0)

function readAt(value: unknown, depth: number): JsonObject {
  if (depth > DEEPEST) return {}
  const { type, nullable, ref, defs, ...kept }: JsonObject = messageIn(value)
  const name = typeof type === 'string' && type !== 'TYPE_UNSPECIFIED' ? type.toLowerCase() : undefined
  for (const keyword of counts) if (typeof kept[keyword] === 'string') kept[keyword] = Number(kept[keyword])
  if (isObject(kept.properties)) kept.properties = membersAt(kept.properties, depth + 1)
  if (isObject(kept.items)) kept.items = readAt(kept.items, depth + 1)
  if (isObject(kept.additionalProperties)) kept.additionalProperties = readAt(kept.additionalProperties, depth + 1)
  if (Array.isArray(kept.prefixItems)) kept.prefixItems = kept.prefixItems.map((item) => readAt(item, depth + 1))
  if (Array.isArray(kept.anyOf)) kept.anyOf = kept.anyOf.map((option) => readAt(option, depth + 1))
  if (isObject(defs)) kept.$defs = membersAt(defs, depth + 1)
  if (typeof ref === 'string') kept.$ref = ref.replace('#/defs/', '#/$defs/')
  if (Array.isArray(kept.enum) && (name === 'integer' || name === 'number')) {
    kept.enum = kept.enum.map((text) => (typeof text === 'string' && text !== '' ? Number(text) : text))
    if (kept.format === 'enum') delete kept.format
  }
  if (name === undefined) return nullable === undefined ? kept : { nullable, ...kept }
  return { type: nullable === true ? [name, 'null'] : name, ...kept }
}

const membersAt = (members: JsonObject, depth: number): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, readAt(member, depth)]))
