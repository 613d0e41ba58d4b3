import { isObject, type JsonObject } from '../../../base/json/json.ts'
import type { SchemaWriting } from '../schema-budget.ts'
import { merged, NOTHING } from './merged-schema.ts'
import { definitionName, readKeyword } from './schema-keywords.ts'

/** A schema nested deeper than this, or of more parts once its references are followed, is cut to untyped objects. */
const DEEPEST = 48
const MAX_PARTS = 10_000
/** So many values of a list count as a part. */
const A_PART = 16
/** A schema that inherits from one is followed again inside it this often: once for itself, once for a part of it. */
const MAX_INHERITED = 2

/**
 * How a schema is made to stand by itself. `keepsReferences`: a reference that leads back into itself may stay one, to a
 * definition; else it is any object in there.
 */
type Resolving = SchemaWriting & Readonly<{ keepsReferences: boolean }>

/** A schema that stands by itself, and the definitions that its references name. */
type Resolved = Readonly<{ schema: JsonObject; definitions: ReadonlyMap<string, JsonObject> }>

/**
 * `isOptional`: since the last reference a property was entered that may be left out, without which the vendor takes no
 * reference that leads back (Gemini API reference, "GenerationConfig", `responseJsonSchema`).
 */
type SchemaPath = Readonly<{ depth: number; isOptional: boolean }>

const START: SchemaPath = { depth: 0, isOptional: false }

/**
 * A JSON schema with its local references followed, `allOf` merged, a list of `items` as `prefixItems`, and without
 * keywords whose value is none of theirs (docs/reference/conversion.md#schemas-for-gemini).
 */
export const resolvedSchema = (schema: JsonObject, resolving: Resolving): Resolved =>
  new Resolution(schema, resolving).resolve()

/** The resolution of one schema. A class: its parts walk each other, and count together. */
class Resolution {
  readonly #root: JsonObject
  readonly #resolving: Resolving
  readonly #names = new Map<string, string>()
  /** How often each reference is being followed at the place where the walk is. */
  readonly #times = new Map<string, number>()
  /** The shared definitions that have been written in the place of a reference. */
  readonly #placed = new Set<unknown>()
  #parts = 0

  constructor(root: JsonObject, resolving: Resolving) {
    this.#root = root
    this.#resolving = resolving
  }

  resolve(): Resolved {
    const schema = this.#schema(this.#root, START)
    const definitions = new Map<string, JsonObject>()
    // A definition may name others, which the map's iteration comes to as well.
    for (const [reference, name] of this.#names) {
      const target = this.#taken(reference)
      definitions.set(name, target ? this.#within([reference], () => this.#schema(target, START)) : this.#cut({}))
    }
    return { schema, definitions }
  }

  #schema(given: unknown, place: SchemaPath): JsonObject {
    this.#parts += 1
    if (given === false) return NOTHING
    if (!isObject(given)) return {}
    if (place.depth > DEEPEST) return this.#cut(given)
    if (typeof given.$ref === 'string' && !Array.isArray(given.allOf)) return this.#followed(given, given.$ref, place)
    if (!Array.isArray(given.allOf)) return this.#keywords(given, { ...place, depth: place.depth + 1 })
    const reached: string[] = []
    const conjuncts = this.#conjuncts(given, place, reached)
    const read = this.#within(reached, () => this.#each(conjuncts, { ...place, depth: place.depth + 1 }))
    return merged(read, this.#resolving.report)
  }

  /** The keywords of all that must hold together. */
  #each(conjuncts: readonly JsonObject[], place: SchemaPath): readonly JsonObject[] {
    const read: JsonObject[] = []
    for (const part of conjuncts) {
      if (this.#parts > MAX_PARTS && read.length > 0) {
        this.#resolving.report('allOf')
        break
      }
      read.push(this.#keywords(part, place))
    }
    return read
  }

  /** Some work at a place that references lead to. */
  #within<T>(references: readonly string[], work: () => T): T {
    for (const reference of references) this.#times.set(reference, this.#timesFollowed(reference) + 1)
    const done = work()
    for (const reference of references) this.#times.set(reference, this.#timesFollowed(reference) - 1)
    return done
  }

