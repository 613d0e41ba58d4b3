import type { IncomingHttpHeaders } from 'node:http'

/** Where an upstream's bytes go. `chunk` answers false when it wants no more until `resume`. */
export interface Sink {
  chunk(bytes: Buffer): boolean
  end(): void
  fail(error: Error): void
}

/** An upstream's answer: status and headers are in, the body waits, unpacked, until somebody takes it. */
export interface UpstreamReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** From now on the taker alone decides when to `abort`; the cancellation of who asked counts no more. */
  own(): void
  /** A look at the first bytes of the body, which `pipe` still delivers; rejects when it ends or breaks without any. */
  begun(): Promise<Buffer>
  /** Delivers the body, what came early first. Once. */
  pipe(sink: Sink): void
  resume(): void
  /** Ends the upstream call; nothing reaches the sink afterwards. */
  abort(): void
}
