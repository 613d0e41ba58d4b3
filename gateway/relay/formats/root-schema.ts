import { isObject, objectsIn } from '../../base/json.ts'
import type { Json } from './codec.ts'

/**
 * A tool's parameters without `anyOf`, `oneOf`, `allOf`, `not` and `enum` at the root, which OpenAI and Anthropic refuse there
 * (docs/reference/conversion.md#parameters-of-tools): what the alternatives allow is one object, what all of them require
 * is required, and which of them there are stands in the description. The same object where there is nothing to fold.
 */
export function rootFolded(schema: Json): Json {
  if (!ROOT.some((keyword) => keyword in schema)) return schema
  return folded(schema, { root: schema, left: MAX_PARTS }, 0)
}

/** Keywords that may not stand at the root. */
const ROOT = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'] as const

/** References of references of alternatives are not followed further down. */
const DEEPEST = 16
/**
 * Alternatives, and the properties and required names in them, that are looked at in all: references may multiply them
 * without end. What is beyond is left out, as it would be of no use to a model.
 */
const MAX_PARTS = 5000

/** The whole schema, and how many parts may still be looked at. */
type Walk = { readonly root: Json; left: number }

/** The kinds of each member are known by their JSON. */
type Draft = { properties: Map<string, Map<string, unknown>>; required: string[]; notes: string[] }

function folded(schema: Json, walk: Walk, depth: number): Json {
  const { anyOf, oneOf, allOf, not, enum: _, properties, required, description, ...rest } = schema
  if (depth > 0) walk.left -= 1 + sizeOf(properties) + sizeOf(required)
  const draft: Draft = {
    properties: new Map(),
    required: [],
    notes: typeof description === 'string' ? [description] : [],
  }
  join(draft, schema, namesIn(required))
  for (const part of branchesOf(allOf, walk, depth)) join(draft, part, namesIn(part.required))
  addAlternatives(draft, branchesOf(anyOf, walk, depth), 'At least one of these is needed')
  addAlternatives(draft, branchesOf(oneOf, walk, depth), 'Exactly one of these is needed')
  if (isObject(not)) draft.notes.push(`Not allowed: ${JSON.stringify(not)}`)
  const { notes } = draft
  return {
    ...rest,
    type: 'object',
    ...(notes.length > 0 ? { description: notes.join('\n') } : {}),
    properties: shown(draft.properties),
    ...(draft.required.length > 0 ? { required: [...new Set(draft.required)] } : {}),
  }
}

/** The schemas under a keyword, each with its reference followed and folded itself. */
function branchesOf(value: unknown, walk: Walk, depth: number): readonly Json[] {
  if (depth >= DEEPEST) return []
  const branches: Json[] = []
  for (const branch of objectsIn(value)) {
    if (walk.left <= 0) break
    branches.push(folded(target(branch, walk.root), walk, depth + 1))
  }
  return branches
}

const sizeOf = (value: unknown): number => {
  if (Array.isArray(value)) return value.length
  return isObject(value) ? Object.keys(value).length : 0
}

/** What a `$ref` within the schema points at, with what stands beside it. */
function target(branch: Json, root: Json): Json {
  const { $ref, ...beside } = branch
  if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return branch
  let found: unknown = root
  for (const name of $ref.slice(2).split('/')) found = isObject(found) ? found[unescaped(name)] : undefined
  return isObject(found) ? { ...found, ...beside } : branch
}

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

function addAlternatives(draft: Draft, branches: readonly Json[], need: string): void {
  const [first, ...others] = branches
  if (!first) return
  let common = namesIn(first.required)
  for (const { required } of others) {
    const needed = new Set(namesIn(required))
    common = common.filter((name) => needed.has(name))
  }
  for (const branch of branches) join(draft, branch, [])
  for (const name of common) draft.required.push(name)
  const said = branches.map((branch) => described(branch)).filter((text) => text !== '')
  if (branches.length > 1 && said.length > 0) draft.notes.push(`${need}: ${said.join(' | ')}`)
}

/** Adds the properties of a branch; a property that differs between them is any of its kinds. */
function join(draft: Draft, { properties }: Json, required: readonly string[]): void {
  for (const name of required) draft.required.push(name)
  if (!isObject(properties)) return
  for (const [name, property] of Object.entries(properties)) {
    const kinds = draft.properties.get(name) ?? new Map<string, unknown>()
    draft.properties.set(name, kinds)
    for (const kind of kindsIn(property)) {
      const said = JSON.stringify(kind)
      if (!kinds.has(said)) kinds.set(said, kind)
    }
  }
}

/** The members of a schema that may be of several kinds, each kind once. */
function shown(properties: Draft['properties']): Json {
  const members = [...properties].map(([name, kinds]) => {
    const [only, ...others] = kinds.values()
    return [name, others.length === 0 ? only : { anyOf: [only, ...others] }] as const
  })
  return Object.fromEntries(members)
}

/** What a member may be: all that is said of it, or each of what it says. */
const kindsIn = (property: unknown): readonly unknown[] =>
  isObject(property) && Array.isArray(property.anyOf) && Object.keys(property).length === 1
    ? property.anyOf
    : [property]

/** An alternative in words: what it is, and what it needs. */
function described({ description, properties, required }: Json): string {
  const needed = namesIn(required)
  const names = needed.length > 0 ? needed : Object.keys(isObject(properties) ? properties : {})
  return [names.join(', '), typeof description === 'string' ? `(${description})` : '']
    .filter((text) => text !== '')
    .join(' ')
}

const namesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
