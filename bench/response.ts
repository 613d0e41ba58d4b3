/** Events of reading one HTTP/1.1 response: the status, pieces of the body without chunk framing, the end. */
export interface ResponseEvents {
  head(status: number): void
  data(piece: Buffer): void
  end(): void
}

type State = 'head' | 'length' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'close'

const lineEnd = '\r\n'

/**
 * An incremental reader of the responses on one connection, made only for speed: it trusts its peer. `endsByClose` is
 * true while a response has neither a length nor chunks; `mustClose` once the server has requested it.
 */
export function responseReader(events: ResponseEvents) {
  let state: State = 'head'
  let left = 0
  let carry: Buffer | undefined
  let mustClose = false

  const finish = () => {
    state = 'head'
    events.end()
  }
  /** Passes on body bytes up to the end of the piece or of the body; returns the position after them. */
  const body = (bytes: Buffer, at: number) => {
    const end = Math.min(bytes.length, at + left)
    left -= end - at
    events.data(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end))
    return end
  }
  const startBody = (head: string) => {
    mustClose = /\r\nconnection: *close/i.test(head)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    left = Number(length ?? 0)
    state = length === undefined ? 'close' : 'length'
    if (/\r\ntransfer-encoding: *chunked/i.test(head)) state = 'size'
    events.head(Number(head.slice(9, 12)))
    if (state === 'length' && left === 0) finish()
  }
  const startChunk = (line: string) => {
    left = Number.parseInt(line, 16)
    state = left > 0 ? 'chunk' : 'trailer'
  }
  /** Consumes what it can from `at`; returns the new position, or -1 when it needs more bytes. */
  const step = (bytes: Buffer, at: number): number => {
    if (state === 'length' || state === 'chunk') {
      const end = body(bytes, at)
      if (left === 0 && state === 'chunk') state = 'chunk-end'
      else if (left === 0) finish()
      return end
    }
    if (state === 'close') {
      left = bytes.length
      return body(bytes, at)
    }
    const mark = state === 'head' ? lineEnd + lineEnd : lineEnd
    const end = bytes.indexOf(mark, at, 'latin1')
    if (end === -1) return -1
    const line = bytes.toString('latin1', at, end)
    if (state === 'head') startBody(line)
    else if (state === 'size') startChunk(line)
    else if (state === 'chunk-end') state = 'size'
    else if (line === '') finish()
    return end + mark.length
  }

  return {
    get endsByClose() {
      return state === 'close'
    },
    get mustClose() {
      return mustClose
    },
    /** Reads the received bytes; an unfinished line is buffered until the rest arrives. */
    feed(received: Buffer) {
      const bytes = carry ? Buffer.concat([carry, received]) : received
      carry = undefined
      let at = 0
      while (at < bytes.length) {
        const next = step(bytes, at)
        if (next === -1) {
          carry = bytes.subarray(at)
          return
        }
        at = next
      }
    },
  }
}
