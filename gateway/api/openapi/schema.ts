import { z } from 'zod'

/** A piece of the document: an object of JSON. */
export type Piece = Readonly<Record<string, unknown>>

/** Turns contracts into JSON Schema (2020-12, the dialect of OpenAPI 3.1), and gathers those that have a name. */
export interface Schemas {
  /** What is sent: a field with a default may be left out. */
  sent(schema: z.ZodType): Piece
  /** What is answered: every field that is not optional is there. */
  answered(schema: z.ZodType): Piece
  /** The schemas that named themselves (`meta({ id })`), as they stand under `#/components/schemas`. */
  readonly named: Readonly<Record<string, Piece>>
}

/** A collector for one document. It throws where two schemas claim one name. */
export function createSchemas(): Schemas {
  const named: Record<string, Piece> = {}
  const converted = (schema: z.ZodType, io: 'input' | 'output'): Piece => {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy })
    for (const [name, definition] of Object.entries($defs)) keep(named, name, inComponents(definition))
    return inComponents(own)
  }
  return {
    sent: (schema) => converted(schema, 'input'),
    answered: (schema) => converted(schema, 'output'),
    named,
  }
}

function keep(named: Record<string, Piece>, name: string, definition: Piece): void {
  const known = named[name]
  if (known && JSON.stringify(known) !== JSON.stringify(definition)) throw new Error(`two schemas are called ${name}`)
  named[name] = definition
}

/** A later release may add fields, so answers are not closed; and a whole number is one without bounds that only say how wide it is. */
function tidy({ jsonSchema }: Readonly<{ jsonSchema: z.core.JSONSchema.BaseSchema }>): void {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  delete jsonSchema.id
}

const ZOD_PLACE = '#/$defs/'

/** A piece whose references lead to where the document keeps what has a name. */
function inComponents(piece: unknown): Piece {
  const text = JSON.stringify(piece, (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace(ZOD_PLACE, '#/components/schemas/') : value,
  )
  return JSON.parse(text) as Piece // what has just been written
}
