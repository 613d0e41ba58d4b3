import { isUtf8 } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { Gathered } from '../../base/bytes/gathered.ts'
import type { BodyState } from '../../store/schema/schema-bodies.ts'

export type CopyBudget = { stored: number; readonly max: number }

export type CopiedBody = Readonly<{ bytes: Buffer; state: BodyState }>

const NOTHING = Buffer.alloc(0)

/**
 * The beginning of a response, copied as it is sent, up to the size limit of stored bodies; nothing if all copies
 * together exceed their limit. A class: one is created per call with stored bodies.
 */
export class AnswerCopy {
  readonly #maxSize: number
  readonly #budget: CopyBudget
  #parts = new Gathered()
  #size = 0
  #state: 'whole' | 'cut' | 'busy' = 'whole'
  #isTaken = false

  constructor(response: ServerResponse, maxSize: number, memory: CopyBudget) {
    this.#maxSize = maxSize
    this.#budget = memory
    watchWrites(response, (bytes) => this.#add(bytes))
  }

  /** Returns the copy, whose memory the receiver must release, and stops copying. */
  take(): CopiedBody {
    this.#isTaken = true
    const bytes = this.#parts.take()
    this.#size = 0
    return { bytes, state: this.#state }
  }

  /** Releases the memory and stops copying. */
  drop(): void {
    this.#budget.stored -= this.#size
    this.#size = 0
    this.#parts = new Gathered()
    this.#state = 'busy'
  }

  #add(bytes: Buffer): void {
    if (this.#isTaken || this.#state !== 'whole') return
    const part = bytes.subarray(0, this.#maxSize - this.#size)
    if (!reserve(this.#budget, part.length)) {
      this.drop()
      return
    }
    // Copied, since data from a connection is a view of a larger block.
    this.#parts.add(Buffer.from(part))
    this.#size += part.length
    if (part.length < bytes.length) this.#state = 'cut'
  }
}

/** The beginning of a body that is completely available. */
export function copyOf(bytes: Buffer, maxSize: number, memory: CopyBudget): CopiedBody {
  const part = bytes.subarray(0, maxSize)
  if (!reserve(memory, part.length)) return { bytes: NOTHING, state: 'busy' }
  return { bytes: Buffer.from(part), state: part.length < bytes.length ? 'cut' : 'whole' }
}

export const NOT_TEXT: CopiedBody = { bytes: NOTHING, state: 'not_text' }

function reserve(memory: CopyBudget, size: number): boolean {
  if (memory.stored + size > memory.max) return false
  memory.stored += size
  return true
}

/** The text of a copy with its secrets masked; drops a character that was cut in two. */
export function textOf({ bytes, state }: CopiedBody, secrets: readonly string[]): { text: string; state: BodyState } {
  if (state !== 'whole' && state !== 'cut') return { text: '', state }
  const complete = state === 'cut' ? bytes.subarray(0, endOfText(bytes)) : bytes
  if (!isUtf8(complete)) return { text: '', state: 'not_text' }
  const text = secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), complete.toString())
  return { text, state }
}

function endOfText(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start > 0 && start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  const first = bytes[start] ?? 0
  return start + lengthOf(first) > bytes.length ? start : bytes.length
}

function lengthOf(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}

type Written = Buffer | string | null | undefined | (() => void)
type AnyWrite = (chunk?: Written, ...rest: unknown[]) => never

/** Calls `onWrite` for all bytes written to a response from now on, including errors and comments of a stream. */
function watchWrites(response: ServerResponse, onWrite: (bytes: Buffer) => void): void {
  const watched =
    (write: AnyWrite): AnyWrite =>
    (chunk, ...rest) => {
      if (Buffer.isBuffer(chunk)) onWrite(chunk)
      else if (typeof chunk === 'string') onWrite(Buffer.from(chunk, encodingIn(rest)))
      return write.call(response, chunk, ...rest)
    }
  // `write` and `end` have several signatures; the arguments are passed through.
  response.write = watched(response.write as AnyWrite)
  response.end = watched(response.end as AnyWrite)
}

const encodingIn = ([first]: readonly unknown[]): BufferEncoding => (first === 'latin1' ? 'latin1' : 'utf8')
