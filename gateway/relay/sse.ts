/** The longest line an upstream's stream may have: one image of the largest size, in base64 (spec/relay.md §7.5). */
export const LONGEST_LINE = 32 * 1024 * 1024

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
  /** More of a line that is longer than a chunk; joined once, when its end is there. */
  let more: Buffer[] = []
  let size = 0
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
  /** Keeps the beginning of a line, or more of it. */
  const carried = (bytes: Buffer): Buffer => {
    size += bytes.length
    if (size > LONGEST_LINE) throw new LineTooLong('a line of the stream is longer than 32 MiB')
    if (carry.length === 0) carry = bytes
    else more.push(bytes)
    return EMPTY
  }
  /** What was kept, and this. */
  const joined = (bytes: Buffer): Buffer => {
    const all = Buffer.concat([carry, ...more, bytes])
    carry = EMPTY
    if (more.length > 0) more = []
    size = 0
    return all
  }
  return {
    feed(chunk) {
      const feed = chunk.lastIndexOf(LINE_FEED)
      if (feed < 0) return carried(chunk)
      const bytes = carry.length > 0 ? joined(chunk) : chunk
      const whole = bytes.length - chunk.length + feed + 1
      if (whole === bytes.length) return read(bytes)
      carried(bytes.subarray(whole))
      return read(bytes.subarray(0, whole))
    },
    end() {
      const rest = carry.length > 0 ? joined(EMPTY) : carry
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
