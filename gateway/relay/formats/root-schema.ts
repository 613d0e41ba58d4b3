import { isObject, objectsIn } from '../../base/json.ts'
import type { Json } from './codec.ts'

/**
 * A tool's parameters without `anyOf`, `oneOf`, `allOf`, `not` and `enum` at the root, which OpenAI and Anthropic refuse there
 * (docs/reference/conversion.md#parameters-of-tools): what the alternatives allow is one object, what all of them require
 * is required, and which of them there are stands in the description. The same object where there is nothing to fold.
 */
export function rootFolded(schema: Json): Json {
  if (!ROOT.some((keyword) => keyword in schema)) return schema
  return folded(schema, schema, 0)
}

/** Keywords that may not stand at the root. */
const ROOT = ['anyOf', 'oneOf', 'allOf', 'not', 'enum'] as const

/** References of references of alternatives are not followed further down. */
const DEEPEST = 16

type Draft = { properties: Record<string, unknown>; required: string[]; notes: string[] }

function folded(schema: Json, root: Json, depth: number): Json {
  const { anyOf, oneOf, allOf, not, enum: _, properties, required, description, ...rest } = schema
  const draft: Draft = {
    properties: { ...(isObject(properties) ? properties : {}) },
    required: namesIn(required),
    notes: typeof description === 'string' ? [description] : [],
  }
  for (const part of branchesOf(allOf, root, depth)) join(draft, part, namesIn(part.required))
  addAlternatives(draft, branchesOf(anyOf, root, depth), 'At least one of these is needed')
  addAlternatives(draft, branchesOf(oneOf, root, depth), 'Exactly one of these is needed')
  if (isObject(not)) draft.notes.push(`Not allowed: ${JSON.stringify(not)}`)
  const { notes } = draft
  return {
    ...rest,
    type: 'object',
    ...(notes.length > 0 ? { description: notes.join('\n') } : {}),
    properties: draft.properties,
    ...(draft.required.length > 0 ? { required: [...new Set(draft.required)] } : {}),
  }
}

/** The schemas under a keyword, each with its reference followed and folded itself. */
function branchesOf(value: unknown, root: Json, depth: number): readonly Json[] {
  if (depth >= DEEPEST) return []
  return objectsIn(value).map((branch) => folded(target(branch, root), root, depth + 1))
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
  const common = namesIn(first.required).filter((name) =>
    others.every((branch) => namesIn(branch.required).includes(name)),
  )
  for (const branch of branches) join(draft, branch, [])
  draft.required.push(...common)
  const said = branches.map((branch) => described(branch)).filter((text) => text !== '')
  if (branches.length > 1 && said.length > 0) draft.notes.push(`${need}: ${said.join(' | ')}`)
}

/** Adds the properties of a branch; a property that differs between them is any of its kinds. */
function join(draft: Draft, { properties }: Json, required: readonly string[]): void {
  draft.required.push(...required)
  if (!isObject(properties)) return
  for (const [name, property] of Object.entries(properties)) {
    const known = Object.hasOwn(draft.properties, name) ? draft.properties[name] : undefined
    draft.properties[name] = known === undefined ? property : either(known, property)
  }
}

function either(one: unknown, other: unknown): unknown {
  const kinds = isObject(one) && Array.isArray(one.anyOf) && Object.keys(one).length === 1 ? one.anyOf : [one]
  const isKnown = kinds.some((kind) => JSON.stringify(kind) === JSON.stringify(other))
  if (isKnown) return one
  return { anyOf: [...kinds, other] }
}

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
