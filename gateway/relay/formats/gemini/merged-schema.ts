import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject, objectIn } from '../../../base/json.ts'

/** What nothing fits, the way a schema says it. */
export const NOTHING: JsonObject = { not: {} }

/** Whether anything fits a resolved schema, as far as it says so itself. */
export const isPossible = ({ not }: JsonObject): boolean => !(isObject(not) && Object.keys(not).length === 0)

/** Keywords that tell people and models something of a value, and limit nothing. */
export const NOTES: ReadonlySet<string> = new Set(
  'title description default example examples deprecated readOnly writeOnly propertyOrdering contentMediaType contentEncoding contentSchema discriminator externalDocs xml'.split(
    ' ',
  ),
)

/**
 * One schema of all that must hold together: properties and requirements add up, of limits the stricter stands, of other
 * keywords the first. `tell` hears of what is lost by that. `NOTHING` where the types rule each other out.
 */
export function merged(parts: readonly JsonObject[], tell: (keyword: string) => void): JsonObject {
  let whole: JsonObject = {}
  for (const part of parts) {
    const both = together(whole, part, tell)
    if (!both) return NOTHING
    whole = both
  }
  return whole
}

function together(one: JsonObject, other: JsonObject, tell: (keyword: string) => void): JsonObject | undefined {
  const whole: JsonObject = { ...one }
  for (const [keyword, value] of Object.entries(other)) {
    const known = whole[keyword]
    if (known === undefined) {
      whole[keyword] = value
      continue
    }
    if (NOTES.has(keyword) || isDeepStrictEqual(known, value)) continue
    const joined = joiners[keyword]?.(known, value, tell)
    if (joined === null) return undefined
    if (joined === undefined) tell(keyword)
    else whole[keyword] = joined
  }
  return whole
}

/** The value of a keyword for which two values hold; null where both cannot, undefined where there is no saying it. */
type Joiner = (one: unknown, other: unknown, tell: (keyword: string) => void) => unknown

const larger: Joiner = (one, other) => Math.max(Number(one), Number(other))
const smaller: Joiner = (one, other) => Math.min(Number(one), Number(other))

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
    const common = listOf(one).filter((value) => listOf(other).some((each) => isDeepStrictEqual(each, value)))
    return common.length > 0 ? common : null
  },
  required: (one, other) => [...new Set([...listOf(one), ...listOf(other)])],
  properties(one, other, tell) {
    const all = new Map(Object.entries(objectIn(one)))
    for (const [name, member] of Object.entries(objectIn(other)))
      all.set(name, all.has(name) ? merged([objectIn(all.get(name)), objectIn(member)], tell) : member)
    return Object.fromEntries(all)
  },
  items: (one, other, tell) => (isObject(one) && isObject(other) ? merged([one, other], tell) : undefined),
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
