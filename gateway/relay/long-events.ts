import type { EndpointTap } from './endpoints/tap.ts'
import type { Passing } from './passages.ts'
import { LineTooLong, LONGEST_LINE } from './sse.ts'

/** As much of a cut line waits for its rest: an error is shorter, and has to be read before it goes on. */
const WAITS = 64 * 1024
const LINE_FEED = 0x0a
const DATA = /^data: ?/
const EMPTY: Buffer = Buffer.alloc(0)

/**
 * A stream of events that may be as long as an image. Bytes pass untouched, of long events before they are read; whole
 * lines are read once, however many chunks they came in. Throws `LineTooLong`.
 */
export function longEvents(tap: EndpointTap): Passing {
  let line: Buffer[] = []
  let size = 0
  let waiting: Buffer[] = []
  const read = () => {
    const text = Buffer.concat(line).toString('utf8').trimEnd()
    line = []
    size = 0
    if (DATA.test(text)) tap.payload(text.replace(DATA, ''))
  }
  const taken = (bytes: Buffer): Buffer => {
    const all = waiting.length > 0 ? Buffer.concat([...waiting, bytes]) : bytes
    waiting = []
    return all
  }
  return {
    tap,
    passage: {
      feed(bytes) {
        let start = 0
        for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, start)) {
          line.push(bytes.subarray(start, at))
          read()
          start = at + 1
        }
        const rest = bytes.subarray(start)
        line.push(rest)
        size += rest.length
        if (size > LONGEST_LINE) throw new LineTooLong('an event of the stream is longer than 32 MiB')
        if (size > WAITS || rest.length === 0) return taken(bytes)
        const whole = start > 0 ? taken(bytes.subarray(0, start)) : EMPTY
        waiting.push(rest)
        return whole
      },
      end() {
        if (size > 0) read()
        return taken(EMPTY)
      },
      close: () => '',
    },
  }
}
