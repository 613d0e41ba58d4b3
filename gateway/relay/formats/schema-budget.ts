import { ExactNumber } from '../../base/json/exact-number.ts'
import { LONG } from '../../base/json/json-scan.ts'
import type { Tool } from './conversation.ts'

/**
 * Max characters of JSON that the schemas of a request may grow by in conversion: those of its tools in total, and
 * separately that of its output format (docs/reference/limits.md#bodies). The reservation counts one token per byte,
 * and schemas have three or four bytes per token, so up to twice the length is covered.
 */
export const MAX_GROWTH = 256 * 1024
const MIN_GROWTH = 16 * 1024
const GROWTH_FACTOR = 2

/** Max alternatives that are visited at the roots of all schemas, with their properties and required names. */
const MAX_ALL_PARTS = 20_000

export type SchemaWriting = Readonly<{ budget: SchemaBudget; report: (keyword: string) => void }>

export const parametersOf = (tools: readonly Tool[]): readonly unknown[] =>
  tools.map((tool) => (tool.type === 'function' ? tool.parameters : undefined))

/** Max characters of a reference; longer ones are not followed. */
export const MAX_REFERENCE = 1024

/** `schemas` are those of a request's tools, or that of its output format; `drop` is the request's. */
export const schemaWriting = (
  of: 'toolSchema' | 'outputSchema',
  schemas: readonly unknown[],
  drop: (name: string) => void,
): SchemaWriting => ({
  budget: new SchemaBudget(schemas),
  report: (keyword) => drop(`${of}.${keyword}`),
})

/**
 * Limits how much the conversion may add to the client's request. Checked before anything is written again, so that no
 * time or memory is spent on what is left out. A class: one is created for the tools of a request, and one for its
 * output format.
 */
export class SchemaBudget {
  /** Alternatives that may still be visited. */
  parts = MAX_ALL_PARTS
  readonly #schemas: readonly unknown[]
  /** Undefined until something is written again, which is rare. */
  #left: number | undefined
  readonly #lengths = new Map<object, number>()

  constructor(schemas: readonly unknown[]) {
    this.#schemas = schemas
  }

  /** Counts characters to be written again; returns false and counts nothing if they exceed the budget. */
  takes(characters: number): boolean {
    const left = this.#left ?? this.#all()
    if (characters > left) return false
    this.#left = left - characters
    return true
  }

  #all(): number {
    const length = this.#schemas.reduce<number>((sum, schema) => sum + this.lengthOf(schema), 0)
    return Math.min(Math.max(GROWTH_FACTOR * length, MIN_GROWTH), MAX_GROWTH)
  }

  /**
   * The length of a value as JSON; long texts count without their escapes. Visits each object once, even if it is
   * measured repeatedly.
   */
  lengthOf(value: unknown): number {
    if (typeof value === 'string' && value.length > LONG) return value.length
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
