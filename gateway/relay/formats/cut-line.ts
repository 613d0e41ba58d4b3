import { Gathered } from '../../base/bytes/gathered.ts'
import { LineTooLong, MAX_LINE_LENGTH } from './refusals.ts'

const LINE_FEED = 0x0a
const EMPTY: Buffer = Buffer.alloc(0)

export class CutLine {
  readonly #pending = new Gathered()

  /** Buffers bytes and returns none. Throws `LineTooLong`. */
  add(bytes: Buffer): Buffer {
    this.#pending.add(bytes)
    if (this.#pending.size > MAX_LINE_LENGTH) throw new LineTooLong('a line of the stream is longer than 32 MiB')
    return EMPTY
  }

  /** Returns the buffered bytes followed by these; the buffer is empty afterwards. */
  joined(bytes: Buffer): Buffer {
    if (this.#pending.size === 0) return bytes
    if (bytes.length > 0) this.#pending.add(bytes)
    return this.#pending.take()
  }

  /** Returns all complete lines as one text and buffers the rest. Throws `LineTooLong`. */
  wholeLines(bytes: Buffer): string {
    const lineEnd = bytes.lastIndexOf(LINE_FEED) + 1
    if (lineEnd === 0) return this.add(bytes).toString()
    const lines = this.joined(bytes.subarray(0, lineEnd)).toString('utf8')
    if (lineEnd < bytes.length) this.add(bytes.subarray(lineEnd))
    return lines
  }
}
