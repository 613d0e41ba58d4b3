import { isObject, type JsonObject } from '../../../base/json/json.ts'
import { UntrustedMap, UntrustedSet } from '../../../base/untrusted-keys.ts'
import { EqualValues } from '../equal-values.ts'
import { MAX_REFERENCE, type SchemaWriting } from '../schema-budget.ts'
import { merged, NOTHING } from './merged-schema.ts'
import { definitionName, readKeyword } from './schema-keywords.ts'

/** Max depth and max parts: a deeper part, and a reference beyond the max parts, becomes an object with any members. */
const MAX_DEPTH = 48
/** Max steps of a reference: bodies are nested at most this deeply. */
const MAX_STEPS = 64
const MAX_PARTS = 10_000
/** Number of list values that count as a part. */
const VALUES_PER_PART = 16
/** How many times a schema with `allOf` may follow the same reference at once: for itself, and for a part within it. */
const MAX_INHERITED = 2

/** `keepsReferences`: a recursive reference may remain, pointing to a definition; otherwise it is cut to any object. */
type Resolving = SchemaWriting & Readonly<{ keepsReferences: boolean }>

/** A self-contained schema, and the definitions that its references name. */
type Resolved = Readonly<{ schema: JsonObject; definitions: ReadonlyMap<string, JsonObject> }>

/**
 * `isOptional`: an optional property has been entered since the last reference, which the vendor requires for recursive
 * references (Gemini API reference, "GenerationConfig", `responseJsonSchema`).
 */
type SchemaPath = Readonly<{ depth: number; isOptional: boolean }>

const START: SchemaPath = { depth: 0, isOptional: false }

/**
 * Follows local references, merges `allOf`, turns a list of `items` into `prefixItems`, and removes keywords with
 * invalid values (docs/reference/conversion.md#schemas-for-gemini).
 */
export const resolvedSchema = (schema: JsonObject, resolving: Resolving): Resolved =>
  new Resolution(schema, resolving).resolve()

/** The resolution of one schema. A class: its methods are mutually recursive and share counts. */
class Resolution {
  readonly #root: JsonObject
  readonly #resolving: Resolving
  readonly #names = new UntrustedMap<string, string>()
  /** How many times each reference is being followed at the current position. */
  readonly #times = new UntrustedMap<string, number>()
  /** The shared definitions that have been inlined in place of a reference. */
  readonly #placed = new Set<unknown>()
  readonly #values = new EqualValues()
  #parts = 0

  constructor(root: JsonObject, resolving: Resolving) {
    this.#root = root
    this.#resolving = resolving
  }

  resolve(): Resolved {
    const schema = this.#schema(this.#root, START)
    const definitions = new Map<string, JsonObject>()
    // A definition may add further names, which the map's iteration also reaches.
    for (const [reference, name] of this.#names) {
      const target = this.#taken(reference)
      definitions.set(name, target ? this.#within([reference], () => this.#schema(target, START)) : this.#cut({}))
    }
    return { schema, definitions }
  }

  #schema(given: unknown, path: SchemaPath): JsonObject {
    this.#parts += 1
    if (given === false) return NOTHING
    if (!isObject(given)) return {}
    if (path.depth > MAX_DEPTH) return this.#cut(given)
    if (typeof given.$ref === 'string' && !Array.isArray(given.allOf)) return this.#followed(given, given.$ref, path)
    if (!Array.isArray(given.allOf)) return this.#keywords(given, { ...path, depth: path.depth + 1 })
    const reached: string[] = []
    const conjuncts = this.#conjuncts(given, path, reached)
    const read = this.#within(reached, () => this.#each(conjuncts, { ...path, depth: path.depth + 1 }))
    return merged(read, this.#resolving.report, this.#values)
  }

  #each(conjuncts: readonly JsonObject[], path: SchemaPath): readonly JsonObject[] {
    const read: JsonObject[] = []
    for (const part of conjuncts) {
      if (this.#parts > MAX_PARTS && read.length > 0) {
        this.#resolving.report('allOf')
        break
      }
      read.push(this.#keywords(part, path))
    }
    return read
  }

  /** Runs `work` with these references counted as being followed. */
  #within<T>(references: readonly string[], work: () => T): T {
    for (const reference of references) this.#times.set(reference, this.#timesFollowed(reference) + 1)
    const done = work()
    for (const reference of references) this.#times.set(reference, this.#timesFollowed(reference) - 1)
    return done
  }

