/**
 * Characters of JSON by which the schemas of a request may grow where they are written for another vendor, in all: those of
 * its tools together, and that of its answer by itself (docs/reference/limits.md#bodies). The hold of a call is made from its
 * caller's bytes: what is added to them is to be a trifle.
 */
export const MOST_GROWTH = 256 * 1024

/** How schemas are written: within which budget, and who hears of the keywords that are lost. */
export type SchemaWriting = Readonly<{ budget: SchemaBudget; tell: (keyword: string) => void }>

/** How the schemas of a request's tools, or that of its answer, are written; `drop` is the request's. */
export const schemaWriting = (of: 'toolSchema' | 'outputSchema', drop: (name: string) => void): SchemaWriting => ({
  budget: new SchemaBudget(),
  tell: (keyword) => drop(`${of}.${keyword}`),
})

/**
 * What the conversion of one request may still write more than its caller did. Asked before anything is written again, so
 * that neither time nor memory is spent on what is left out. A class: one is made for every request.
 */
export class SchemaBudget {
  #left = MOST_GROWTH
  readonly #lengths = new Map<object, number>()

  /** Counts characters that would be written again; false, and nothing counted, where they are too many. */
  takes(characters: number): boolean {
    if (characters > this.#left) return false
    this.#left -= characters
    return true
  }

  /** The characters of a value as JSON. Each object is looked into once, however often it is asked about. */
  lengthOf(value: unknown): number {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)?.length ?? 0
    const known = this.#lengths.get(value)
    if (known !== undefined) return known
    let length = 2
    if (Array.isArray(value)) for (const item of value) length += this.lengthOf(item) + 1
    else for (const [name, member] of Object.entries(value)) length += this.lengthOf(name) + 2 + this.lengthOf(member)
    this.#lengths.set(value, length)
    return length
  }
}
