import type { OutgoingHttpHeaders } from 'node:http'
import type { Usage } from '../../billing/usage.ts'

/** Headers that say what an answer is, and are given again with it. */
const KEPT_HEADERS = ['content-type', 'cache-control', 'x-accel-buffering', 'x-switchyard-dropped'] as const

/**
 * An answer as its caller gets it, written down while it goes out; nothing of one that grows too large. A class: one is made
 * for each request whose answer may be kept.
 */
export class Recording {
  /** What was charged for; undefined until it is. */
  usage: Usage | undefined
  /** The answer came to its own end. */
  isWhole = false
  isStream = false
  head: Readonly<Record<string, string>> = {}
  readonly #largest: number
  #parts: Buffer[] = []
  #size = 0
  #isDropped = false

  constructor(largest: number) {
    this.#largest = largest
  }

  /** The answer begins under this head. */
  begin(head: OutgoingHttpHeaders, isStream: boolean): void {
    this.isStream = isStream
    const kept = KEPT_HEADERS.flatMap((name) => (head[name] === undefined ? [] : [[name, String(head[name])]]))
    this.head = Object.fromEntries(kept)
  }

  /** Bytes that go out; false where the answer is not kept. */
  add(bytes: Buffer | string): boolean {
    if (this.#isDropped) return false
    const part = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    this.#size += part.length
    if (this.#size > this.#largest) this.drop()
    else this.#parts.push(part)
    return !this.#isDropped
  }

  /** Notes what was charged for, and answers it. */
  charged(usage: Usage): Usage {
    this.usage = usage
    // What was searched for may be found otherwise the next time.
    if (usage.webSearches + usage.fileSearches > 0) this.drop()
    return usage
  }

  /** The answer is not kept. */
  drop(): void {
    this.#isDropped = true
    this.#parts = []
  }

  /** The answer where all of it was charged and came; undefined where it is not kept. */
  bytes(): Buffer | undefined {
    return this.#isDropped || !this.isWhole || this.usage === undefined ? undefined : Buffer.concat(this.#parts)
  }
}
