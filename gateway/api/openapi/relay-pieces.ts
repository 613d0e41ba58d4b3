import { dialectTags } from './relay.ts'
import type { ErrorDialect } from './relay-errors.ts'
import type { Piece } from './schema.ts'

export type UnchargedRow = Readonly<{
  method: 'get' | 'post' | 'delete'
  path: string
  summary: string
  tag: string
  formats: readonly ErrorDialect[]
  parameters?: readonly Piece[]
  body?: Piece
  /** The schema of the response; absent if the connection becomes a socket. */
  answer?: Piece
  streams?: true
}>

export const text: Piece = { type: 'string' }
export const whole: Piece = { type: 'integer' }
export const maybe: Piece = { type: ['string', 'null'] }
/** An object with these members, all required except the `optional` ones. */
export const record = (properties: Readonly<Record<string, Piece>>, ...optional: string[]): Piece => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})
/** An object with at least these members. */
export const open = (properties: Readonly<Record<string, Piece>>): Piece => ({
  ...record(properties),
  additionalProperties: true,
})
export const list = (items: Piece): Piece => ({ type: 'array', items })

export const inQuery = (name: string, description: string, schema: Piece = text): Piece => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
})
export const idParameter: Piece = { name: 'id', in: 'path', required: true, schema: text }
/** An object with any of these members: a stored response of a vendor is passed on unchanged. */
export const passedOn = (properties: Readonly<Record<string, Piece>>): Piece => ({
  type: 'object',
  properties,
  additionalProperties: true,
})
export const itemPages: readonly Piece[] = [
  inQuery('limit', 'Items a page.', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
  inQuery('order', 'Newest first by default.', { enum: ['asc', 'desc'], default: 'desc' }),
  inQuery('after', 'The item before the page.'),
]
export const storedTag = { tag: dialectTags.responses, formats: ['responses'] } as const satisfies Partial<UnchargedRow>
