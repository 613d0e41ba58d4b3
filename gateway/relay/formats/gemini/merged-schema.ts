import { isObject, type JsonObject, objectIn } from '../../../base/json/json.ts'
import { UntrustedSet } from '../../../base/untrusted-keys.ts'
import { EqualValues } from '../equal-values.ts'

/** A schema that matches nothing. */
export const NOTHING: JsonObject = { not: {} }

/** Whether a resolved schema can match anything; only `NOTHING` is detected. */
export const isPossible = ({ not }: JsonObject): boolean => !(isObject(not) && Object.keys(not).length === 0)

export const NOTES: ReadonlySet<string> = new Set(
  'title description default example examples deprecated readOnly writeOnly propertyOrdering contentMediaType contentEncoding contentSchema discriminator externalDocs xml'.split(
    ' ',
  ),
)

/**
 * Merges schemas that must all match: properties and requirements are combined, types and enums intersected; for
 * limits, the stricter value applies, for other keywords the first. Lost keywords are passed to `report`. Returns
 * `NOTHING` if types or enums exclude each other. `values` compares values: each is visited once, however many parts it
 * is compared with.
 */
export function merged(parts: readonly JsonObject[], report: Report, values = new EqualValues()): JsonObject {
  const whole: JsonObject = {}
  const properties = new Map<string, unknown[]>()
  const items: JsonObject[] = []
  const required = new UntrustedSet<unknown>()
  for (const part of parts) {
    for (const keyword in part) {
      const value = part[keyword]
      if (keyword === 'properties') addProperties(properties, objectIn(value))
      else if (keyword === 'items' && isObject(value)) items.push(value)
      else if (keyword === 'required') for (const name of listOf(value)) required.add(name)
      else if (!takes(whole, keyword, value, { report, values })) return NOTHING
    }
  }
  if (parts.some((part) => part.properties !== undefined)) whole.properties = together(properties, report, values)
  if (parts.some((part) => part.required !== undefined)) whole.required = [...required]
  if (items.length > 0) whole.items = mergedOnce(items, report, values)
  return whole
}

type Report = (keyword: string) => void

function addProperties(all: Map<string, unknown[]>, members: JsonObject): void {
  for (const [name, member] of Object.entries(members)) {
    const known = all.get(name)
    if (known) known.push(member)
    else all.set(name, [member])
  }
}

/** Merges all schemas of each property at once; one by one, the merged part would be copied each time. */
const together = (
  properties: ReadonlyMap<string, readonly unknown[]>,
  report: Report,
  values: EqualValues,
): JsonObject =>
  Object.fromEntries([...properties].map(([name, members]) => [name, mergedOnce(members, report, values)]))

const mergedOnce = (members: readonly unknown[], report: Report, values: EqualValues): unknown =>
  members.length === 1 ? members[0] : merged(members.map(objectIn), report, values)

type Merging = Readonly<{ report: Report; values: EqualValues }>

function takes(whole: JsonObject, keyword: string, value: unknown, { report, values }: Merging): boolean {
  const known = whole[keyword]
  if (known === undefined) whole[keyword] = value
  else if (!NOTES.has(keyword) && !areEqual(known, value, values)) {
    const joined = joiners[keyword]?.(known, value)
    if (joined === null) return false
    if (joined === undefined) report(keyword)
    else whole[keyword] = joined
  }
  return true
}

const areEqual = (one: unknown, other: unknown, values: EqualValues): boolean =>
  one === other || (typeof one === 'object' && typeof other === 'object' && values.idOf(one) === values.idOf(other))

/** Returns the value that satisfies both; null if there is none, undefined if it cannot be expressed. */
type Joiner = (one: unknown, other: unknown) => unknown

const larger: Joiner = (one, other) => (Number(one) > Number(other) ? one : other)
const smaller: Joiner = (one, other) => (Number(one) < Number(other) ? one : other)

const joiners: Readonly<Record<string, Joiner>> = {
  type(one, other) {
    const [ours, theirs] = [namesOf(one), namesOf(other)]
    const common = ours.filter((name) => theirs.includes(name))
    if (common.length > 0) return common.length > 1 ? common : common[0]
    return [ours, theirs].some((names) => names.includes('integer')) &&
      [ours, theirs].every((names) => names.includes('integer') || names.includes('number'))
      ? 'integer'
      : null
  },
  enum(one, other) {
    const theirs = new UntrustedSet(listOf(other).map((value) => JSON.stringify(value)))
    const common = listOf(one).filter((value) => theirs.has(JSON.stringify(value)))
    return common.length > 0 ? common : null
  },
  additionalProperties: (one, other) => (one === true ? other : one),
  uniqueItems: () => true,
  nullable: () => false,
  minimum: larger,
  exclusiveMinimum: larger,
  minItems: larger,
  minLength: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxItems: smaller,
  maxLength: smaller,
  maxProperties: smaller,
}

const namesOf = (type: unknown): readonly unknown[] => (Array.isArray(type) ? type : [type])
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
