import { isObject, type JsonObject, objectIn } from '../../../base/json.ts'
import { messageIn } from './message.ts'

/** What the vendor's Schema knows and this gateway sends; anything else in a schema makes it refuse the request. */
const plainKeywords = [
  'title',
  'description',
  'nullable',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'required',
  'propertyOrdering',
] as const

/** The formats of text the vendor takes (docs/reference/conversion.md#openai-to-gemini). */
const textFormats = ['enum', 'date-time']
/** A schema nested deeper than this, or of more parts once its references are followed, is cut to untyped objects. */
const DEEPEST = 48
const MAX_PARTS = 10_000

/** A schema that inherits from one is followed again inside it this often: once for itself, once for a part of it. */
const MAX_INHERITED = 2

type Cleaning = { readonly root: JsonObject; parts: number }
type SchemaPath = Readonly<{ depth: number; followed: readonly string[] }>

/**
 * A JSON schema as the vendor's Schema can say it (docs/reference/conversion.md#openai-to-gemini): unknown keywords
 * left out, references followed, `oneOf` as `anyOf`, `allOf` merged, constants as one-valued enums, null among the
 * types as `nullable`.
 */
export const cleanSchema = (schema: JsonObject): JsonObject =>
  cleaned(schema, { root: schema, parts: 0 }, { depth: 0, followed: [] })

/** A cleaned schema for an answer, whose title the vendor does not take. */
export function cleanAnswerSchema(schema: JsonObject): JsonObject {
  const { title: _title, ...kept } = cleanSchema(schema)
  return kept
}

/** A tool's parameters, cleaned; undefined where it takes none. */
export function cleanParameters(schema: JsonObject | undefined): JsonObject | undefined {
  if (!schema) return undefined
  const kept = cleanSchema(schema)
  const isEmpty = Object.keys(objectIn(kept.properties)).length === 0 && !kept.anyOf
  return isEmpty ? undefined : kept
}

function cleaned(given: unknown, cleaning: Cleaning, place: SchemaPath): JsonObject {
  cleaning.parts += 1
  if (!isObject(given) || place.depth > DEEPEST) return isObject(given) ? { type: 'object' } : {}
  if (typeof given.$ref === 'string' && !Array.isArray(given.allOf)) return followed(given, given.$ref, cleaning, place)
  const reached: string[] = []
  const schema = Array.isArray(given.allOf) ? merged(conjuncts(given, cleaning, place, reached)) : given
  const inherited = reached.length > 0 ? [...place.followed, ...reached] : place.followed
  const inner = { depth: place.depth + 1, followed: inherited }
  const kept: JsonObject = {}
  Object.assign(kept, typeOf(schema))
  for (const keyword of plainKeywords) if (schema[keyword] !== undefined) kept[keyword] = schema[keyword]
  Object.assign(kept, valuesOf(schema, kept.type))
  if (isObject(schema.properties)) kept.properties = cleanedMembers(schema.properties, cleaning, inner)
  if (isObject(kept.properties) && Array.isArray(kept.required)) kept.required = known(kept.required, kept.properties)
  const items = Array.isArray(schema.items) ? schema.items[0] : (schema.items ?? firstOf(schema.prefixItems))
  if (isObject(items)) kept.items = cleaned(items, cleaning, inner)
  return withAlternatives(kept, schema, cleaning, inner)
}

/** What a local reference stands for, with what is said beside it; one that leads back into itself, or nowhere, is any object. */
function followed(given: JsonObject, reference: string, cleaning: Cleaning, place: SchemaPath): JsonObject {
  const isEnd = cleaning.parts > MAX_PARTS || place.followed.includes(reference)
  const target = isEnd ? undefined : referred(cleaning.root, reference)
  const { $ref: _reference, ...beside } = given
  if (!target) {
    const description = beside.description
    return { type: 'object', ...(description !== undefined && { description }) }
  }
  const next = { depth: place.depth + 1, followed: [...place.followed, reference] }
  return cleaned({ ...target, ...beside }, cleaning, next)
}

function referred(root: JsonObject, reference: string): JsonObject | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  const steps = reference.slice(2).split('/')
  const found = steps.reduce<unknown>((place, step) => {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined
  }, root)
  return isObject(found) ? found : undefined
}

/** All that must hold together in a schema with `allOf`, without their own `allOf` and references; the latter are noted in `reached`. */
function conjuncts(given: JsonObject, cleaning: Cleaning, place: SchemaPath, reached: string[]): readonly JsonObject[] {
  const { allOf, $ref, ...own } = given
  cleaning.parts += 1
  if (place.depth > DEEPEST || cleaning.parts > MAX_PARTS) return [own]
  const follows = typeof $ref === 'string' && place.followed.filter((name) => name === $ref).length < MAX_INHERITED
  const target = follows ? referred(cleaning.root, $ref) : undefined
  if (follows) reached.push($ref)
  const followed = follows ? [...place.followed, $ref] : place.followed
  const next = { depth: place.depth + 1, followed }
  const parts = [...(target ? [target] : []), ...(Array.isArray(allOf) ? allOf.filter(isObject) : [])]
  return [own, ...parts.flatMap((part) => conjuncts(part, cleaning, next, reached))]
}

