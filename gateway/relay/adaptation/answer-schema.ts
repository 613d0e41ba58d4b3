import { isObject, objectIn } from '../../base/json/json.ts'
import { UntrustedSet } from '../../base/untrusted-keys.ts'
import type { Json } from '../formats/codec.ts'
import type { OutputFormat } from '../formats/conversation.ts'
import { WRAPPING } from '../transforms/unwrapped-json.ts'

type AnswerParameters = Readonly<{ parameters: Json; isWrapped: boolean }>

/**
 * Converts the schema of an answer to a tool's parameters, which must be an object: any other schema becomes the only
 * member `WRAPPING`. So does JSON of any shape, since models leave parameters without members empty.
 */
export function answerParameters(output: OutputFormat): AnswerParameters {
  if (output.type === 'json') return wrapped({ type: 'object', additionalProperties: true })
  if (isPlainObject(output.schema)) return { parameters: { type: 'object', ...output.schema }, isWrapped: false }
  const { $schema: _, $defs, definitions, ...schema } = output.schema
  const shared = { ...(isObject($defs) ? { $defs } : {}), ...(isObject(definitions) ? { definitions } : {}) }
  return wrapped(relocated(schema, 0), relocated(shared, 0))
}

const wrapped = (schema: unknown, shared: unknown = {}): AnswerParameters => ({
  parameters: {
    type: 'object',
    properties: { [WRAPPING]: schema },
    required: [WRAPPING],
    additionalProperties: false,
    ...(isObject(shared) ? shared : {}),
  },
  isWrapped: true,
})

/** Keywords beyond a plain object with members; vendors refuse them at the root. */
const ROOT_KEYWORDS = ['anyOf', 'oneOf', 'allOf', 'not', '$ref', 'if', 'enum', 'const', 'patternProperties'] as const

const isPlainObject = (schema: Json): boolean =>
  (schema.type === 'object' || (schema.type === undefined && isObject(schema.properties))) &&
  isObject(schema.properties) &&
  Object.keys(schema.properties).length > 0 &&
  !ROOT_KEYWORDS.some((keyword) => keyword in schema)

/** Parts of a schema that are nested deeper than this are left unchanged, and count as closed. */
const MAX_DEPTH = 64
const SHARED = /^#\/(?:\$defs|definitions)\//

/** Adjusts references to the root, which has moved. */
function relocated(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return value
  if (Array.isArray(value)) return value.map((item) => relocated(item, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      name === '$ref' && typeof member === 'string' ? [name, reference(member)] : [name, relocated(member, depth + 1)],
    ),
  )
}

const reference = (path: string): string =>
  path.startsWith('#') && !SHARED.test(path) ? `#/properties/${WRAPPING}${path.slice(1)}` : path

/**
 * Whether a schema has objects with unnamed members, which closed objects cannot express, or is recursive, which
 * vendors that require closed objects refuse.
 */
export const isUnclosable = (schema: Json): boolean => isOpen(schema, 0) || isRecursive(schema)

function isOpen(schema: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  if (Array.isArray(schema)) return schema.some((item) => isOpen(item, depth + 1))
  if (!isObject(schema)) return false
  if (isObject(schema.patternProperties)) return true
  const { additionalProperties: more, properties } = schema
  if (more === true || (isObject(more) && Object.keys(more).length > 0)) return true
  if (schema.type === 'object' && !isObject(properties) && more !== false && !COMPOSED.some((name) => name in schema))
    return true
  return Object.values(schema).some((member) => isOpen(member, depth + 1))
}

const COMPOSED = ['anyOf', 'allOf', 'oneOf', '$ref'] as const

/** Whether following references leads back to one that is already being followed. */
function isRecursive(root: Json): boolean {
  const followed = new UntrustedSet<string>()
  const isWithin = (schema: unknown, open: readonly string[], depth: number): boolean => {
    if (depth > MAX_DEPTH) return false
    if (Array.isArray(schema)) return schema.some((item) => isWithin(item, open, depth + 1))
    if (!isObject(schema)) return false
    const { $ref, $defs: _, definitions: __, ...rest } = schema
    if (Object.values(rest).some((member) => isWithin(member, open, depth + 1))) return true
    if (typeof $ref !== 'string') return false
    if (open.includes($ref)) return true
    if (followed.has($ref)) return false
    followed.add($ref)
    return isWithin(definitionAt(root, $ref), [...open, $ref], depth + 1)
  }
  return isWithin(root, ['#'], 0)
}

/** Returns undefined if the reference is not to a shared definition. */
function definitionAt({ $defs, definitions }: Json, path: string): unknown {
  const [, group, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(path) ?? []
  if (name === undefined) return undefined
  return objectIn(group === '$defs' ? $defs : definitions)[name]
}
