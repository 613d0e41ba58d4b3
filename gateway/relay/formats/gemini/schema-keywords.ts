import { ExactNumber } from '../../../base/json/exact-number.ts'
import { isObject, type JsonObject, numberIn, textIn } from '../../../base/json/json.ts'
import { UntrustedSet } from '../../../base/untrusted-keys.ts'
import { isPossible } from './merged-schema.ts'

export const typeNames = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const
export type TypeName = (typeof typeNames)[number]

export const isTypeName = (value: unknown): value is TypeName => typeNames.some((name) => name === value)

type Walk = (part: unknown, property?: string) => JsonObject

const namesIn = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** Keywords whose value is one schema, a list, or a map of schemas. */
const ONE = namesIn(
  'items not if then else contains propertyNames additionalProperties unevaluatedItems unevaluatedProperties',
)
const SEVERAL = namesIn('anyOf oneOf prefixItems')
const NAMED = namesIn('patternProperties dependentSchemas')
/** Keywords without meaning once references are followed, and the one name that cannot be set on an object. */
const OBSOLETE = namesIn(
  '$schema $id id $anchor $defs definitions $ref $comment $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary allOf __proto__',
)
/** Keywords that accept true and false. */
const OPEN_OR_CLOSED = namesIn('not additionalProperties unevaluatedItems unevaluatedProperties')

/** Returns the value of a keyword with the schemas in it resolved; undefined if it is meaningless or invalid. */
export function readKeyword(keyword: string, value: unknown, walk: Walk): unknown {
  const read = readers.get(keyword)
  if (read) return read(value)
  if (keyword === 'properties') return isObject(value) ? propertiesIn(value, walk) : undefined
  if (ONE.has(keyword)) {
    if (typeof value === 'boolean') return OPEN_OR_CLOSED.has(keyword) ? value : undefined
    return isObject(value) ? walk(value) : undefined
  }
  if (SEVERAL.has(keyword))
    return Array.isArray(value) && value.length > 0 ? value.map((part) => walk(part)) : undefined
  if (NAMED.has(keyword)) return isObject(value) ? membersIn(value, walk) : undefined
  return OBSOLETE.has(keyword) || keyword.startsWith('x-') ? undefined : value
}

function propertiesIn(members: JsonObject, walk: Walk): JsonObject {
  const walked = Object.entries(members).map(([name, member]): [string, JsonObject] => [name, walk(member, name)])
  return Object.fromEntries(walked.filter(([, member]) => isPossible(member)))
}

const membersIn = (members: JsonObject, walk: Walk): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, walk(member)]))

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined)
const number = (value: unknown) => (value instanceof ExactNumber ? value : numberIn(value))
const count = (value: unknown) => (Number.isSafeInteger(value) && Number(value) >= 0 ? value : undefined)
const texts = (value: unknown) =>
  Array.isArray(value) ? [...new UntrustedSet(value.filter((each) => typeof each === 'string'))] : undefined
const list = (value: unknown) => (Array.isArray(value) && value.length > 0 ? value : undefined)

function typeIn(value: unknown): TypeName | readonly TypeName[] | undefined {
  if (isTypeName(value)) return value
  const given = (Array.isArray(value) ? value : [value]).map((name) => (textIn(name) ?? '').toLowerCase())
  const known = typeNames.filter((name) => given.includes(name))
  return known.length > 1 ? known : known[0]
}

const readers: ReadonlyMap<string, (value: unknown) => unknown> = new Map(
  Object.entries({
    type: typeIn,
    title: text,
    description: text,
    format: text,
    pattern: text,
    nullable: flag,
    uniqueItems: flag,
    enum: list,
    required: texts,
    propertyOrdering: texts,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: number,
    minItems: count,
    maxItems: count,
    minLength: count,
    maxLength: count,
    minProperties: count,
    maxProperties: count,
  }),
)

const MAX_NAME = 64

/** Names a definition after the last step of its reference; `others`, the number of existing names, makes it unique. */
export function definitionName(reference: string, others: number): string {
  const last = reference.slice(reference.lastIndexOf('/') + 1)
  const step = last.slice(0, MAX_NAME).replaceAll(/[^A-Za-z0-9_]/g, '_')
  return `${step === '' || step === '_' ? 'root' : step}_${others + 1}`
}
