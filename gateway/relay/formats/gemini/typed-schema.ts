import { ExactNumber } from '../../../base/json/exact-number.ts'
import { isObject, type JsonObject, objectIn, objectsIn } from '../../../base/json/json.ts'
import { UntrustedSet } from '../../../base/untrusted-keys.ts'
import { EqualValues } from '../equal-values.ts'
import type { SchemaWriting } from '../schema-budget.ts'
import { isPossible, merged, NOTES, NOTHING } from './merged-schema.ts'
import { isTypeName, type TypeName, typeNames } from './schema-keywords.ts'

/** Max parts of all alternatives, each with the shared limits; beyond that, alternatives are left out. */
const MAX_PARTS = 10_000

/**
 * Converts a resolved schema to the form that all of the vendor's services accept: every part has one type, possibly
 * together with null, or consists only of `anyOf`; any type is spelled out, and constants become enums of one value
 * (docs/reference/conversion.md#schemas-for-gemini). Lost keywords are reported, including those that exceed the
 * budget.
 */
export const typedSchema = (schema: JsonObject, { budget, report }: SchemaWriting): JsonObject =>
  typedAt(schema, { parts: 0, budget, report, values: new EqualValues() })

export const optionsOf = ({ anyOf }: JsonObject): readonly JsonObject[] | undefined =>
  Array.isArray(anyOf) ? objectsIn(anyOf) : undefined

type Typing = SchemaWriting & { parts: number; readonly values: EqualValues }

function typedAt(given: JsonObject, typing: Typing): JsonObject {
  typing.parts += 1
  if (typeof given.$ref === 'string') return { $ref: given.$ref }
  if (given.anyOf !== undefined || given.oneOf !== undefined) return union(given, typing)
  const types = typesOf(given)
  const hasNull = types.includes('null') || given.nullable === true
  const real = types.filter((type) => type !== 'null')
  const [only, ...others] = real
  if (only && others.length === 0) return together([ofType(given, only, typing)], hasNull)
  const [limits, notes] = separated(given)
  if (!only) return types.length > 0 ? { type: 'null', ...notes } : anyValue(notes, typing)
  const isWhole = typing.budget.takes(others.length * sharedLength(limits, typing))
  if (!isWhole) typing.report('type')
  const typed = (isWhole ? real : [only]).map((type) => ofType(limits, type, typing))
  return together(noted(typed, notes), hasNull)
}

const sharedLength = (limits: JsonObject, { budget }: Typing): number =>
  Object.keys(limits)
    .filter((keyword) => !NOT_OWN.has(keyword) && kindOf[keyword] === undefined)
    .reduce((sum, keyword) => sum + keyword.length + budget.lengthOf(limits[keyword]), 0)

function separated(given: JsonObject): readonly [JsonObject, JsonObject] {
  const entries = Object.entries(given)
  const isNote = ([keyword]: readonly [string, unknown]) => NOTES.has(keyword) && keyword !== 'propertyOrdering'
  return [Object.fromEntries(entries.filter((entry) => !isNote(entry))), Object.fromEntries(entries.filter(isNote))]
}

/** Returns the types that a schema names or, if none, that its other keywords imply; none if it accepts anything. */
function typesOf(given: JsonObject): readonly TypeName[] {
  const { type } = given
  const names: readonly unknown[] = Array.isArray(type) ? type : [type]
  const named = names.filter(isTypeName)
  const values = valuesOf(given)
  if (!values && named.length === 1) return named
  const ofValues = values ? typeNames.filter((name) => values.some((value) => isOf(value, name))) : undefined
  if (named.length > 0) {
    const matching = ofValues ? named.filter((name) => ofValues.includes(name)) : named
    return withoutTwins(matching.length > 0 ? matching : named)
  }
  if (ofValues) return withoutTwins(ofValues)
  const kinds = new Set(Object.keys(given).flatMap((keyword) => kindOf[keyword] ?? []))
  return typeNames.filter((name) => kinds.has(name))
}

