import type { IncomingHttpHeaders } from 'node:http'
import type { Transform } from 'node:stream'
import { unpackers } from '../../base/bytes/unpackers.ts'
import type { Sink, UpstreamReply } from '../model/answer.ts'
import { UpstreamError } from './upstream-error.ts'

/**
 * Decompresses a response as it arrives, even if compression was not requested, at the speed of its reader, which
 * limits the size. Fails for an unknown encoding or several encodings.
 */
export function unpackedReply(reply: UpstreamReply, encoding: string): UpstreamReply {
  const open = unpackers.get(encoding.trim().toLowerCase())
  return new UnpackedReply(reply, open?.())
}

/** Max compression ratio, which no honest response exceeds, and the bytes that are read at any ratio. */
const MAX_RATIO = 100
const MIN_UNPACKED_LIMIT = 1024 * 1024

class UnpackedReply implements UpstreamReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly #reply: UpstreamReply
  readonly #unpacker: Transform | undefined
  /** Buffered until there is a sink. */
  #early: Buffer[] = []
  /** Number of early pieces already returned by `nextBytes`. */
  #seen = 0
  #sink: Sink | undefined
  #over: 'end' | Error | undefined
  #isStarted = false
  #packed = 0
  #unpacked = 0
  #waiting: { resolve: (next?: Buffer) => void; reject: (error: Error) => void } | undefined

  constructor(reply: UpstreamReply, unpacker: Transform | undefined) {
    this.status = reply.status
    this.headers = reply.headers
    this.#reply = reply
    this.#unpacker = unpacker
  }

  detach(): void {
    this.#reply.detach()
  }

  nextBytes(): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      const next = this.#early[this.#seen]
      if (next) {
        this.#seen += 1
        return resolve(next)
      }
      this.#waiting = { resolve, reject }
      this.#start()
      if (this.#over) this.#finish(this.#over)
      else this.#unpacker?.resume()
    })
  }

  pipe(taker: Sink): void {
    this.#sink = taker
    this.#start()
    let wantsMore = true
    for (const bytes of this.#early) wantsMore = taker.chunk(bytes)
    this.#early = []
    if (wantsMore) this.#unpacker?.resume()
    if (this.#over) this.#finish(this.#over)
  }

  resume(): void {
    this.#unpacker?.resume()
  }

  abort(): void {
    this.#sink = undefined
    this.#reply.abort()
    this.#unpacker?.destroy()
  }

  #start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    const unpacker = this.#unpacker
    if (!unpacker) {
      this.#reply.abort()
      this.#finish(new UpstreamError(502, 'the upstream sent a response in an unknown encoding'))
      return
    }
    unpacker.on('data', (bytes: Buffer) => this.#take(bytes, unpacker))
    unpacker.on('end', () => this.#finish('end'))
    unpacker.on('error', (cause) =>
      this.#finish(this.#over ?? (cause instanceof UpstreamError ? cause : this.#unreadable(cause))),
    )
    unpacker.on('drain', () => this.#reply.resume())
    this.#reply.pipe({
      chunk: (bytes) => {
        this.#packed += bytes.length
        return unpacker.write(bytes)
      },
      end: () => unpacker.end(),
      fail: (error) => {
        this.#over = error
        unpacker.destroy(error)
      },
    })
  }

  #unreadable(cause: Error): Error {
    this.#reply.abort()
    return new UpstreamError(502, 'the upstream sent a response that could not be decompressed', { cause })
  }

  #take(bytes: Buffer, unpacker: Transform): void {
    this.#unpacked += bytes.length
    if (this.#unpacked > Math.max(MIN_UNPACKED_LIMIT, this.#packed * MAX_RATIO)) {
      this.#reply.abort()
      unpacker.destroy(new UpstreamError(502, 'the upstream sent a response that is too long'))
      return
    }
    if (this.#sink) {
      if (!this.#sink.chunk(bytes)) unpacker.pause()
      return
    }
    this.#early.push(bytes)
    unpacker.pause()
    if (!this.#waiting) return
    this.#seen += 1
    this.#waiting.resolve(bytes)
    this.#waiting = undefined
  }

  #finish(result: 'end' | Error): void {
    this.#over = result
    if (result === 'end') this.#waiting?.resolve()
    else this.#waiting?.reject(result)
    if (result === 'end') this.#sink?.end()
    else this.#sink?.fail(result)
  }
}
