/** The longest line an upstream's stream may have (design/reliability-security.md §5). */
export const LONGEST_LINE = 4 * 1024 * 1024

const LINE_FEED = 0x0a
const EMPTY: Buffer = Buffer.alloc(0)
const DATA = 'data:'
/** How often a chunk is offered whole before it is read line by line. */
const PLAIN_TRIES = 2

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
 * Calls `data` with the payload of each `data:` line, unless `plain` has dealt with all lines at hand. Whole lines go on in the same tick, without the dropped ones, and a
 * cut line waits for its rest: what comes after a break is never glued to half a line.
 */
export function createLineReader(
  data: (payload: string) => Verdict,
  plain: (lines: string) => boolean = () => false,
): LineReader {
  let carry = EMPTY
  let dropBlank = false
  const verdict = (text: string, start: number, end: number): Verdict => {
    const last = text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end
    if (last <= start) {
      const drop = dropBlank
      dropBlank = false
      return drop ? 'drop' : 'keep'
    }
    if (!text.startsWith(DATA, start)) return 'keep'
    const from = start + DATA.length
    const said = data(text.slice(text.charCodeAt(from) === SPACE ? from + 1 : from, last))
    dropBlank = said === 'drop'
    return said
  }
  /** Reads whole lines, decoded at once: a line feed never lies within a character. Answers them without the dropped ones. */
  const read = (bytes: Buffer): Buffer => {
    const text = bytes.toString('utf8')
    const kept: Buffer[] = []
    let copied = 0
    let start = 0
    let tries = PLAIN_TRIES
    while (start < text.length) {
      // Between two events: what follows may be plain, most of all after the first event has shown how they look.
      if (tries > 0 && !dropBlank && text.startsWith(DATA, start)) {
        tries -= 1
        if (plain(start === 0 ? text : text.slice(start))) break
      }
      const end = text.indexOf('\n', start)
      if (verdict(text, start, end) === 'drop') {
        kept.push(bytes.subarray(copied, bytesBefore(text, bytes, start)))
        copied = bytesBefore(text, bytes, end + 1)
      }
      start = end + 1
    }
    if (copied === 0) return bytes
    kept.push(bytes.subarray(copied))
    return Buffer.concat(kept)
  }
  return {
    feed(chunk) {
      const bytes = carry.length > 0 ? Buffer.concat([carry, chunk]) : chunk
      const whole = bytes.lastIndexOf(LINE_FEED) + 1
      carry = whole < bytes.length ? bytes.subarray(whole) : EMPTY
      if (carry.length > LONGEST_LINE) throw new LineTooLong('a line of the stream is longer than 4 MiB')
      if (whole === 0) return EMPTY
      return read(whole < bytes.length ? bytes.subarray(0, whole) : bytes)
    },
    end() {
      const rest = carry
      carry = EMPTY
      if (rest.length === 0) return rest
      const text = rest.toString('utf8')
      return verdict(text, 0, text.length) === 'drop' ? EMPTY : rest
    },
  }
}

const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20

/** Where a line of the text begins in its bytes, found by counting lines: bytes that are no UTF-8 have no text of their length. */
function bytesBefore(text: string, bytes: Buffer, line: number): number {
  if (text.length === bytes.length) return line
  let begin = 0
  for (let feed = text.indexOf('\n'); feed >= 0 && feed < line; feed = text.indexOf('\n', feed + 1))
    begin = bytes.indexOf(LINE_FEED, begin) + 1
  return begin
}
