import type { FrameReader } from '../formats/codec.ts'
import { END_MARK } from '../formats/payload.ts'
import { LineTooLong, MAX_LINE_LENGTH } from '../formats/refusals.ts'

const LINE_FEED = 0x0a

/**
 * Server-sent events of vendors who say only in an event's name what it is: each becomes a payload
 * `{"event":name,"data":data}`. Events of the names in `skipped` are left out.
 */
export class NamedEvents implements FrameReader {
  readonly #skipped: readonly string[]
  #left: Buffer = Buffer.alloc(0)
  #name = ''

  constructor(skipped: readonly string[] = []) {
    this.#skipped = skipped
  }

  feed(bytes: Buffer): readonly string[] {
    const all = this.#left.length > 0 ? Buffer.concat([this.#left, bytes]) : bytes
    const whole = all.lastIndexOf(LINE_FEED) + 1
    this.#left = all.subarray(whole)
    if (this.#left.length > MAX_LINE_LENGTH) throw new LineTooLong('a line of the stream is longer than 32 MiB')
    return this.#payloads(all.toString('utf8', 0, whole))
  }

  end(): readonly string[] {
    const rest = this.#left.toString()
    this.#left = Buffer.alloc(0)
    return this.#payloads(rest)
  }

  #payloads(lines: string): readonly string[] {
    const payloads: string[] = []
    for (const line of lines.split('\n')) {
      const [, field = '', value = ''] = /^(event|data): ?(.*?)\r?$/.exec(line) ?? []
      if (field === 'event') this.#name = value
      if (field !== 'data' || this.#skipped.includes(this.#name)) continue
      if (value === '') continue
      const data = value.startsWith(END_MARK) ? JSON.stringify(value) : value
      payloads.push(`{"event":${JSON.stringify(this.#name)},"data":${data}}`)
    }
    return payloads
  }
}
