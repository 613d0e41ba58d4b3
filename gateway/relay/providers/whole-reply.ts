import type { IncomingHttpHeaders } from 'node:http'
import { Gathered } from '../../base/bytes/gathered.ts'
import type { Sink, UpstreamReply } from '../model/answer.ts'
import type { Cancellation } from '../model/cancellation.ts'

/** A complete reply written by the gateway: for a response that required several requests, or for an error. */
export class WholeReply implements UpstreamReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly isBilled: boolean
  readonly #bytes: Buffer
  #isSeen = false

  /** The body is JSON; `headers` are sent in addition to its content type. */
  constructor(status: number, json: object, headers: IncomingHttpHeaders = {}, isBilled = false) {
    this.status = status
    this.isBilled = isBilled
    this.headers = { ...headers, 'content-type': 'application/json' }
    this.#bytes = Buffer.from(JSON.stringify(json))
  }

  detach(): void {}

  nextBytes(): Promise<Buffer | undefined> {
    const next = this.#isSeen ? undefined : this.#bytes
    this.#isSeen = true
    return Promise.resolve(next)
  }

  pipe(sink: Sink): void {
    sink.chunk(this.#bytes)
    sink.end()
  }

  resume(): void {}

  abort(): void {}
}

/**
 * The reply for an order that the vendor has accepted, and whose result did not arrive: it is charged, and no other
 * channel gets it (docs/reference/billing.md#accepted-orders).
 */
export const undelivered = (message: string): WholeReply => new WholeReply(504, { error: { message } }, {}, true)

/** Reads a reply to its end, or at most `max` bytes; rejects if it breaks off. */
export function readReply(reply: UpstreamReply, max: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const gathered = new Gathered()
    reply.pipe({
      chunk(bytes) {
        gathered.add(bytes)
        if (gathered.size < max) return true
        reply.abort()
        resolve(gathered.take().subarray(0, max))
        return false
      },
      end: () => resolve(gathered.take()),
      fail: reject,
    })
  })
}

/** Waits, but not beyond the end of the call, which `cancellation.ended` reports. */
export function waitFor(cancellation: Cancellation, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const listener = { abandon: () => end() }
    const timer = setTimeout(() => end(), ms)
    const end = () => {
      clearTimeout(timer)
      if (cancellation.listener === listener) cancellation.listener = undefined
      resolve()
    }
    cancellation.listener = listener
    if (cancellation.ended) end()
  })
}
