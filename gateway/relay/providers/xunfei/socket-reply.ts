import type { IncomingHttpHeaders } from 'node:http'
import type { WebSocket } from 'ws'
import { objectIn, parsed } from '../../../base/json/json.ts'
import type { Sink, UpstreamReply } from '../../model/answer.ts'
import type { Cancellation } from '../../model/cancellation.ts'

type Listening = Readonly<{ isStream: boolean; idleMs: number; cancellation: Cancellation }>

/**
 * Converts the frames that respond to one request over a socket to an HTTP reply: one server-sent event each, or
 * `{"frames": [...]}`. It ends with the frame whose header has status 2, or a code other than 0, which is an error.
 */
export class SocketReply implements UpstreamReply {
  readonly status = 200
  readonly headers: IncomingHttpHeaders
  readonly #socket: WebSocket
  readonly #cancellation: Cancellation
  readonly #idle: NodeJS.Timeout
  /** Frames collected until the last one, without streaming. */
  readonly #frames: string[] | undefined
  #size = 0
  #early: Buffer[] = []
  /** The number of buffered pieces that have been peeked at. */
  #seen = 0
  #sink: Sink | undefined
  #waiting: { resolve: (next?: Buffer) => void; reject: (error: Error) => void } | undefined
  #over: 'end' | Error | undefined

  constructor(socket: WebSocket, request: string, { isStream, idleMs, cancellation }: Listening) {
    this.headers = { 'content-type': isStream ? 'text/event-stream' : 'application/json' }
    this.#socket = socket
    this.#cancellation = cancellation
    this.#frames = isStream ? undefined : []
    this.#idle = setTimeout(() => this.#finish(new SilenceTimeoutError('the socket fell silent')), idleMs)
    cancellation.listener = this
    socket.on('message', (data) => this.#hear(String(data).replaceAll('\n', ' ')))
    socket.on('error', (error) => this.#finish(error))
    socket.on('close', () => this.#finish(new Error('the socket was closed')))
    socket.send(request)
    socket.resume()
    if (cancellation.ended) this.abandon()
    else cancellation.sent()
  }

  detach(): void {
    this.#cancellation.listener = undefined
  }

  nextBytes(): Promise<Buffer | undefined> {
    return new Promise((resolve, reject) => {
      const next = this.#early[this.#seen]
      if (next) {
        this.#seen += 1
        return resolve(next)
      }
      this.#waiting = { resolve, reject }
      this.#socket.resume()
      this.#wake()
    })
  }

  pipe(sink: Sink): void {
    this.#sink = sink
    for (const bytes of this.#early) sink.chunk(bytes)
    this.#early = []
    this.#socket.resume()
    this.#wake()
  }

  resume(): void {
    this.#socket.resume()
  }

  abort(): void {
    this.#sink = undefined
    this.abandon()
  }

  /** Ends the call with an error for the reader. */
  abandon(): void {
    this.#finish(new Error('aborted'))
  }

  /** An error in a frame ends the response, and is never thrown from the listener. */
  #hear(frame: string): void {
    try {
      this.#take(frame)
    } catch (error) {
      this.#finish(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #take(frame: string): void {
    if (this.#over) return
    this.#idle.refresh()
    const { status, code } = objectIn(objectIn(parsed(frame)).header)
    const isLast = status === LAST || (code !== undefined && code !== 0)
    if (!this.#frames) this.#deliver(Buffer.from(`data: ${frame}\n\n`))
    else if (!this.#hasRoomFor(frame)) this.#finish(new Error('the answer is too long'))
    else if (this.#frames.push(frame) && isLast) this.#deliver(Buffer.from(`{"frames":[${this.#frames.join(',')}]}`))
    if (isLast) this.#finish('end')
  }

  #hasRoomFor(frame: string): boolean {
    this.#size += frame.length + FRAME_BYTES
    return this.#size <= MAX_WAITING_BYTES
  }

  #deliver(bytes: Buffer): void {
    if (this.#sink) {
      if (!this.#sink.chunk(bytes)) this.#socket.pause()
      return
    }
    this.#early.push(bytes)
    this.#socket.pause()
    if (!this.#waiting) return
    this.#seen += 1
    this.#waiting.resolve(bytes)
    this.#waiting = undefined
  }

  #finish(over: 'end' | Error): void {
    if (this.#over) return
    this.#over = over
    clearTimeout(this.#idle)
    this.detach()
    if (over === 'end') this.#socket.close()
    else this.#socket.terminate()
    this.#wake()
  }

  #wake(): void {
    const over = this.#over
    if (!over) return
    if (over === 'end') this.#waiting?.resolve()
    else this.#waiting?.reject(over)
    this.#waiting = undefined
    if (over === 'end') this.#sink?.end()
    else this.#sink?.fail(over)
  }
}

const LAST = 2
/** Overhead of a collected frame, in bytes. */
const FRAME_BYTES = 64
/** Max bytes of a whole response (docs/reference/limits.md#bodies). */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** The relay recognizes a time-out by this name. */
class SilenceTimeoutError extends Error {
  override readonly name = 'BodyTimeoutError'
}
