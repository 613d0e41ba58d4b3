import type { OutgoingHttpHeaders } from 'node:http'
import { Gathered } from '../../base/bytes/gathered.ts'
import { hasPricedTools, type Usage } from '../../billing/usage.ts'

const CACHED_HEADERS = ['content-type', 'cache-control', 'x-accel-buffering', 'x-switchyard-dropped'] as const

export type RecordingBudget = { recorded: number; readonly max: number }

/** A complete response that was charged. */
export type RecordedAnswer = Readonly<{
  bytes: Buffer
  head: Readonly<Record<string, string>>
  isStream: boolean
  usage: Usage
}>

/**
 * Records a response as it is sent; drops it if it grows too large or all recordings together exceed their limit. Its
 * creator must call `drop` at the end. A class: one is created per cacheable request.
 */
export class Recording {
  isWhole = false
  readonly #maxSize: number
  readonly #budget: RecordingBudget
  readonly #cache: (answer: RecordedAnswer) => boolean
  #isStream = false
  #head: Readonly<Record<string, string>> = {}
  /** The charged usage; undefined until the charge. */
  #usage: Usage | undefined
  #parts = new Gathered()
  #size = 0
  #isDropped = false

  constructor(maxSize: number, budget: RecordingBudget, cache: (answer: RecordedAnswer) => boolean) {
    this.#maxSize = maxSize
    this.#budget = budget
    this.#cache = cache
  }

  begin(head: OutgoingHttpHeaders, isStream: boolean): void {
    this.#isStream = isStream
    const cached = CACHED_HEADERS.flatMap((name) => (head[name] === undefined ? [] : [[name, String(head[name])]]))
    this.#head = Object.fromEntries(cached)
  }

  /** Records bytes that are sent; returns false if the response is not recorded. */
  add(bytes: Buffer | string): boolean {
    if (this.#isDropped) return false
    const part = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    const fits = this.#size + part.length <= this.#maxSize && this.#budget.recorded + part.length <= this.#budget.max
    if (!fits) {
      this.drop()
      return false
    }
    this.#size += part.length
    this.#budget.recorded += part.length
    this.#parts.add(part)
    return true
  }

  charged(usage: Usage): Usage {
    this.#usage = usage
    // Results of tools may differ the next time.
    if (hasPricedTools(usage)) this.drop()
    return usage
  }

  /** Releases the memory of the recording, cached or not. */
  drop(): void {
    this.#isDropped = true
    this.#budget.recorded -= this.#size
    this.#size = 0
    this.#parts = new Gathered()
  }

  /** Caches the response if it is complete and charged, and ends the recording. Returns whether it was cached. */
  keep(): boolean {
    const usage = this.#usage
    if (this.#isDropped || !this.isWhole || usage === undefined) return false
    const isCached = this.#cache({ bytes: this.#parts.take(), head: this.#head, isStream: this.#isStream, usage })
    this.drop()
    return isCached
  }
}
