import type { IncomingHttpHeaders } from 'node:http'
import { objectIn, parsed, textIn } from '../../../base/json/json.ts'
import type { Sink, UpstreamReply } from '../../model/answer.ts'
import { bedrockError } from './errors.ts'
import { type EventFrame, EventFrames } from './event-frames.ts'

const MAX_BUFFERED_BYTES = 256 * 1024

/**
 * Converts Bedrock's binary event stream to the server-sent events that Anthropic itself would send: each message has
 * one event in base64 (Bedrock API reference, InvokeModelWithResponseStream). An exception becomes an error event; a
 * stream that is damaged or ends within a message breaks off.
 */
export class SseReply implements UpstreamReply, Sink {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly #reply: UpstreamReply
  readonly #frames = new EventFrames()
  #isRead = false
  #early: Buffer[] = []
  #earlyBytes = 0
  /** The number of buffered pieces that have been peeked at. */
  #seen = 0
  #sink: Sink | undefined
  #over: 'end' | Error | undefined
  #waiting: { resolve: (next?: Buffer) => void; reject: (error: Error) => void } | undefined

  constructor(reply: UpstreamReply) {
    this.#reply = reply
    this.status = reply.status
    this.headers = { ...reply.headers, 'content-type': 'text/event-stream; charset=utf-8' }
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
      if (!this.#isRead) this.#read()
      this.#finish()
    })
  }

  pipe(sink: Sink): void {
    this.#sink = sink
    let wantsMore = true
    for (const bytes of this.#early) wantsMore = sink.chunk(bytes)
    this.#early = []
    if (!this.#isRead) this.#read()
    else if (wantsMore) this.#reply.resume()
    this.#finish()
  }

  resume(): void {
    this.#reply.resume()
  }

  abort(): void {
    this.#reply.abort()
  }

  chunk(bytes: Buffer): boolean {
    const text = this.#decoded(bytes)
    if (text === '') return true
    const events = Buffer.from(text)
    if (this.#sink) return this.#sink.chunk(events)
    this.#early.push(events)
    this.#earlyBytes += events.length
    if (this.#waiting) this.#seen += 1
    this.#waiting?.resolve(events)
    this.#waiting = undefined
    return this.#earlyBytes <= MAX_BUFFERED_BYTES
  }

  end(): void {
    this.#over ??= this.#frames.isCut() ? new Error('the event stream ended within a message') : 'end'
    this.#finish()
  }

  fail(error: Error): void {
    this.#over ??= error
    this.#finish()
  }

  #read(): void {
    this.#isRead = true
    this.#reply.pipe(this)
  }

  #decoded(bytes: Buffer): string {
    try {
      return this.#frames.feed(bytes).map(eventOf).join('')
    } catch (cause) {
      this.#reply.abort()
      this.fail(cause instanceof Error ? cause : new Error(String(cause)))
      return ''
    }
  }

  #finish(): void {
    const over = this.#over
    if (!over) return
    if (over === 'end') this.#waiting?.resolve()
    else this.#waiting?.reject(over)
    this.#waiting = undefined
    if (!this.#sink) return
    if (over === 'end') this.#sink.end()
    else this.#sink.fail(over)
  }
}

/** Converts one message to an event; '' if it is neither a piece of the response nor an exception. */
function eventOf({ headers, payload }: EventFrame): string {
  const kind = headers[':message-type']
  if (kind === 'exception')
    return eventText('error', bedrockError(headers[':exception-type'] ?? '', payload.toString()))
  if (kind === 'error') {
    const message = JSON.stringify({ message: headers[':error-message'] })
    return eventText('error', bedrockError(headers[':error-code'] ?? '', message))
  }
  const bytes = textIn(objectIn(parsed(payload.toString())).bytes)
  if (bytes === undefined) return ''
  const data = Buffer.from(bytes, 'base64').toString()
  const event = objectIn(parsed(data))
  return `event: ${textIn(event.type) ?? 'message'}\ndata: ${data.replace(/[\r\n]+/g, ' ')}\n\n`
}

const eventText = (name: string, event: object): string => `event: ${name}\ndata: ${JSON.stringify(event)}\n\n`
