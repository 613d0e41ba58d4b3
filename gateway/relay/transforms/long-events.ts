import { Gathered } from '../../base/bytes/gathered.ts'
import { LineTooLong, MAX_LINE_LENGTH } from '../formats/refusals.ts'
import { dataIn } from '../formats/sse.ts'
import type { EndpointTap } from '../metering/endpoint-tap.ts'
import { verdictOf } from './stream-transforms.ts'
import type { Scrub, TappedTransform } from './transform.ts'

/** As much of a cut line waits for its rest: an error is shorter, and has to be read before it goes on. */
const WAITS = 64 * 1024
const LINE_FEED = 0x0a
const EMPTY: Buffer = Buffer.alloc(0)

/**
 * A stream of events that may be as long as an image. Bytes pass untouched, of long events before they are read; whole
 * lines are read once, however many chunks they came in. Throws `LineTooLong`.
 */
export function longEvents(tap: EndpointTap, scrub: Scrub): TappedTransform {
  /** The line at hand, as far as it has come. */
  const line = new Gathered()
  /** In how many pieces. */
  let pieces = 0
  /** What of it has not been sent on. */
  let waiting: Buffer[] = []
  let isOver = false
  const verdictNow = () => {
    const text = line
      .take()
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .trimEnd()
    pieces = 0
    const payload = text.startsWith('data:') ? dataIn(text) : ''
    return payload.trim() === '' ? 'keep' : verdictOf(tap, payload, false, scrub)
  }
  /** The bytes of a line that has ended as they go on: an error without secrets, with a line's end where it lost its own. */
  const sent = (bytes: Buffer): Buffer => {
    const isBegun = waiting.length < pieces - 1
    const said = verdictNow()
    const all = waiting.length > 0 ? Buffer.concat([...waiting, bytes]) : bytes
    waiting = []
    if (said === 'keep' || said === 'drop') return all
    isOver = true
    if (said === 'last') return all.at(-1) === LINE_FEED ? Buffer.concat([all, FEED]) : all
    if (isBegun) return FEED
    return said === 'cut' ? EMPTY : Buffer.from(`data: ${said.lastAs}\n\n`)
  }
  return {
    tap,
    transform: {
      feed(bytes) {
        const out: Buffer[] = []
        let start = 0
        for (let at = bytes.indexOf(LINE_FEED); at >= 0 && !isOver; at = bytes.indexOf(LINE_FEED, start)) {
          line.add(bytes.subarray(start, at))
          pieces += 1
          out.push(sent(bytes.subarray(start, at + 1)))
          start = at + 1
        }
        const rest = bytes.subarray(start)
        if (isOver || rest.length === 0) return joined(out)
        line.add(rest)
        pieces += 1
        if (line.size > MAX_LINE_LENGTH) throw new LineTooLong('an event of the stream is longer than 32 MiB')
        waiting.push(rest)
        if (line.size <= WAITS) return joined(out)
        for (const piece of waiting) out.push(piece)
        waiting = []
        return joined(out)
      },
      end: () => (line.size > 0 && !isOver ? sent(EMPTY) : EMPTY),
      close: () => '',
    },
  }
}

const FEED = Buffer.from('\n')

const joined = (all: readonly Buffer[]): Buffer => (all.length === 1 ? (all[0] ?? EMPTY) : Buffer.concat(all))

/** An answer without events: its bytes pass as they come. */
export function bytewise(tap: EndpointTap): TappedTransform {
  const feed = (bytes: Buffer) => {
    tap.bytes(bytes)
    return bytes
  }
  const end = () => {
    tap.end()
    return ''
  }
  return { transform: { feed, end, close: () => '' }, tap }
}
