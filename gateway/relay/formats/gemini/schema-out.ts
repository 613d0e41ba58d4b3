import { type JsonObject, objectIn, present } from '../../../base/json.ts'
import type { RequestTarget } from '../codec.ts'
import { takesJsonSchema } from './model-name.ts'
import { resolvedSchema } from './resolved-schema.ts'
import { optionsOf, typedSchema } from './typed-schema.ts'
import { vendorSchema } from './vendor-schema.ts'

type Told = Pick<RequestTarget, 'model' | 'drop'>

/**
 * A tool's parameters as the model takes them: a JSON schema from 2.5 on, else the vendor's Schema; nothing where it takes
 * none. Keywords that are lost are reported (docs/reference/conversion.md#schemas-for-gemini).
 */
export function parametersOut(schema: JsonObject | undefined, target: Told): JsonObject {
  if (!schema) return {}
  const tell = (keyword: string) => target.drop(`toolSchema.${keyword}`)
  const isJson = takesJsonSchema(target.model)
  const written = isJson
    ? jsonSchema(schema, tell, (typed) => ofArguments(typed, tell))
    : vendorSchema(ofArguments(vendorTyped(schema, tell), tell), tell)
  if (takesNothing(written)) return {}
  return isJson ? { parametersJsonSchema: written } : { parameters: written }
}

/** The schema of an answer as the model takes it, in the same two forms; of the vendor's Schema it takes no title. */
export function answerSchemaOut(schema: JsonObject, target: Told): JsonObject {
  const tell = (keyword: string) => target.drop(`outputSchema.${keyword}`)
  if (takesJsonSchema(target.model)) return { responseJsonSchema: jsonSchema(schema, tell, (typed) => typed) }
  const { title: _title, ...responseSchema } = vendorSchema(vendorTyped(schema, tell), tell)
  return { responseSchema }
}

type Tell = (keyword: string) => void

function jsonSchema(schema: JsonObject, tell: Tell, asRoot: (typed: JsonObject) => JsonObject): JsonObject {
  const { schema: resolved, definitions } = resolvedSchema(schema, { keepsReferences: true, tell })
  const typed = asRoot(typedSchema(resolved, tell))
  if (definitions.size === 0) return typed
  const $defs = Object.fromEntries([...definitions].map(([name, definition]) => [name, typedSchema(definition, tell)]))
  return { ...typed, $defs }
}

const vendorTyped = (schema: JsonObject, tell: Tell): JsonObject =>
  typedSchema(resolvedSchema(schema, { keepsReferences: false, tell }).schema, tell)

/** Arguments are one object: of alternatives, one that takes what any of them takes and asks what all of them ask. */
function ofArguments(typed: JsonObject, tell: Tell): JsonObject {
  const options = optionsOf(typed) ?? [typed]
  const [only, ...others] = options.filter(isObjects)
  if (!only) return typed
  if (others.length === 0) return { ...only, type: 'object' }
  tell('anyOf')
  const all = [only, ...others]
  const [first = new Set(), ...rest] = all.map((option) => new Set(listOf(option.required)))
  const common = [...first].filter((name) => rest.every((names) => names.has(name)))
  return { type: 'object', ...unionOf(all), ...(common.length > 0 && { required: common }) }
}

const isObjects = ({ type }: JsonObject): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'))

/** Every property of any of the objects: one that several have is any of theirs. */
function unionOf(options: readonly JsonObject[]): JsonObject {
  const members = new Map<string, unknown[]>()
  for (const option of options)
    for (const [name, member] of Object.entries(objectIn(option.properties)))
      members
        .set(name, members.get(name) ?? [])
        .get(name)
        ?.push(member)
  const properties = Object.fromEntries([...members].map(([name, all]) => [name, { anyOf: all }]))
  const typed = typedSchema({ type: 'object', properties }, () => undefined)
  const [{ title, description } = {}] = options
  return present({ title, description, properties: typed.properties })
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Whether a function's parameters have nothing to fill in. */
function takesNothing(written: JsonObject): boolean {
  const { properties, patternProperties, additionalProperties = false, $ref } = written
  if ($ref !== undefined || optionsOf(written)) return false
  const named = [properties, patternProperties].flatMap((members) => Object.keys(objectIn(members)))
  return named.length === 0 && additionalProperties === false
}