/** One schema of all that must hold together: properties and requirements add up, of other keywords the first stands. */
function merged(parts: readonly JsonObject[]): JsonObject {
  const properties = Object.assign({}, ...parts.map((part) => objectIn(part.properties)))
  const required = parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []))
  return {
    ...Object.assign({}, ...parts.toReversed()),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

function typeOf(schema: JsonObject): JsonObject {
  const { type } = schema
  if (typeof type === 'string') return type === 'null' ? { nullable: true } : { type: type.toLowerCase() }
  if (!Array.isArray(type)) return isObject(schema.properties) ? { type: 'object' } : {}
  const named = type.filter((name): name is string => typeof name === 'string' && name !== 'null')
  const nullable = type.includes('null') ? { nullable: true } : {}
  if (named.length === 1) return { type: named[0]?.toLowerCase(), ...nullable }
  return { ...(named.length > 1 && { anyOf: named.map((name) => ({ type: name.toLowerCase() })) }), ...nullable }
}

/** Enumerated values, which the vendor takes as texts only, and the format where it is one the vendor knows. */
function valuesOf(schema: JsonObject, type: unknown): JsonObject {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  const texts = Array.isArray(values) ? values.filter((value) => typeof value === 'string') : []
  const isText = type === undefined || type === 'string'
  const hasNull = Array.isArray(values) && values.includes(null)
  const keepsFormat = type !== 'string' || textFormats.includes(String(schema.format))
  return {
    ...(isText && texts.length > 0 && { type: 'string', enum: texts }),
    ...(hasNull && { nullable: true }),
    ...(typeof schema.format === 'string' && type !== undefined && keepsFormat && { format: schema.format }),
  }
}

function withAlternatives(kept: JsonObject, schema: JsonObject, cleaning: Cleaning, inner: SchemaPath): JsonObject {
  const given = [schema.anyOf, schema.oneOf].find((list) => Array.isArray(list))
  if (!Array.isArray(given)) return kept
  const real = given.filter((option) => !(isObject(option) && option.type === 'null'))
  const options = real.map((option) => cleaned(option, cleaning, inner))
  const nullable = real.length < given.length ? { nullable: true } : {}
  const [only] = options
  if (options.length === 1 && only) return { ...only, ...kept, ...nullable }
  return { ...kept, ...nullable, ...(options.length > 0 && { anyOf: options }) }
}

const cleanedMembers = (members: JsonObject, cleaning: Cleaning, inner: SchemaPath): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, cleaned(member, cleaning, inner)]))

const known = (required: readonly unknown[], properties: JsonObject): readonly unknown[] =>
  required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name))

const firstOf = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)

/** The messages whose unknown members are kept, as extras under dotted names; the longest first. */
const nests = ['toolConfig.functionCallingConfig', 'toolConfig', 'generationConfig'] as const
type Nest = (typeof nests)[number]

/** The members of a message that are none of the known, as extras: `generationConfig.imageConfig`. */
export function unknownMembers(message: JsonObject, known: readonly string[], nest?: Nest): JsonObject {
  const others = Object.entries(message).filter(([name]) => !known.includes(name))
  return Object.fromEntries(others.map(([name, value]) => [nest === undefined ? name : `${nest}.${name}`, value]))
}

/** Puts extras back where they came from. */
export function restore(wire: JsonObject, fields: JsonObject): void {
  for (const [name, value] of Object.entries(fields)) {
    const nest = nests.find((candidate) => name.startsWith(`${candidate}.`))
    if (nest === undefined) wire[name] = value
    else nested(wire, nest)[name.slice(nest.length + 1)] = value
  }
}

function nested(wire: JsonObject, nest: Nest): JsonObject {
  return nest.split('.').reduce((outer, name) => {
    const inner = isObject(outer[name]) ? outer[name] : {}
    outer[name] = inner
    return inner
  }, wire)
}

/** The keywords that the vendor counts in texts, as its mapping does for long integers. */
const counts = ['minItems', 'maxItems', 'minProperties', 'maxProperties', 'minLength', 'maxLength']

/** A schema nested deeper than this is cut to one of anything. */
const DEEPEST_FIELDS = 48

/** The vendor's Schema as a JSON schema: types in lower case, counts as numbers, `nullable` as one of the types. */
export const schemaIn = (value: unknown): JsonObject => readAt(value, 0)

function readAt(value: unknown, depth: number): JsonObject {
  if (depth > DEEPEST_FIELDS) return {}
  const { type, nullable, ...kept }: JsonObject = messageIn(value)
  const name = typeof type === 'string' && type !== 'TYPE_UNSPECIFIED' ? type.toLowerCase() : undefined
  for (const keyword of counts) if (typeof kept[keyword] === 'string') kept[keyword] = Number(kept[keyword])
  if (isObject(kept.properties)) kept.properties = membersAt(kept.properties, depth + 1)
  if (isObject(kept.items)) kept.items = readAt(kept.items, depth + 1)
  if (Array.isArray(kept.anyOf)) kept.anyOf = kept.anyOf.map((option) => readAt(option, depth + 1))
  if (name === undefined) return nullable === undefined ? kept : { nullable, ...kept }
  return { type: nullable === true ? [name, 'null'] : name, ...kept }
}

const membersAt = (members: JsonObject, depth: number): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, readAt(member, depth)]))
