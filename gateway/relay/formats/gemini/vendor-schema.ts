import { isObject, type JsonObject, objectIn, objectsIn, textIn } from '../../../base/json/json.ts'
import type { SchemaWriting } from '../schema-budget.ts'
import { NOTES } from './merged-schema.ts'
import { optionsOf } from './typed-schema.ts'

/** What the vendor's Schema knows of a value besides its type and parts; anything else makes it refuse the request. */
const KEPT = [
  'title',
  'description',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'pattern',
  'propertyOrdering',
] as const

/** The formats the vendor takes (Gemini API reference, "Schema"). */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['enum', 'date-time'],
  number: ['float', 'double'],
  integer: ['int32', 'int64'],
}

const READ: ReadonlySet<string> = new Set([
  ...KEPT,
  'type',
  'format',
  'enum',
  'properties',
  'required',
  'items',
  'prefixItems',
  'additionalProperties',
])

/** One item of any type, of a list that says nothing of its items, and how many characters it takes to say so. */
const ANY_ITEM: JsonObject = { anyOf: ['string', 'number', 'boolean', 'object'].map((type) => ({ type })) }
const ANY_ITEM_LENGTH = JSON.stringify({ items: ANY_ITEM }).length

type Report = SchemaWriting['report']

/**
 * A typed schema as the vendor's Schema, which models before 2.5 take alone, can say it; `tell` hears the keywords that
 * are lost (docs/reference/conversion.md#schemas-for-gemini).
 */
export function vendorSchema(typed: JsonObject, writing: SchemaWriting): JsonObject {
  const { report } = writing
  const options = optionsOf(typed)
  if (options) return alternatives(options, writing)
  const [type, isNullable] = typeOf(typed.type)
  const kept: JsonObject = { ...(type !== undefined && { type }), ...(isNullable && { nullable: true }) }
  for (const keyword of KEPT) if (typed[keyword] !== undefined) kept[keyword] = typed[keyword]
  for (const keyword of Object.keys(typed))
    if (!READ.has(keyword) && !NOTES.has(keyword)) limit(kept, typed, keyword, report)
  if (typed.enum !== undefined && type === 'string') kept.enum = typed.enum
  else if (typed.enum !== undefined) report('enum')
  if (typed.format !== undefined && FORMATS[type ?? '']?.includes(textIn(typed.format) ?? ''))
    kept.format = typed.format
  else if (typed.format !== undefined) report('format')
  if (type === 'object') objectInto(kept, typed, writing)
  if (type === 'array') kept.items = itemsOf(typed, writing)
  return kept
}

/** Alternatives; null among them is said of each of the others. */
function alternatives(options: readonly JsonObject[], writing: SchemaWriting): JsonObject {
  const real = options.filter(({ type }) => type !== 'null')
  const nullable = real.length < options.length ? { nullable: true } : {}
  const written = real.map((option) => ({ ...vendorSchema(option, writing), ...nullable }))
  const [only] = written
  return written.length === 1 && only ? only : { anyOf: written }
}

function typeOf(type: unknown): readonly [string | undefined, boolean] {
  if (Array.isArray(type)) return [textIn(type[0]) ?? '', true]
  if (type === 'null') return [undefined, true]
  return [typeof type === 'string' ? type : undefined, false]
}

function objectInto(kept: JsonObject, typed: JsonObject, writing: SchemaWriting): void {
  if (isObject(typed.additionalProperties)) writing.report('additionalProperties')
  if (!isObject(typed.properties)) return
  const members = Object.entries(typed.properties)
  kept.properties = Object.fromEntries(members.map(([name, member]) => [name, vendorSchema(objectIn(member), writing)]))
  const required = Array.isArray(typed.required) ? typed.required : []
  const names = new Set<unknown>(members.map(([name]) => name))
  const known = required.filter((name) => names.has(name))
  if (typed.required !== undefined) kept.required = known
}

/** What each item is; a list of them by their places says what any of them may be. */
function itemsOf({ items, prefixItems }: JsonObject, writing: SchemaWriting): JsonObject {
  const { budget, report } = writing
  const places = objectsIn(prefixItems)
  if (places.length > 0) report('prefixItems')
  const all = [...places, ...(isObject(items) ? [items] : [])].map((item) => vendorSchema(item, writing))
  const [only] = all
  if (!only && budget.takes(ANY_ITEM_LENGTH)) return ANY_ITEM
  if (!only) {
    report('items')
    return { type: 'object' }
  }
  return all.length === 1 ? only : { anyOf: all.flatMap((item) => optionsOf(item) ?? [item]) }
}

/** A limit the vendor has no word for: of whole numbers a bound that is excluded is the next one. */
function limit(kept: JsonObject, typed: JsonObject, keyword: string, report: Report): void {
  const value = typed[keyword]
  const bound = keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'
  const isBound = keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum'
  if (!isBound || typeof value !== 'number' || typeOf(typed.type)[0] !== 'integer') {
    if (!HARMLESS.has(keyword)) report(keyword)
    return
  }
  const next = bound === 'minimum' ? Math.floor(value) + 1 : Math.ceil(value) - 1
  const known = typed[bound]
  const isStricter = bound === 'minimum' ? next > Number(known) : next < Number(known)
  kept[bound] = known === undefined || isStricter ? next : known
}

/** Keywords that open what is open anyway. */
const HARMLESS: ReadonlySet<string> = new Set(['unevaluatedProperties', 'unevaluatedItems'])
