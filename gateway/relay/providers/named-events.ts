import type { FrameReader } from '../formats/codec.ts'
import { CutLine } from '../formats/cut-line.ts'
import { END_MARK } from '../formats/payload.ts'

const NOTHING = Buffer.alloc(0)

/**
 * Reads server-sent events of vendors that put the type only in the event's name: each becomes a payload
 * `{"event":name,"data":data}`. Events named in `skipped` are left out.
 */
export class NamedEvents implements FrameReader {
  readonly #skipped: readonly string[]
  readonly #left = new CutLine()
  #name = ''

  constructor(skipped: readonly string[] = []) {
    this.#skipped = skipped
  }

  feed(bytes: Buffer): readonly string[] {
    return this.#payloads(this.#left.wholeLines(bytes))
  }

  end(): readonly string[] {
    return this.#payloads(this.#left.joined(NOTHING).toString())
  }

  #payloads(lines: string): readonly string[] {
    const payloads: string[] = []
    for (const line of lines.split('\n')) {
      const [, field = '', value = ''] = /^(event|data): ?(.*?)\r?$/s.exec(line) ?? []
      if (field === 'event') this.#name = value
      if (field !== 'data' || this.#skipped.includes(this.#name)) continue
      if (value === '') continue
      const data = value.startsWith(END_MARK) ? JSON.stringify(value) : value
      payloads.push(`{"event":${JSON.stringify(this.#name)},"data":${data}}`)
    }
    return payloads
  }
}
