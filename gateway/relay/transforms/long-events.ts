import { Gathered } from '../../base/bytes/gathered.ts'
import { LineTooLong, MAX_LINE_LENGTH } from '../formats/refusals.ts'
import { dataIn } from '../formats/sse.ts'
import type { EndpointTap } from '../metering/endpoint-tap.ts'
import { verdictOf } from './stream-transforms.ts'
import type { Scrub, TappedTransform } from './transform.ts'

/**
 * Max bytes of an incomplete line that wait for its rest: errors are shorter, and must be read before they are sent.
 */
const MAX_WAITING = 64 * 1024
const LINE_FEED = 0x0a
const EMPTY: Buffer = Buffer.alloc(0)

/**
 * Handles a stream with events as long as an image: passes bytes on unchanged, except errors, without waiting for the
 * end of a long event. Reads each line once, when it is complete. Throws `LineTooLong`.
 */
export function longEvents(tap: EndpointTap, scrub: Scrub): TappedTransform {
  const line = new Gathered()
  let pieces = 0
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
  /**
   * Returns the bytes to send for a completed line. For an error, these are the event without secrets, or only a line
   * feed if a part of the event was sent.
   */
  const sent = (bytes: Buffer): Buffer => {
    const isPartlySent = waiting.length < pieces - 1
    const verdict = verdictNow()
    const all = waiting.length > 0 ? Buffer.concat([...waiting, bytes]) : bytes
    waiting = []
    if (verdict === 'keep' || verdict === 'drop') return all
    isOver = true
    if (verdict === 'last') return all.at(-1) === LINE_FEED ? Buffer.concat([all, FEED]) : all
    if (isPartlySent) return FEED
    return verdict === 'cut' ? EMPTY : Buffer.from(`data: ${verdict.lastAs}\n\n`)
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
        if (line.size <= MAX_WAITING) return joined(out)
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