  #timesFollowed(reference: string): number {
    return this.#times.get(reference) ?? 0
  }

  #keywords(schema: JsonObject, path: SchemaPath): JsonObject {
    const result: JsonObject = {}
    const required = new UntrustedSet<unknown>(Array.isArray(schema.required) ? schema.required : [])
    const walk = (part: unknown, property?: string) => {
      const mayBeAbsent = property !== undefined && !required.has(property)
      return this.#schema(part, mayBeAbsent ? { ...path, isOptional: true } : path)
    }
    for (const keyword in schema) {
      const value = schema[keyword]
      if (Array.isArray(value)) this.#parts += Math.floor(value.length / VALUES_PER_PART)
      const read = readKeyword(keyword, value, walk)
      if (read !== undefined) result[keyword] = read
    }
    if (Array.isArray(schema.items)) result.prefixItems = schema.items.map((item) => walk(item))
    for (const [bound, exclusive] of BOUNDS) {
      if (schema[exclusive] !== true || typeof result[bound] !== 'number') continue
      result[exclusive] = result[bound]
      delete result[bound]
    }
    return result
  }

  /** Resolves a local reference, merged with its sibling keywords. */
  #followed(given: JsonObject, reference: string, path: SchemaPath): JsonObject {
    const { $ref: _reference, ...siblings } = given
    const isBack = this.#timesFollowed(reference) > 0
    if (isBack && path.isOptional && this.#resolving.keepsReferences) return this.#reference(reference)
    const target = isBack || this.#parts > MAX_PARTS ? undefined : this.#taken(reference)
    if (!target) return this.#cut(siblings)
    const next = { depth: path.depth + 1, isOptional: false }
    const whole = Object.keys(siblings).length > 0 ? { ...target, ...siblings } : target
    return this.#within([reference], () => this.#schema(whole, next))
  }

  /**
   * Returns the target of a reference if the budget allows writing it again. Definitions inside it are not written with
   * it, and those of the whole schema are written nowhere else: the first use of each is free.
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
    const apart = (value: unknown) => (isObject(value) ? budget.lengthOf(value) : 0)
    return budget.takes(budget.lengthOf(target) - apart($defs) - apart(definitions)) ? target : undefined
  }

  #reference(reference: string): JsonObject {
    const name = this.#names.get(reference) ?? definitionName(reference, this.#names.size)
    this.#names.set(reference, name)
    return { $ref: `#/$defs/${name}` }
  }

  #cut({ description }: JsonObject): JsonObject {
    this.#resolving.report('$ref')
    return { type: 'object', ...(typeof description === 'string' && { description }) }
  }

  #referred(reference: string): JsonObject | undefined {
    if (reference === '#') return this.#root
    if (!reference.startsWith('#/') || reference.length > MAX_REFERENCE) return undefined
    const steps = reference.slice(2).split('/', MAX_STEPS + 1)
    if (steps.length > MAX_STEPS) return undefined
    const found = steps.reduce<unknown>((path, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      if (Array.isArray(path)) return path[Number(name)]
      return isObject(path) && Object.hasOwn(path, name) ? path[name] : undefined
    }, this.#root)
    return isObject(found) ? found : undefined
  }

  /**
   * Returns all schemas that must match in a schema with `allOf`, without their own `allOf` and references; the
   * references are added to `reached`.
   */
  #conjuncts(given: JsonObject, path: SchemaPath, reached: string[]): readonly JsonObject[] {
    const { allOf, $ref, ...own } = given
    this.#parts += 1
    const isEnd = path.depth > MAX_DEPTH || this.#parts > MAX_PARTS
    const follows = typeof $ref === 'string' && !isEnd && this.#timesFollowed($ref) < MAX_INHERITED
    if (isEnd || (typeof $ref === 'string' && !follows)) this.#resolving.report('$ref')
    if (isEnd) return [own]
    const target = follows ? this.#taken($ref) : undefined
    if (follows && !target) this.#resolving.report('$ref')
    const followed = follows ? [$ref] : []
    reached.push(...followed)
    const parts = [...(target ? [target] : []), ...(Array.isArray(allOf) ? allOf.filter(isObject) : [])]
    const next = { ...path, depth: path.depth + 1 }
    const inner = this.#within(followed, () => parts.flatMap((part) => this.#conjuncts(part, next, reached)))
    return [own, ...inner]
  }
}

const SHARED = /^#\/(?:\$defs|definitions)\/[^/]*$/

/** Bounds and their exclusive keywords, which were booleans next to the bound in older drafts. */
const BOUNDS = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const
