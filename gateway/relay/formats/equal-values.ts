import { ExactNumber } from '../../base/json/exact-number.ts'
import { UntrustedMap } from '../../base/untrusted-keys.ts'

/**
 * Identifies parsed values that are the same JSON, with members in the same order. Visits each object once, however
 * often it is compared, and serializes none. A class: one is created for each use.
 */
export class EqualValues {
  #count = 0
  readonly #objects = new Map<object, number>()
  readonly #plain = new UntrustedMap<unknown, number>()
  readonly #shapes = new UntrustedMap<string, number>()

  idOf(value: unknown): number {
    if (value instanceof ExactNumber) return this.#numbered(this.#shapes, value.digits)
    if (typeof value !== 'object' || value === null) return this.#numbered(this.#plain, value)
    const known = this.#objects.get(value)
    if (known !== undefined) return known
    const id = this.#numbered(this.#shapes, Array.isArray(value) ? this.#list(value) : this.#members(value))
    this.#objects.set(value, id)
    return id
  }

  #list(items: readonly unknown[]): string {
    return `[${items.map((item) => this.idOf(item)).join()}`
  }

  #members(value: object): string {
    return `{${Object.entries(value).map(([name, member]) => `${this.idOf(name)}:${this.idOf(member)}`)}`
  }

  #numbered<Key>(ids: UntrustedMap<Key, number>, key: Key): number {
    const known = ids.get(key)
    if (known !== undefined) return known
    this.#count += 1
    ids.set(key, this.#count)
    return this.#count
  }
}
