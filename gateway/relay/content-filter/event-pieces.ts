import { CutLine } from '../formats/cut-line.ts'
import { EventWait, MAX_WAIT } from '../formats/event-wait.ts'
import { dataIn, isDataLine, isWholeData } from '../formats/sse.ts'

/**
 * A piece of a stream of server-sent events: the data of an event with the lines before it, which are `above` bytes
 * long, or anything between two events.
 */
export type EventPiece = Readonly<{
  raw: Buffer
  above: number
  payload: string | undefined
}>

const LINE_FEED = 0x0a
/** Max bytes of lines waiting for the data line after them; well-formed lines are only a name and an id. */
const MAX_BEYOND = 64 * 1024

/**
 * Splits a stream into pieces without changing bytes: an event's name stays with its data, so that both can be left
 * out. A class: one is created for each stream. Throws `LineTooLong`.
 */
export class EventPieces {
  readonly #left = new CutLine()
  #isFirst = true
  /** Offset of the next line to read in the buffered bytes; the lines before it precede the data. */
  #next = 0
  #isData = false
  readonly #wait = new EventWait()

  feed(bytes: Buffer): readonly EventPiece[] {
    const isWaited = this.#isData && this.#wait.goesOn(bytes)
    if (!isWaited && bytes.includes(LINE_FEED)) return this.#cut(this.#left.joined(bytes), false)
    this.#left.add(bytes)
    return NOTHING
  }

  /** Returns the rest once the stream has ended: at most an event without a line feed. */
  end(): readonly EventPiece[] {
    const left = this.#left.joined(EMPTY)
    return left.length === 0 ? NOTHING : this.#cut(left, true)
  }

  #cut(all: Buffer, isEnd: boolean): readonly EventPiece[] {
    const pieces: EventPiece[] = []
    const next = (from: number) => lineAt(all, from, isEnd)
    const emit = (raw: Buffer, above: number, payload: string) =>
      pieces.push({ raw, above, payload: payload.trim() === '' ? undefined : payload })
    let begin = 0
    let below = this.#next
    this.#isData = false
    for (let line = next(below); line; line = next(below)) {
      const start = below
      const text = this.#isFirst ? line.text.replace(/^\ufeff/, '') : line.text
      below = line.end
      if (text.startsWith('data:')) {
        let payload = dataIn(text)
        for (let more = next(below); more && isDataLine(more.text); more = next(below)) {
          payload += `\n${dataIn(more.text)}`
          below = more.end
        }
        const mayGoOn = !isEnd && next(below) === undefined && below - start < MAX_WAIT
        if (mayGoOn && !isWholeData(payload)) {
          this.#isData = true
          below = start
          break
        }
        emit(all.subarray(begin, below), start - begin, payload)
        begin = below
      } else if (text === '') {
        pieces.push({ raw: all.subarray(begin, below), above: 0, payload: undefined })
        begin = below
      } else if (text.includes('\r')) {
        emit(all.subarray(begin, below), start - begin, text)
        begin = below
      } else if (below - begin > MAX_BEYOND) {
        pieces.push({ raw: all.subarray(begin, below), above: 0, payload: undefined })
        begin = below
      }
      this.#isFirst = false
    }
    this.#next = below - begin
    if (begin === all.length) return pieces
    if (this.#isData) this.#wait.begin(all.subarray(below))
    if (isEnd) pieces.push({ raw: all.subarray(begin), above: 0, payload: undefined })
    else this.#left.add(all.subarray(begin))
    return pieces
  }
}

const NOTHING: readonly EventPiece[] = []
const EMPTY = Buffer.alloc(0)

/** Returns the line at an offset without its end; at the end of the stream the last one needs no line feed. */
function lineAt(all: Buffer, from: number, isEnd: boolean): Readonly<{ text: string; end: number }> | undefined {
  const feed = all.indexOf(LINE_FEED, from)
  if (feed < 0 && (!isEnd || from >= all.length)) return undefined
  const end = feed < 0 ? all.length : feed + 1
  const text = all.toString('utf8', from, feed < 0 ? end : feed)
  return { text: text.endsWith('\r') ? text.slice(0, -1) : text, end }
}
