import { isObject, objectIn } from '../../base/json/json.ts'
import { MAX_NAME_LENGTH } from '../../base/json/json-scan.ts'
import type { Json } from './codec.ts'
import { EqualValues } from './equal-values.ts'
import { MAX_REFERENCE, type SchemaWriting } from './schema-budget.ts'

/**
 * Folds `anyOf`, `oneOf`, `allOf` and `not` at the root of a tool's parameters, and drops `enum`, since OpenAI and
 * Anthropic refuse them there (docs/reference/conversion.md#tool-parameters): the alternatives become one object that
 * requires what all of them require, and the description lists them. Returns the same object if there is nothing to
 * fold. Keywords that are not fully expressed are passed to `writing.report`.
 */
export function rootFolded(schema: Json, writing: SchemaWriting): Json {
  if (!ROOT.some((keyword) => keyword in schema)) return schema
  const known = { targets: new Map(), kinds: new Map(), values: new EqualValues() }
  const max = Math.min(MAX_PARTS, writing.budget.parts)
  const walk: Walk = { ...writing, ...known, root: schema, left: max }
  const { notes, properties, required } = folded(schema, walk, 0)
  writing.budget.parts -= max - walk.left
  if ('enum' in schema) writing.report('enum')
  const { anyOf, oneOf, allOf, not, enum: _, description, ...rest } = schema
  return {
    ...rest,
    type: 'object',
    ...(notes.length > 0 ? { description: notes.join('\n') } : {}),
    properties,
    ...(required.length > 0 ? { required } : {}),
  }
}

const ROOT = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'] as const

/** Nesting limit for alternatives of alternatives. */
const MAX_DEPTH = 16
/**
 * Limit on alternatives, with their properties and required names, that are visited in one schema: references could
 * multiply them without bound. The rest is left out; it would be useless to a model.
 */
const MAX_PARTS = 5000

type Walk = SchemaWriting & {
  readonly root: Json
  left: number
  readonly targets: Map<string, Json | undefined>
  readonly kinds: Map<Json, readonly unknown[]>
  readonly values: EqualValues
}

type Folded = Readonly<{ notes: readonly string[]; properties: Json; required: readonly string[] }>

/** `properties`: for each member, its kinds by their ids. */
type Draft = { properties: Map<string, Map<number, unknown>>; required: Set<string>; notes: string[] }

function folded(schema: Json, walk: Walk, depth: number): Folded {
  const { anyOf, oneOf, allOf, not, properties, required, description } = schema
  if (depth > 0) walk.left -= 1 + weightOf(properties, walk) + (Array.isArray(required) ? required.length : 0)
  const draft: Draft = {
    properties: new Map(),
    required: new Set(namesIn(required)),
    notes: typeof description === 'string' ? [description] : [],
  }
  join(draft, objectIn(properties), walk)
  for (const part of branchesOf('allOf', allOf, walk, depth)) {
    join(draft, part.properties, walk)
    for (const name of part.required) draft.required.add(name)
  }
  addAlternatives('anyOf', branchesOf('anyOf', anyOf, walk, depth), draft, walk)
  addAlternatives('oneOf', branchesOf('oneOf', oneOf, walk, depth), draft, walk)
  if (isObject(not)) {
    if (walk.budget.takes(walk.budget.lengthOf(not))) draft.notes.push(`Not allowed: ${JSON.stringify(not)}`)
    else walk.report('not')
  }
  return { notes: draft.notes, properties: shown(draft.properties), required: [...draft.required] }
}

/** The schemas under a keyword, each dereferenced and folded. */
function branchesOf(keyword: string, value: unknown, walk: Walk, depth: number): readonly Folded[] {
  const branches: Folded[] = []
  for (const branch of Array.isArray(value) ? value : []) {
    if (walk.left <= 0 || depth >= MAX_DEPTH) {
      walk.report(keyword)
      break
    }
    if (isObject(branch)) branches.push(folded(target(branch, walk), walk, depth + 1))
    else walk.left -= 1
  }
  return branches
}

function weightOf(properties: unknown, walk: Walk): number {
  let weight = 0
  for (const property of Object.values(objectIn(properties))) weight += Math.max(kindsIn(property, walk).length, 1)
  return weight
}

