/** The longest line an upstream's stream may have (design/reliability-security.md §5). */
export const LONGEST_LINE = 4 * 1024 * 1024

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const EMPTY: Buffer = Buffer.alloc(0)
const DATA = Buffer.from('data:')

/** What to do with a line that was read: send it on, or leave it (and the blank line that ends its event) out. */
export type Verdict = 'keep' | 'drop'

/** An upstream's stream sent a line longer than `LONGEST_LINE`. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong'
}

/** Reads a stream of server-sent events line by line, whatever way it is cut into chunks. */
export interface LineReader {
  /** Takes a chunk and answers the bytes to send on; throws `LineTooLong`. */
  feed(chunk: Buffer): Buffer
  /** The bytes of a last line without a line feed. */
  end(): Buffer
}

/**
 * Calls `data` with the payload of each `data:` line. With `filter` off the chunk itself goes on, untouched and in the
 * same tick; with it on, whole lines go on, those without the dropped ones, and a cut line waits for its rest.
 */
export function createLineReader(data: (payload: string) => Verdict, filter: boolean): LineReader {
  let carry = EMPTY
  let dropBlank = false
  const verdict = (bytes: Buffer, start: number, end: number): Verdict => {
    const last = bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end
    if (last <= start) {
      const drop = dropBlank
      dropBlank = false
      return drop ? 'drop' : 'keep'
    }
    if (bytes.compare(DATA, 0, DATA.length, start, Math.min(start + DATA.length, last)) !== 0) return 'keep'
    const from = bytes[start + DATA.length] === SPACE ? start + DATA.length + 1 : start + DATA.length
    const said = data(bytes.toString('utf8', from, last))
    dropBlank = said === 'drop'
    return said
  }
  return {
    feed(chunk) {
      const bytes = carry.length > 0 ? Buffer.concat([carry, chunk]) : chunk
      const kept: Buffer[] = []
      let start = 0
      let copied = 0
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
        if (verdict(bytes, start, end) === 'drop' && filter) {
          kept.push(bytes.subarray(copied, start))
          copied = end + 1
        }
        start = end + 1
      }
      carry = start < bytes.length ? bytes.subarray(start) : EMPTY
      if (carry.length > LONGEST_LINE) throw new LineTooLong('a line of the stream is longer than 4 MiB')
      if (!filter) return chunk
      kept.push(bytes.subarray(copied, start))
      return kept.length === 1 ? (kept[0] ?? EMPTY) : Buffer.concat(kept)
    },
    end() {
      const rest = carry
      carry = EMPTY
      if (rest.length === 0) return rest
      return verdict(rest, 0, rest.length) === 'drop' || !filter ? EMPTY : rest
    },
  }
}
