import { parsed } from '../../base/json/json.ts'
import type { FrameReader } from './codec.ts'
import { CutLine } from './cut-line.ts'
import { EventWait, MAX_WAIT } from './event-wait.ts'

const LINE_FEED = 0x0a
const EMPTY: Buffer = Buffer.alloc(0)
const DATA = 'data:'
const DONE = '[DONE]'
const BYTE_ORDER_MARK = '\ufeff'

/**
 * What to do with an event: send it on; leave it (and the blank line that ends it) out; send it on as the last one;
 * end the stream before it; send it on as the last one with other data.
 */
export type EventVerdict = 'keep' | 'drop' | 'last' | 'cut' | Readonly<{ lastAs: string }>

/** Reads a stream of server-sent events line by line, whatever way it is cut into chunks. */
interface LineReader {
  /** Takes a chunk and answers the bytes to send on; throws `LineTooLong`. */
  feed(chunk: Buffer): Buffer
  /** The bytes of a last line without a line feed. */
  end(): Buffer
}

/**
 * Calls `data` with the data of each event but those that `plain` deals with. Whole lines go on in the same
 * tick, without the dropped ones, and a cut line waits for its rest: what comes after a break is never glued to half a
 * line. Data in several lines is one (WHATWG HTML §9.2.6). After the last event nothing is read.
 */
export function createLineReader(data: TakeData, plain: TakePlain = (_, from) => from): LineReader {
  const events = new EventReader(data, plain)
  return { feed: (chunk) => events.feed(chunk), end: () => events.end() }
}

type TakeData = (payload: string) => EventVerdict
/** Takes what it can of the lines from a place on; answers where it stopped. */
type TakePlain = (lines: string, from: number) => number

/**
 * Hands over the data of the events that each stand in one line with a blank line after it, as nearly all do, for readers who
 * send none of the bytes on. `data` answers whether the stream goes on.
 */
export function wholeEvents(data: (payload: string) => boolean): TakePlain {
  return (lines, from) => {
    let start = from
    let goesOn = true
    while (goesOn && lines.startsWith(DATA, start)) {
      const end = lines.indexOf('\n', start)
      if (end < 0 || lines.charCodeAt(end + 1) !== LINE_FEED) break
      const payload = dataIn(lines.slice(start, end))
      if (payload.trim() !== '') goesOn = data(payload)
      start = end + 2
    }
    return start
  }
}

/** A class: one is made for every stream. */
class EventReader {
  readonly #data: TakeData
  readonly #plain: TakePlain
  readonly #carry = new CutLine()
  #dropBlank = false
  #isFirst = true
  #isOver = false
  /** Where, in the bytes just read, an event begins that waits for more of its data; -1 where none does. */
  #waits = -1
  readonly #wait = new EventWait()

  constructor(data: TakeData, plain: TakePlain) {
    this.#data = data
    this.#plain = plain
  }

