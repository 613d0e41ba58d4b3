import { z } from 'zod'

export type Piece = Readonly<Record<string, unknown>>

/** Converts contracts to JSON Schema (2020-12, the dialect of OpenAPI 3.1), and collects the named ones. */
export interface Schemas {
  /** For requests: a field with a default is optional. */
  sent(schema: z.ZodType): Piece
  /** For responses: every field that is not optional is required. */
  answered(schema: z.ZodType): Piece
  /** The named schemas (`meta({ id })`), for `#/components/schemas`. */
  readonly named: Readonly<Record<string, Piece>>
}

/** A collector for one document. Its methods throw if two different schemas have the same name. */
export function createSchemas(): Schemas {
  const named: Record<string, Piece> = {}
  const converted = (schema: z.ZodType, io: 'input' | 'output'): Piece => {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy })
    for (const [name, definition] of Object.entries($defs)) storeDefinition(named, name, inComponents(definition))
    return inComponents(own)
  }
  return {
    sent: (schema) => converted(schema, 'input'),
    answered: (schema) => converted(schema, 'output'),
    named,
  }
}

function storeDefinition(named: Record<string, Piece>, name: string, definition: Piece): void {
  const known = named[name]
  if (known && JSON.stringify(known) !== JSON.stringify(definition)) throw new Error(`two schemas are called ${name}`)
  named[name] = definition
}

/** Later releases may add fields, so responses are open. Bounds that only state the safe integers are removed. */
function tidy({ jsonSchema }: Readonly<{ jsonSchema: z.core.JSONSchema.BaseSchema }>): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  delete jsonSchema.id
}

const ZOD_REFERENCE_PREFIX = '#/$defs/'

/** Points references to the document's components. */
function inComponents(piece: unknown): Piece {
  const text = JSON.stringify(piece, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(ZOD_REFERENCE_PREFIX, '#/components/schemas/') : value,
  )
  return JSON.parse(text) as Piece // what has just been written
}
