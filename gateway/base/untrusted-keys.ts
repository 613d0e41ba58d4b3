import { hash } from 'node:crypto'
import { refuse } from './errors.ts'

/**
 * Converts keys that a caller chose, for use in a `Map` or `Set`. V8 hashes texts of more than 16,383 characters by
 * their length only, and numbers by a function that everybody knows: a few thousand chosen ones would each be compared
 * with all others. Here a long text becomes its digest, and a number its decimals (docs/reference/security.md#input).
 */
class KeyHash {
  #characters = 0

  /** Throws `relay.badRequest` if the texts to digest are longer together than those of any real request. */
  of(key: unknown): unknown {
    if (typeof key === 'number') return `${MARK}${key}`
    if (typeof key !== 'string' || (key.length <= MAX_HASHED && !key.startsWith(MARK))) return key
    this.#characters += key.length
    if (this.#characters > MAX_DIGESTED) throw tooLong()
    return `${MARK}${hash('sha256', Buffer.from(key, 'utf16le'), 'base64')}`
  }
}

const MAX_HASHED = 16_383
const MAX_DIGESTED = 32 * 1024 * 1024
const MARK = '\0'

const tooLong = () =>
  refuse(
    'invalid',
    'relay.badRequest',
    { reason: `ids, names or values with more than ${MAX_HASHED} characters are repeated too often` },
    { code: 'invalid_text_request' },
  )

/** A map whose keys a caller chose. */
export class UntrustedMap<Key, Value> {
  readonly #hash = new KeyHash()
  readonly #entries = new Map<unknown, readonly [key: Key, value: Value]>()

  constructor(entries: Iterable<readonly [Key, Value]> = []) {
    for (const [key, value] of entries) this.set(key, value)
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(this.#hash.of(key))?.[1]
  }

  has(key: Key): boolean {
    return this.#entries.has(this.#hash.of(key))
  }

  set(key: Key, value: Value): this {
    this.#entries.set(this.#hash.of(key), [key, value])
    return this
  }

  delete(key: Key): boolean {
    return this.#entries.delete(this.#hash.of(key))
  }

  clear(): void {
    this.#entries.clear()
  }

  keys(): Key[] {
    return Array.from(this.#entries.values(), ([key]) => key)
  }

  values(): Value[] {
    return Array.from(this.#entries.values(), ([, value]) => value)
  }

  [Symbol.iterator](): IterableIterator<readonly [key: Key, value: Value]> {
    return this.#entries.values()
  }
}

/** A set whose members a caller chose. */
export class UntrustedSet<Key> {
  readonly #hash = new KeyHash()
  readonly #keys = new Map<unknown, Key>()

  constructor(keys: Iterable<Key> = []) {
    for (const key of keys) this.add(key)
  }

  get size(): number {
    return this.#keys.size
  }

  has(key: Key): boolean {
    return this.#keys.has(this.#hash.of(key))
  }

  add(key: Key): this {
    this.#keys.set(this.#hash.of(key), key)
    return this
  }

  delete(key: Key): boolean {
    return this.#keys.delete(this.#hash.of(key))
  }

  [Symbol.iterator](): IterableIterator<Key> {
    return this.#keys.values()
  }
}