  #timesFollowed(reference: string): number {
    return this.#times.get(reference) ?? 0
  }

  #keywords(schema: JsonObject, place: SchemaPath): JsonObject {
    const kept: JsonObject = {}
    const required = new Set<unknown>(Array.isArray(schema.required) ? schema.required : [])
    const walk = (part: unknown, property?: string) => {
      const mayBeAbsent = property !== undefined && !required.has(property)
      return this.#schema(part, mayBeAbsent ? { ...place, isOptional: true } : place)
    }
    for (const keyword in schema) {
      const value = schema[keyword]
      if (Array.isArray(value)) this.#parts += Math.floor(value.length / A_PART)
      const read = readKeyword(keyword, value, walk)
      if (read !== undefined) kept[keyword] = read
    }
    if (Array.isArray(schema.items)) kept.prefixItems = schema.items.map((item) => walk(item))
    for (const [bound, exclusive] of BOUNDS) {
      if (schema[exclusive] !== true || typeof kept[bound] !== 'number') continue
      kept[exclusive] = kept[bound]
      delete kept[bound]
    }
    return kept
  }

  /** What a local reference stands for, with what is said beside it. */
  #followed(given: JsonObject, reference: string, place: SchemaPath): JsonObject {
    const { $ref: _reference, ...beside } = given
    const isBack = this.#timesFollowed(reference) > 0
    if (isBack && place.isOptional && this.#resolving.keepsReferences) return this.#reference(reference)
    const target = isBack || this.#parts > MAX_PARTS ? undefined : this.#taken(reference)
    if (!target) return this.#cut(beside)
    const next = { depth: place.depth + 1, isOptional: false }
    const whole = Object.keys(beside).length > 0 ? { ...target, ...beside } : target
    return this.#within([reference], () => this.#schema(whole, next))
  }

  /**
   * What a reference leads to, where the budget has room to write it once more. Its definitions are not written with it, and
   * those of the whole schema are written nowhere else: each is free of charge once.
   */
  #taken(reference: string): JsonObject | undefined {
    const target = this.#referred(reference)
    if (!target) return undefined
    if (SHARED.test(reference) && !this.#placed.has(target)) {
      this.#placed.add(target)
      return target
    }
    const { budget } = this.#resolving
    const { $defs, definitions } = target
    const length = budget.lengthOf(target) - budget.lengthOf($defs) - budget.lengthOf(definitions)
    return budget.takes(length) ? target : undefined
  }

  #reference(reference: string): JsonObject {
    const name = this.#names.get(reference) ?? definitionName(reference, this.#names.size)
    this.#names.set(reference, name)
    return { $ref: `#/$defs/${name}` }
  }

  /** Any object, where a schema goes too deep, back into itself, or nowhere. */
  #cut({ description }: JsonObject): JsonObject {
    this.#resolving.report('$ref')
    return { type: 'object', ...(typeof description === 'string' && { description }) }
  }

  #referred(reference: string): JsonObject | undefined {
    if (reference === '#') return this.#root
    if (!reference.startsWith('#/')) return undefined
    const steps = reference.slice(2).split('/')
    const found = steps.reduce<unknown>((place, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if (Array.isArray(place)) return place[Number(name)]
      return isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined
    }, this.#root)
    return isObject(found) ? found : undefined
  }

  /** All that must hold together in a schema with `allOf`, without their own `allOf` and references; the latter are noted in `reached`. */
  #conjuncts(given: JsonObject, place: SchemaPath, reached: string[]): readonly JsonObject[] {
    const { allOf, $ref, ...own } = given
    this.#parts += 1
    const isEnd = place.depth > DEEPEST || this.#parts > MAX_PARTS
    const follows = typeof $ref === 'string' && !isEnd && this.#timesFollowed($ref) < MAX_INHERITED
    if (isEnd || (typeof $ref === 'string' && !follows)) this.#resolving.report('$ref')
    if (isEnd) return [own]
    const target = follows ? this.#taken($ref) : undefined
    if (follows && !target) this.#resolving.report('$ref')
    const followed = follows ? [$ref] : []
    reached.push(...followed)
    const parts = [...(target ? [target] : []), ...(Array.isArray(allOf) ? allOf.filter(isObject) : [])]
    const next = { ...place, depth: place.depth + 1 }
    const inner = this.#within(followed, () => parts.flatMap((part) => this.#conjuncts(part, next, reached)))
    return [own, ...inner]
  }
}

/** References to the definitions that a schema shares. */
const SHARED = /^#\/(?:\$defs|definitions)\/[^/]*$/

/** Bounds, and the keyword that excludes them; it once was true beside the bound. */
const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const
