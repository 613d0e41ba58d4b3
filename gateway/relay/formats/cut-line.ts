import { Gathered } from '../../base/bytes/gathered.ts'
import { LineTooLong, MAX_LINE_LENGTH } from './refusals.ts'

const LINE_FEED = 0x0a
const EMPTY: Buffer = Buffer.alloc(0)

/** The beginning of a line, or of an event, that has not come whole; joined once, when its end is there. */
export class CutLine {
  readonly #kept = new Gathered()

  /** Keeps a beginning, or more of it; throws `LineTooLong`. Nothing of it goes on yet. */
  add(bytes: Buffer): Buffer {
    this.#kept.add(bytes)
    if (this.#kept.size > MAX_LINE_LENGTH) throw new LineTooLong('a line of the stream is longer than 32 MiB')
    return EMPTY
  }

  /** What was kept, and this; nothing is kept afterwards. */
  joined(bytes: Buffer): Buffer {
    if (this.#kept.size === 0) return bytes
    if (bytes.length > 0) this.#kept.add(bytes)
    return this.#kept.take()
  }

  /** The lines that are whole by now, as one text; the beginning of another is kept. Throws `LineTooLong`. */
  wholeLines(bytes: Buffer): string {
    const whole = bytes.lastIndexOf(LINE_FEED) + 1
    if (whole === 0) return this.add(bytes).toString()
    const lines = this.joined(bytes.subarray(0, whole)).toString('utf8')
    if (whole < bytes.length) this.add(bytes.subarray(whole))
    return lines
  }
}
