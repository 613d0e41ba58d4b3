import { type JsonObject, objectIn, present } from '../../../base/json/json.ts'
import { UntrustedSet } from '../../../base/untrusted-keys.ts'
import { takesJsonSchema } from '../../capabilities/gemini-models.ts'
import type { RequestTarget } from '../codec.ts'
import { type SchemaBudget, type SchemaWriting, schemaWriting } from '../schema-budget.ts'
import { resolvedSchema } from './resolved-schema.ts'
import { optionsOf, typedSchema } from './typed-schema.ts'
import { vendorSchema } from './vendor-schema.ts'

/**
 * Writes a tool's parameters: a JSON schema for models from 2.5 on, else the vendor's Schema; nothing for a tool
 * without parameters. Lost keywords are reported (docs/reference/conversion.md#schemas-for-gemini).
 */
export function parametersOut(schema: JsonObject | undefined, model: string, writing: SchemaWriting): JsonObject {
  if (!schema) return {}
  const isJson = takesJsonSchema(model)
  const written = isJson
    ? jsonSchema(schema, writing, (typed) => ofArguments(typed, writing))
    : vendorSchema(ofArguments(vendorTyped(schema, writing), writing), writing)
  if (takesNothing(written)) return {}
  return isJson ? { parametersJsonSchema: written } : { parameters: written }
}

/** Writes the schema of the output, also as a JSON schema or the vendor's Schema, which accepts no title here. */
export function answerSchemaOut(
  schema: JsonObject,
  { model, drop }: Pick<RequestTarget, 'model' | 'drop'>,
): JsonObject {
  const writing = schemaWriting('outputSchema', [schema], drop)
  if (takesJsonSchema(model)) return { responseJsonSchema: jsonSchema(schema, writing, (typed) => typed) }
  const { title: _title, ...responseSchema } = vendorSchema(vendorTyped(schema, writing), writing)
  return { responseSchema }
}

function jsonSchema(schema: JsonObject, writing: SchemaWriting, asRoot: (typed: JsonObject) => JsonObject): JsonObject {
  const { schema: resolved, definitions } = resolvedSchema(schema, { ...writing, keepsReferences: true })
  const typed = asRoot(typedSchema(resolved, writing))
  if (definitions.size === 0) return typed
  const written = [...definitions].map(([name, definition]) => [name, typedSchema(definition, writing)] as const)
  return { ...typed, $defs: Object.fromEntries(written) }
}

const vendorTyped = (schema: JsonObject, writing: SchemaWriting): JsonObject =>
  typedSchema(resolvedSchema(schema, { ...writing, keepsReferences: false }).schema, writing)

/**
 * Arguments must be one object: alternatives become one that accepts the members of any and requires what all require.
 */
function ofArguments(typed: JsonObject, { budget, report }: SchemaWriting): JsonObject {
  const options = optionsOf(typed) ?? [typed]
  const [only, ...others] = options.filter(isObjects)
  if (!only) return typed
  if (others.length === 0) return { ...only, type: 'object' }
  report('anyOf')
  const all = [only, ...others]
  const [first = new UntrustedSet(), ...rest] = all.map((option) => new UntrustedSet(listOf(option.required)))
  const common = [...first].filter((name) => rest.every((names) => names.has(name)))
  return { type: 'object', ...unionOf(all, budget), ...(common.length > 0 && { required: common }) }
}

const isObjects = ({ type }: JsonObject): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'))

function unionOf(options: readonly JsonObject[], budget: SchemaBudget): JsonObject {
  const members = new Map<string, unknown[]>()
  for (const option of options)
    for (const [name, member] of Object.entries(objectIn(option.properties)))
      members
        .set(name, members.get(name) ?? [])
        .get(name)
        ?.push(member)
  const properties = Object.fromEntries([...members].map(([name, all]) => [name, { anyOf: all }]))
  const typed = typedSchema({ type: 'object', properties }, { budget, report: () => undefined })
  const [{ title, description } = {}] = options
  return present({ title, description, properties: typed.properties })
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function takesNothing(written: JsonObject): boolean {
  const { properties, patternProperties, additionalProperties = false, $ref } = written
  if ($ref !== undefined || optionsOf(written)) return false
  const named = [properties, patternProperties].flatMap((members) => Object.keys(objectIn(members)))
  return named.length === 0 && additionalProperties === false
}