  feed(chunk: Buffer): Buffer {
    if (this.#isOver) return EMPTY
    if (this.#waits >= 0 && this.#wait.goesOn(chunk)) return this.#carry.add(chunk)
    const feed = chunk.lastIndexOf(LINE_FEED)
    if (feed < 0) return this.#carry.add(chunk)
    const bytes = this.#carry.joined(chunk)
    const whole = bytes.length - chunk.length + feed + 1
    const out = this.#read(whole === bytes.length ? bytes : bytes.subarray(0, whole), false)
    const from = this.#waits < 0 ? whole : this.#waits
    if (this.#waits >= 0) this.#wait.begin(bytes.subarray(from))
    if (from < bytes.length && !this.#isOver) this.#carry.add(bytes.subarray(from))
    return out
  }

  end(): Buffer {
    const left = this.#carry.joined(EMPTY)
    return left.length === 0 || this.#isOver ? EMPTY : this.#read(left, true)
  }

  /** Reads whole lines, decoded at once: a line feed never lies within a character. Answers those that go on. */
  #read(bytes: Buffer, isEnd: boolean): Buffer {
    const text = bytes.toString('utf8')
    const hasReturns = text.includes('\r')
    const beginOf = bytesOf(text, bytes)
    const kept: Buffer[] = []
    let copied = 0
    let start = this.#isFirst && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
    this.#isFirst = false
    this.#waits = -1
    while (start < text.length) {
      const isData = text.startsWith(DATA, start)
      // Between two events: what follows may be plain, most of all after an event has shown how they look.
      const taken = isData && !this.#dropBlank ? this.#plain(text, start) : start
      if (taken > start) {
        start = taken
        continue
      }
      let end = lineEnd(text, start)
      let said: EventVerdict = 'keep'
      if (isData) {
        end = lastLineEnd(text, end)
        const payload = payloadIn(text, start, end)
        const mayGoOn = !isEnd && end + 1 >= text.length && end - start < MAX_WAIT
        if (mayGoOn && !isWholeData(payload)) {
          this.#waits = beginOf(start)
          break
        }
        said = payload.trim() === '' ? 'keep' : this.#data(payload)
        this.#dropBlank = said === 'drop'
      } else said = this.#aside(text, start, textEnd(text, end), hasReturns)
      if (said !== 'keep') {
        const begin = beginOf(start)
        kept.push(bytes.subarray(copied, begin))
        copied = beginOf(end + 1)
        if (said !== 'drop') {
          this.#isOver = true
          const line = said === 'last' ? bytes.subarray(begin, copied) : EMPTY
          return Buffer.concat([...kept, line, lastOf(said, text, end)])
        }
      }
      start = end + 1
    }
    if (copied === 0) return this.#waits < 0 ? bytes : bytes.subarray(0, this.#waits)
    kept.push(bytes.subarray(copied, this.#waits < 0 ? bytes.length : this.#waits))
    return Buffer.concat(kept)
  }

  /** A line that is no data. A carriage return within it would end it for some readers, who must not see what this one has not. */
  #aside(text: string, start: number, last: number, hasReturns: boolean): EventVerdict {
    if (last <= start) {
      const drop = this.#dropBlank
      this.#dropBlank = false
      return drop ? 'drop' : 'keep'
    }
    const isWhole = !hasReturns || !text.slice(start, last).includes('\r')
    return isWhole ? 'keep' : this.#data(text.slice(start, last))
  }
}

/** Where the last line of an event's data ends, of which the first one ends at `end`. */
function lastLineEnd(text: string, end: number): number {
  let last = end
  while (isDataLine(text, last + 1)) last = lineEnd(text, last + 1)
  return last
}

/** What the lines of data say from `start` to the end of the last one, joined by line feeds. */
function payloadIn(text: string, start: number, last: number): string {
  let end = lineEnd(text, start)
  let payload = dataIn(text.slice(start, textEnd(text, end)))
  while (end < last) {
    const next = end + 1
    end = lineEnd(text, next)
    payload += `\n${dataIn(text.slice(next, textEnd(text, end)))}`
  }
  return payload
}

const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20

/** Where the line ends that begins there: at its line feed, or with the text. */
function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

/** Where the text of a line ends: before the carriage return, where it has one. */
const textEnd = (text: string, end: number): number => (text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end)

/** What a line of data says, without its end. */
export const dataIn = (line: string): string =>
  line.slice(line.charCodeAt(DATA.length) === SPACE ? DATA.length + 1 : DATA.length)

const BARE = /^data(\r?\n|\r?$)/

/** Whether a line of data begins there; a field without a colon has an empty value. */
export const isDataLine = (text: string, start = 0): boolean =>
  text.startsWith(DATA, start) ||
  (text.startsWith('data', start) && BARE.test(text.slice(start, start + 'data\r\n'.length)))

/** Whether data may stand for itself: whatever follows, it is not its rest. */
export const isWholeData = (payload: string): boolean =>
  payload.trim() === '' || payload.startsWith(DONE) || parsed(payload) !== undefined

/** What a stream's last event ends with: other data where it is to have some, and a blank line where its line has an end. */
function lastOf(said: Exclude<EventVerdict, 'keep' | 'drop'>, text: string, end: number): Buffer {
  if (said === 'cut' || (said === 'last' && end === text.length)) return EMPTY
  const feed = text.charCodeAt(end - 1) === CARRIAGE_RETURN ? '\r\n' : '\n'
  return Buffer.from(said === 'last' ? feed : `data: ${said.lastAs}${feed}${feed}`)
}

/**
 * Where lines of the text begin in its bytes, asked in their order; found by counting lines: bytes that are no UTF-8 have no
 * text of their length. All of a text's lines are counted once.
 */
function bytesOf(text: string, bytes: Buffer): (line: number) => number {
  if (text.length === bytes.length) return (line) => Math.min(line, bytes.length)
  let counted = 0
  let begin = 0
  return (line) => {
    if (line >= text.length) return bytes.length
    for (let feed = text.indexOf('\n', counted); feed >= 0 && feed < line; feed = text.indexOf('\n', counted)) {
      counted = feed + 1
      begin = bytes.indexOf(LINE_FEED, begin) + 1
    }
    return begin
  }
}

/** Cuts server-sent events into what their data says. */
export function dataFrames(): FrameReader {
  let payloads: string[] = []
  const reader = createLineReader((payload) => {
    payloads.push(payload)
    return 'drop'
  })
  const taken = () => {
    const all = payloads
    payloads = []
    return all
  }
  return {
    feed(bytes) {
      reader.feed(bytes)
      return taken()
    },
    end() {
      reader.end()
      return taken()
    },
  }
}