/** The keywords read from an alternative; all others are never copied. */
const READ = ['properties', 'required', 'description', 'anyOf', 'oneOf', 'allOf', 'not'] as const

/** Resolves a `$ref` within the schema, merged with its sibling keywords. */
function target(branch: Json, walk: Walk): Json {
  const { $ref } = branch
  const found = typeof $ref === 'string' && $ref.startsWith('#/') ? referred($ref, walk) : undefined
  if (!found) return branch
  const read: Record<string, unknown> = {}
  for (const keyword of READ) read[keyword] = keyword in branch ? branch[keyword] : found[keyword]
  return read
}

/**
 * Resolves each reference once, since it may be long and be used repeatedly. The target may be written again only if
 * the budget allows it.
 */
function referred(reference: string, { root, targets, budget, report }: Walk): Json | undefined {
  if (reference.length > MAX_REFERENCE) return undefined
  if (targets.has(reference)) return targets.get(reference)
  let found: unknown = root
  for (const name of reference.slice(2).split('/')) found = isObject(found) ? found[unescaped(name)] : undefined
  const isTaken = isObject(found) && budget.takes(budget.lengthOf(found))
  if (isObject(found) && !isTaken) report('$ref')
  const known = isObject(found) && isTaken ? found : undefined
  targets.set(reference, known)
  return known
}

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

const NEED = {
  anyOf: 'At least one of these is needed',
  oneOf: 'Exactly one of these is needed',
} as const

function addAlternatives(keyword: keyof typeof NEED, branches: readonly Folded[], draft: Draft, walk: Walk): void {
  const [first, ...others] = branches
  if (!first) return
  let common = first.required
  for (const { required } of others) {
    const needed = new Set(required)
    common = common.filter((name) => needed.has(name))
  }
  for (const { properties } of branches) join(draft, properties, walk)
  for (const name of common) draft.required.add(name)
  const length = branches.reduce((sum, branch) => sum + lengthOf(branch), 0)
  if (others.length === 0 || length === 0) return
  if (!walk.budget.takes(length)) {
    walk.report(keyword)
    return
  }
  const alternatives = branches.map(described).filter((text) => text !== '')
  draft.notes.push(`${NEED[keyword]}: ${alternatives.join(' | ')}`)
}

function join(draft: Draft, properties: Json, walk: Walk): void {
  for (const [name, property] of Object.entries(properties)) {
    const kinds = draft.properties.get(name) ?? new Map<number, unknown>()
    draft.properties.set(name, kinds)
    for (const kind of kindsIn(property, walk)) {
      // A text is not a schema, but may be long: only the first counts.
      const id = typeof kind === 'string' ? TEXT : walk.values.idOf(kind)
      if (!kinds.has(id)) kinds.set(id, kind)
    }
  }
}

const TEXT = -1

function shown(properties: Draft['properties']): Json {
  const members = [...properties].map(([name, kinds]) => {
    const [only, ...others] = kinds.values()
    return [name, others.length === 0 ? only : { anyOf: [only, ...others] }] as const
  })
  return Object.fromEntries(members)
}

/** The kinds of a property: the options of one that consists only of `anyOf`, else the property itself. */
function kindsIn(property: unknown, { kinds }: Walk): readonly unknown[] {
  if (!isObject(property) || !Array.isArray(property.anyOf)) return [property]
  const known = kinds.get(property) ?? (Object.keys(property).length === 1 ? property.anyOf : [property])
  kinds.set(property, known)
  return known
}

function described(branch: Folded): string {
  const description = branch.notes.join('\n')
  return [wordsOf(branch).join(', '), description === '' ? '' : `(${description})`]
    .filter((text) => text !== '')
    .join(' ')
}

/** An upper bound of the length of an alternative's description. */
const lengthOf = (branch: Folded): number =>
  [...wordsOf(branch), ...branch.notes].reduce((sum, text) => sum + (text === '' ? 0 : text.length + 3), 0)

const wordsOf = ({ properties, required }: Folded): readonly string[] =>
  required.length > 0 ? required : Object.keys(properties)

/** The names in a list that are short enough for a member. */
const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string' && name.length <= MAX_NAME_LENGTH) : []
