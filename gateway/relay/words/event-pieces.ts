import { LineTooLong, LONGEST_LINE } from '../sse.ts'

/** A piece of a stream of server-sent events: a line of data with the lines above it, or what stands between two events. */
export type EventPiece = Readonly<{
  raw: Buffer
  /** What the line of data says; undefined between events. */
  payload: string | undefined
}>

const LINE_FEED = 0x0a
/** Lines above a line of data wait for it up to this many bytes; honest ones are a name and an id. */
const MOST_ABOVE = 64 * 1024

/**
 * Cuts a stream into its pieces, byte for byte: an event's name stays with its data, so that both can be left out. A
 * class: one is made for every stream. Throws `LineTooLong`.
 */
export class EventPieces {
  #rest: Buffer[] = []
  #size = 0

  feed(bytes: Buffer): readonly EventPiece[] {
    if (!bytes.includes(LINE_FEED)) {
      this.#keep(bytes)
      return NOTHING
    }
    const all = this.#taken(bytes)
    const pieces: EventPiece[] = []
    let begin = 0
    /** Where the last whole line ends. */
    let below = 0
    for (let feed = all.indexOf(LINE_FEED); feed >= 0; feed = all.indexOf(LINE_FEED, below)) {
      const line = all.toString('utf8', below, feed).trimEnd()
      below = feed + 1
      if (line !== '' && !line.startsWith(DATA)) continue
      pieces.push({ raw: all.subarray(begin, below), payload: payloadOf(line) })
      begin = below
    }
    if (below - begin > MOST_ABOVE) {
      pieces.push({ raw: all.subarray(begin, below), payload: undefined })
      begin = below
    }
    if (begin < all.length) this.#keep(all.subarray(begin))
    return pieces
  }

  /** What is left when the stream has ended: at most a line without a line feed. */
  end(): readonly EventPiece[] {
    if (this.#size === 0) return NOTHING
    const raw = this.#taken(EMPTY)
    const lastLine = raw.toString('utf8').trimEnd().split('\n').at(-1) ?? ''
    return [{ raw, payload: payloadOf(lastLine) }]
  }

  #keep(bytes: Buffer): void {
    this.#rest.push(bytes)
    this.#size += bytes.length
    if (this.#size > LONGEST_LINE) throw new LineTooLong('an event of the stream is too long')
  }

  #taken(bytes: Buffer): Buffer {
    const all = this.#rest.length > 0 ? Buffer.concat([...this.#rest, bytes]) : bytes
    this.#rest = []
    this.#size = 0
    return all
  }
}

const NOTHING: readonly EventPiece[] = []
const EMPTY = Buffer.alloc(0)
const DATA = 'data:'

const payloadOf = (line: string): string | undefined =>
  line.startsWith(DATA) ? line.slice(line[DATA.length] === ' ' ? DATA.length + 1 : DATA.length) : undefined
