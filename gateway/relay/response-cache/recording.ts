import type { OutgoingHttpHeaders } from 'node:http'
import { Gathered } from '../../base/bytes/gathered.ts'
import { hasPricedTools, type Usage } from '../../billing/usage.ts'

/** Headers that say what an answer is, and are given again with it. */
const KEPT_HEADERS = ['content-type', 'cache-control', 'x-accel-buffering', 'x-switchyard-dropped'] as const

/** What all recordings under way hold together, and the most of it, in bytes. */
export type RecordingRoom = { held: number; readonly max: number }

/**
 * An answer as its caller gets it, written down while it goes out; nothing of one that grows too large, or for which there is
 * no room beside the others. Whoever makes one drops it in the end. A class: one is made
 * for each request whose answer may be kept.
 */
export class Recording {
  /** What was charged for; undefined until it is. */
  usage: Usage | undefined
  /** The answer came to its own end. */
  isWhole = false
  isStream = false
  head: Readonly<Record<string, string>> = {}
  readonly #maxSize: number
  readonly #room: RecordingRoom
  #parts = new Gathered()
  #size = 0
  #isDropped = false

  constructor(maxSize: number, room: RecordingRoom) {
    this.#maxSize = maxSize
    this.#room = room
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
    const isRoom = this.#size + part.length <= this.#maxSize && this.#room.held + part.length <= this.#room.max
    if (!isRoom) {
      this.drop()
      return false
    }
    this.#size += part.length
    this.#room.held += part.length
    this.#parts.add(part)
    return true
  }

  /** Notes what was charged for, and answers it. */
  charged(usage: Usage): Usage {
    this.usage = usage
    // What a tool has found or made may be different the next time.
    if (hasPricedTools(usage)) this.drop()
    return usage
  }

  /** The answer is not kept, or has been: what it took is free. */
  drop(): void {
    this.#isDropped = true
    this.#room.held -= this.#size
    this.#size = 0
    this.#parts = new Gathered()
  }

  /** The answer where all of it was charged and came; undefined where it is not kept. */
  bytes(): Buffer | undefined {
    return this.#isDropped || !this.isWhole || this.usage === undefined ? undefined : this.#parts.take()
  }
}
