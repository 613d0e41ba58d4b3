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
 * What to do with an event: send it; leave it out with its blank line; send it as the last event; end the stream before
 * it; or send it as the last event with other data.
 */
export type EventVerdict = 'keep' | 'drop' | 'last' | 'cut' | Readonly<{ lastAs: string }>

interface LineReader {
  /** Returns the bytes to send on. Throws `LineTooLong`. */
  feed(chunk: Buffer): Buffer
  /** Returns what still waits: an event whose data might have continued, or a last line without a line feed. */
  end(): Buffer
}

/**
 * Calls `data` with the data of each event that `plain` does not handle. Complete lines, except those dropped, are
 * passed on in the same tick; a partial line, and an event whose data may continue, wait for their rest, so that the
 * gateway never appends anything to them. Data of several lines is joined (WHATWG HTML §9.2.6). Nothing is read after
 * the last event.
 */
export function createLineReader(data: TakeData, plain: TakePlain = (_, from) => from): LineReader {
  const events = new EventReader(data, plain)
  return { feed: (chunk) => events.feed(chunk), end: () => events.end() }
}

type TakeData = (payload: string) => EventVerdict
/** Consumes lines from an offset; returns the offset it stopped at. */
type TakePlain = (lines: string, from: number) => number

/**
 * Handles events of one data line followed by a blank line, as nearly all are, for readers that pass no bytes on.
 * `data` returns whether the stream continues.
 */
export function wholeEvents(data: (payload: string) => boolean): TakePlain {
  return (lines, from) => {
    let start = from
    let continues = true
    while (continues && lines.startsWith(DATA, start)) {
      const end = lines.indexOf('\n', start)
      if (end < 0 || lines.charCodeAt(end + 1) !== LINE_FEED) break
      const payload = dataIn(lines.slice(start, end))
      if (payload.trim() !== '') continues = data(payload)
      start = end + 2
    }
    return start
  }
}

class EventReader {
  readonly #data: TakeData
  readonly #plain: TakePlain
  readonly #carry = new CutLine()
  #dropBlank = false
  #isFirst = true
  #isOver = false
  /** Offset, in the bytes just read, of an event waiting for more data; -1 if there is none. */
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

  /** Reads whole lines, decoded at once, since a line feed is never part of a character. Returns those to send on. */
  #read(bytes: Buffer, isEnd: boolean): Buffer {
    const text = bytes.toString('utf8')
    const hasReturns = text.includes('\r')
    const beginOf = bytesOf(text, bytes)
    const output: Buffer[] = []
    let copied = 0
    let start = this.#isFirst && text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
    this.#isFirst = false
    this.#waits = -1
    while (start < text.length) {
      const isData = text.startsWith(DATA, start)
      // Between two events: the next may be plain, especially once an event has shown the shape.
      const taken = isData && !this.#dropBlank ? this.#plain(text, start) : start
      if (taken > start) {
        start = taken
        continue
      }
      let end = lineEnd(text, start)
      let verdict: EventVerdict = 'keep'
      if (isData) {
        end = lastLineEnd(text, end)
        const payload = payloadIn(text, start, end)
        const mayGoOn = !isEnd && end + 1 >= text.length && end - start < MAX_WAIT
        if (mayGoOn && !isWholeData(payload)) {
          this.#waits = beginOf(start)
          break
        }
        verdict = payload.trim() === '' ? 'keep' : this.#data(payload)
        this.#dropBlank = verdict === 'drop'
      } else verdict = this.#aside(text, start, textEnd(text, end), hasReturns)
      if (verdict !== 'keep') {
        const begin = beginOf(start)
        output.push(bytes.subarray(copied, begin))
        copied = beginOf(end + 1)
        if (verdict !== 'drop') {
          this.#isOver = true
          const line = verdict === 'last' ? bytes.subarray(begin, copied) : EMPTY
          return Buffer.concat([...output, line, lastOf(verdict, text, end)])
        }
      }
      start = end + 1
    }
    if (copied === 0) return this.#waits < 0 ? bytes : bytes.subarray(0, this.#waits)
    output.push(bytes.subarray(copied, this.#waits < 0 ? bytes.length : this.#waits))
    return Buffer.concat(output)
  }

  /**
   * Handles a line without data. A carriage return within it would end it for some readers, so such a line is checked
   * like data.
   */
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

function lastLineEnd(text: string, end: number): number {
  let last = end
  while (isDataLine(text, last + 1)) last = lineEnd(text, last + 1)
  return last
}

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

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start)
  return end < 0 ? text.length : end
}

const textEnd = (text: string, end: number): number => (text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end)

export const dataIn = (line: string): string =>
  line.slice(line.charCodeAt(DATA.length) === SPACE ? DATA.length + 1 : DATA.length)

const BARE = /^data(\r?\n|\r?$)/

export const isDataLine = (text: string, start = 0): boolean =>
  text.startsWith(DATA, start) ||
  (text.startsWith('data', start) && BARE.test(text.slice(start, start + 'data\r\n'.length)))

/** Whether the data is complete JSON, so that no further line can belong to it. */
export const isWholeData = (payload: string): boolean =>
  payload.trim() === '' || payload.startsWith(DONE) || parsed(payload) !== undefined

/**
 * Returns the bytes that end the stream after its last event: a blank line if the line of the event is complete, or an
 * event with other data; nothing if the event is cut.
 */
function lastOf(verdict: Exclude<EventVerdict, 'keep' | 'drop'>, text: string, end: number): Buffer {
  if (verdict === 'cut' || (verdict === 'last' && end === text.length)) return EMPTY
  const feed = text.charCodeAt(end - 1) === CARRIAGE_RETURN ? '\r\n' : '\n'
  return Buffer.from(verdict === 'last' ? feed : `data: ${verdict.lastAs}${feed}${feed}`)
}

/**
 * Returns a function that maps offsets of lines in the text, in ascending order, to offsets in its bytes, by counting
 * lines: invalid UTF-8 changes the length of a text. All lines of a text are counted once.
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
