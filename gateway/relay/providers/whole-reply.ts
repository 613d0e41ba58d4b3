import type { IncomingHttpHeaders } from 'node:http'
import type { Sink, UpstreamReply } from '../model/upstream-reply.ts'

/** An answer that is already here, in place of one that a vendor gives in another way than one request. */
export class WholeReply implements UpstreamReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly #bytes: Buffer

  /** Of JSON; `headers` are told besides its type. */
  constructor(status: number, json: object, headers: IncomingHttpHeaders = {}) {
    this.status = status
    this.headers = { ...headers, 'content-type': 'application/json' }
    this.#bytes = Buffer.from(JSON.stringify(json))
  }

  own(): void {}

  begun(): Promise<Buffer> {
    return Promise.resolve(this.#bytes)
  }

  pipe(sink: Sink): void {
    sink.chunk(this.#bytes)
    sink.end()
  }

  resume(): void {}

  abort(): void {}
}