/** Removes `integer` next to `number`, which includes it. */
const withoutTwins = (names: readonly TypeName[]): readonly TypeName[] =>
  names.includes('number') ? names.filter((name) => name !== 'integer') : names

const valuesOf = (given: JsonObject): readonly unknown[] | undefined => {
  if ('const' in given) return [given.const]
  return Array.isArray(given.enum) ? given.enum : undefined
}

function isOf(value: unknown, type: TypeName): boolean {
  if (value === null) return type === 'null'
  if (Array.isArray(value)) return type === 'array'
  if (value instanceof ExactNumber) return type === 'number' || (type === 'integer' && /^-?\d+$/.test(value.digits))
  if (typeof value === 'number') return type === (Number.isInteger(value) ? 'integer' : 'number') || type === 'number'
  return typeof value === type
}

const kinds: Readonly<Partial<Record<TypeName, string>>> = {
  string: 'pattern minLength maxLength format',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  array: 'items prefixItems minItems maxItems uniqueItems contains minContains maxContains unevaluatedItems',
  object:
    'properties required additionalProperties patternProperties propertyNames minProperties maxProperties dependentRequired dependentSchemas unevaluatedProperties propertyOrdering',
}

/** The type that a keyword applies to; `format` may also apply to numbers. */
const kindOf: Readonly<Record<string, TypeName>> = Object.fromEntries(
  typeNames.flatMap((type) => (kinds[type] ?? '').split(' ').map((keyword) => [keyword, type] as const)),
)

const NOT_OWN = new Set(['type', 'nullable', 'enum', 'const', 'anyOf', 'oneOf'])

function ofType(given: JsonObject, type: TypeName, typing: Typing): JsonObject {
  const schema: JsonObject = { type }
  const isNumber = type === 'number' || type === 'integer'
  for (const keyword in given) {
    if (NOT_OWN.has(keyword)) continue
    const kind = kindOf[keyword]
    const fits = kind === undefined || kind === type || (isNumber && (kind === 'number' || keyword === 'format'))
    if (fits) schema[keyword] = typedKeyword(keyword, given[keyword], typing)
  }
  const values = valuesOf(given)?.filter((value) => isOf(value, type))
  if (!values || values.length === 0) return schema
  if (type === 'string' || isNumber) schema.enum = [...new UntrustedSet(values)]
  else if (type !== 'boolean' || new UntrustedSet(values).size < 2) typing.report('enum')
  return schema
}

function typedKeyword(keyword: string, value: unknown, typing: Typing): unknown {
  if (keyword === 'properties') {
    const members = Object.entries(objectIn(value)).map(([name, member]) => [name, typedAt(objectIn(member), typing)])
    return Object.fromEntries(members)
  }
  if (keyword === 'prefixItems') return objectsIn(value).map((item) => typedAt(item, typing))
  if (keyword === 'items') return typedAt(objectIn(value), typing)
  if (keyword !== 'additionalProperties' || !isObject(value)) return value
  return Object.keys(value).length === 0 ? true : typedAt(value, typing)
}

/**
 * Writes alternatives, each with the shared limits, since Vertex accepts nothing next to `anyOf` ("When using any_of,
 * it must be the only field set"). The vendor reads `oneOf` as `anyOf`.
 */
function union(given: JsonObject, typing: Typing): JsonObject {
  const { anyOf, oneOf, ...own } = given
  if (anyOf !== undefined && oneOf !== undefined) typing.report('oneOf')
  const [{ nullable, ...limits }, notes] = separated(own)
  const possible = objectsIn(anyOf ?? oneOf).filter(isPossible)
  const typed = typedOptions(possible, limits, typing)
  if (!typed) return withoutOptions(given, typing)
  const real = distinct(typed.filter(({ type }) => type !== 'null').map(withoutNull), typing)
  const hasNull = nullable === true || typed.some(allowsNull)
  if (real.length > 0) return together(noted(real, notes), hasNull)
  return hasNull ? { type: 'null', ...notes } : typedAt(own, typing)
}

