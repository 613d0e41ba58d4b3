import { isUtf8 } from 'node:buffer'
import type { ServerResponse } from 'node:http'
import { Gathered } from '../../base/bytes/gathered.ts'
import type { BodyState } from '../../store/schema/schema-bodies.ts'

/** What all copies under way and waiting hold together, and the most of it, in bytes. */
export type CopyRoom = { held: number; readonly max: number }

/** A body as far as it was copied. */
export type CopiedBody = Readonly<{ bytes: Buffer; state: BodyState }>

const NOTHING = Buffer.alloc(0)

/**
 * The beginning of an answer, copied as it goes out, and never more than the largest body that is kept; nothing of one for which
 * there is no room beside the others. A class: one is made for each call whose bodies are kept.
 */
export class AnswerCopy {
  readonly #maxSize: number
  readonly #room: CopyRoom
  #parts = new Gathered()
  #size = 0
  #state: 'whole' | 'cut' | 'busy' = 'whole'
  #isTaken = false

  constructor(response: ServerResponse, maxSize: number, room: CopyRoom) {
    this.#maxSize = maxSize
    this.#room = room
    watchWrites(response, (bytes) => this.#add(bytes))
  }

  /** The copy, whose room the taker gives back; nothing is copied from now on. */
  take(): CopiedBody {
    this.#isTaken = true
    const bytes = this.#parts.take()
    this.#size = 0
    return { bytes, state: this.#state }
  }

  /** What it took is free; nothing is copied from now on. */
  drop(): void {
    this.#room.held -= this.#size
    this.#size = 0
    this.#parts = new Gathered()
    this.#state = 'busy'
  }

  #add(bytes: Buffer): void {
    if (this.#isTaken || this.#state !== 'whole') return
    const part = bytes.subarray(0, this.#maxSize - this.#size)
    if (!takesRoom(this.#room, part.length)) {
      this.drop()
      return
    }
    // Copied: what came over a connection is a view of a larger block.
    this.#parts.add(Buffer.from(part))
    this.#size += part.length
    if (part.length < bytes.length) this.#state = 'cut'
  }
}

/** The beginning of a body that is there whole. */
export function copyOf(bytes: Buffer, maxSize: number, room: CopyRoom): CopiedBody {
  const part = bytes.subarray(0, maxSize)
  if (!takesRoom(room, part.length)) return { bytes: NOTHING, state: 'busy' }
  return { bytes: Buffer.from(part), state: part.length < bytes.length ? 'cut' : 'whole' }
}

/** A body that is no text. */
export const NOT_TEXT: CopiedBody = { bytes: NOTHING, state: 'not_text' }

function takesRoom(room: CopyRoom, size: number): boolean {
  if (room.held + size > room.max) return false
  room.held += size
  return true
}

/** The text of a copy without the secrets that must not be kept; a character that was cut in two is left out. */
export function textOf({ bytes, state }: CopiedBody, secrets: readonly string[]): { text: string; state: BodyState } {
  if (state !== 'whole' && state !== 'cut') return { text: '', state }
  const whole = state === 'cut' ? bytes.subarray(0, endOfText(bytes)) : bytes
  if (!isUtf8(whole)) return { text: '', state: 'not_text' }
  const text = secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), whole.toString())
  return { text, state }
}

/** Where the last whole character of UTF-8 ends. */
function endOfText(bytes: Buffer): number {
  let start = bytes.length - 1
  while (start > 0 && start > bytes.length - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  const first = bytes[start] ?? 0
  return start + lengthOf(first) > bytes.length ? start : bytes.length
}

/** How many bytes a character has that begins with this one. */
function lengthOf(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}

type Written = Buffer | string | null | undefined | (() => void)
type AnyWrite = (chunk?: Written, ...rest: unknown[]) => never

/** Tells of all bytes that are written to an answer from now on, errors and comments of a stream among them. */
function watchWrites(response: ServerResponse, onWrite: (bytes: Buffer) => void): void {
  const watched =
    (write: AnyWrite): AnyWrite =>
    (chunk, ...rest) => {
      if (Buffer.isBuffer(chunk)) onWrite(chunk)
      else if (typeof chunk === 'string') onWrite(Buffer.from(chunk, encodingIn(rest)))
      return write.call(response, chunk, ...rest)
    }
  // Both have many forms, which pass as they are.
  response.write = watched(response.write as AnyWrite)
  response.end = watched(response.end as AnyWrite)
}

const encodingIn = ([first]: readonly unknown[]): BufferEncoding => (first === 'latin1' ? 'latin1' : 'utf8')
