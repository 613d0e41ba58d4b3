import { ExactNumber } from '../../base/json/exact-number.ts'
import type { Tool } from './conversation.ts'

/**
 * Characters of JSON by which the schemas of a request may grow where they are written for another vendor: those of its
 * tools together, and that of its answer by itself (docs/reference/limits.md#bodies). The hold of a call is a token for each of
 * its bytes, of which schemas have three or four: twice the length is paid for.
 */
export const MAX_GROWTH = 256 * 1024
const MIN_GROWTH = 16 * 1024
const TIMES = 2

/** How schemas are written: within which budget, and who hears of the keywords that are lost. */
export type SchemaWriting = Readonly<{ budget: SchemaBudget; report: (keyword: string) => void }>

/** The schemas of a request's tools. */
export const parametersOf = (tools: readonly Tool[]): readonly unknown[] =>
  tools.map((tool) => (tool.type === 'function' ? tool.parameters : undefined))

/** How the `schemas` of a request's tools, or that of its answer, are written; `drop` is the request's. */
export const schemaWriting = (
  of: 'toolSchema' | 'outputSchema',
  schemas: readonly unknown[],
  drop: (name: string) => void,
): SchemaWriting => ({
  budget: new SchemaBudget(schemas),
  report: (keyword) => drop(`${of}.${keyword}`),
})

/**
 * What the conversion of one request may still write more than its caller did. Asked before anything is written again, so
 * that neither time nor memory is spent on what is left out. A class: one is made for every request.
 */
export class SchemaBudget {
  readonly #schemas: readonly unknown[]
  /** Undefined until something is written again, as it is in few requests. */
  #left: number | undefined
  readonly #lengths = new Map<object, number>()

  constructor(schemas: readonly unknown[]) {
    this.#schemas = schemas
  }

  /** Counts characters that would be written again; false, and nothing counted, where they are too many. */
  takes(characters: number): boolean {
    const left = this.#left ?? this.#all()
    if (characters > left) return false
    this.#left = left - characters
    return true
  }

  #all(): number {
    const length = this.#schemas.reduce<number>((sum, schema) => sum + this.lengthOf(schema), 0)
    return Math.min(Math.max(TIMES * length, MIN_GROWTH), MAX_GROWTH)
  }

  /** The characters of a value as JSON. Each object is looked into once, however often it is asked about. */
  lengthOf(value: unknown): number {
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber)
      return JSON.stringify(value)?.length ?? 0
    const known = this.#lengths.get(value)
    if (known !== undefined) return known
    let length = 2
    if (Array.isArray(value)) for (const item of value) length += this.lengthOf(item) + 1
    else for (const [name, member] of Object.entries(value)) length += this.lengthOf(name) + 2 + this.lengthOf(member)
    this.#lengths.set(value, length)
    return length
  }
}