function typedOptions(
  options: readonly JsonObject[],
  limits: JsonObject,
  typing: Typing,
): readonly JsonObject[] | undefined {
  const typed: JsonObject[] = []
  const weight = weightOf(limits)
  const length = weight > 0 ? typing.budget.lengthOf(limits) : 0
  for (const option of options) {
    if (typing.parts > MAX_PARTS || !(option === options[0] || typing.budget.takes(length))) return undefined
    typing.parts += weight
    const part = matching(option, limits, typing)
    if (!isPossible(part)) continue
    const written = typedAt(part, typing)
    for (const each of optionsOf(written) ?? [written]) typed.push(each)
  }
  return typed
}

/** The cost of repeating a schema, in parts. */
const weightOf = (limits: JsonObject): number =>
  Object.values(limits).reduce(
    (sum: number, value) => sum + (isObject(value) ? Object.keys(value).length : lengthOf(value)),
    0,
  )

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 1)

function withoutOptions({ anyOf, oneOf: _, ...own }: JsonObject, typing: Typing): JsonObject {
  typing.report(anyOf === undefined ? 'oneOf' : 'anyOf')
  return typedAt(own, typing)
}

/** Merges an alternative with the shared limits; a reference accepts no siblings. */
function matching(option: JsonObject, limits: JsonObject, typing: Typing): JsonObject {
  if (typeof option.$ref !== 'string') return merged([option, limits], typing.report, typing.values)
  for (const keyword of Object.keys(limits)) if (keyword !== 'type') typing.report(keyword)
  return option
}

const distinct = (schemas: readonly JsonObject[], { values }: Typing): readonly JsonObject[] => [
  ...new Map(schemas.map((schema) => [values.idOf(schema), schema])).values(),
]

/** Adds shared annotations to the first schema, since `anyOf` accepts no siblings. */
function noted(schemas: readonly JsonObject[], notes: JsonObject): readonly JsonObject[] {
  const [first, ...others] = schemas
  if (!first || typeof first.$ref === 'string' || Object.keys(notes).length === 0) return schemas
  const descriptions = [notes.description, first.description].filter((text) => typeof text === 'string' && text !== '')
  const description = [...new UntrustedSet(descriptions)].join('\n')
  return [{ ...first, ...notes, ...first, ...(description !== '' && { description }) }, ...others]
}

/**
 * Combines schemas: a single one as is, several as alternatives; null becomes a second type of a single one if
 * possible.
 */
function together(schemas: readonly JsonObject[], hasNull: boolean): JsonObject {
  const [only = NOTHING] = schemas
  if (schemas.length === 1 && !hasNull) return only
  if (schemas.length === 1 && typeof only.type === 'string' && only.enum === undefined)
    return { ...only, type: [only.type, 'null'] }
  return { anyOf: hasNull ? [...schemas, { type: 'null' }] : schemas }
}

const allowsNull = ({ type }: JsonObject): boolean => type === 'null' || (Array.isArray(type) && type.includes('null'))

const withoutNull = (schema: JsonObject): JsonObject =>
  Array.isArray(schema.type) ? { ...schema, type: schema.type[0] } : schema

function anyValue(notes: JsonObject, { budget, report }: Typing): JsonObject {
  if (budget.takes(ANY_LENGTH)) return { anyOf: [{ ...ANY_SCALARS[0], ...notes }, ...ANY_VALUE.slice(1)] }
  report('type')
  return { type: 'object', ...notes }
}

const ANY_SCALARS: readonly JsonObject[] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }]
const ANY_VALUE: readonly JsonObject[] = [
  ...ANY_SCALARS,
  { type: 'object' },
  { type: 'array', items: { anyOf: [...ANY_SCALARS, { type: 'object' }] } },
  { type: 'null' },
]
/** Length of `ANY_VALUE` as alternatives, in the longer of the two forms. */
const ANY_LENGTH = JSON.stringify({ anyOf: ANY_VALUE.map((value) => ({ ...value, nullable: true })) }).length
