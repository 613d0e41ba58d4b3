import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

/** Where an upstream's bytes go. `chunk` answers false when it wants no more until `resume`. */
export interface Sink {
  chunk(bytes: Buffer): boolean
  end(): void
  fail(error: Error): void
}

/** An upstream's answer: status and headers are in, the body waits until somebody takes it. */
export interface UpstreamReply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** From now on the taker alone decides when to `abort`; the signal counts no more. */
  own(): void
  /** A look at the first bytes of the body, which `pipe` still delivers; rejects when it ends or breaks without any. */
  begun(): Promise<Buffer>
  /** Delivers the body, what came early first. Once. */
  pipe(sink: Sink): void
  resume(): void
  /** Ends the upstream call; nothing reaches the sink afterwards. */
  abort(): void
}

const EARLY_LIMIT = 256 * 1024

/**
 * One HTTP call to an upstream, through undici's bare `dispatch`: no promise and no copy per chunk, back-pressure by
 * pausing the socket. Rejects with what undici threw when no answer began, or at once when `signal` is aborted.
 */
export function exchange(
  pool: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<UpstreamReply> {
  return new Promise((resolve, reject) => {
    const body = createBody()
    let controller: Dispatcher.DispatchController | undefined
    const leave = () => controller?.abort(new Error('aborted'))
    signal.addEventListener('abort', leave, { once: true })
    const finish = () => signal.removeEventListener('abort', leave)
    pool.dispatch(options, {
      onRequestStart(started) {
        controller = started
        if (signal.aborted) leave()
      },
      onResponseStart(started, status, headers) {
        if (status < 200) return
        resolve({
          status,
          headers,
          own: finish,
          begun: () => body.begun(),
          pipe: (sink) => body.pipe(sink, started),
          resume: () => started.resume(),
          abort() {
            body.drop()
            finish()
            started.abort(new Error('aborted'))
          },
        })
      },
      onResponseData: (started, chunk) => body.chunk(chunk, started),
      onResponseEnd() {
        finish()
        body.end()
      },
      onResponseError(_, error) {
        finish()
        body.fail(error)
        reject(error)
      },
    })
  })
}

/** An answer with a good status and nothing in it. */
export class EmptyBody extends Error {
  override readonly name = 'EmptyBody'
}

/** Keeps what arrives before the sink is there, then stands aside. */
function createBody() {
  const early: Buffer[] = []
  let earlyBytes = 0
  let sink: Sink | undefined
  let over: 'end' | Error | undefined
  let dropped = false
  let waiting: { resolve: (first: Buffer) => void; reject: (error: Error) => void } | undefined
  const finish = () => {
    if (over && waiting) waiting.reject(over === 'end' ? new EmptyBody('the body is empty') : over)
    if (!sink || !over || dropped) return
    if (over === 'end') sink.end()
    else sink.fail(over)
  }
  return {
    chunk(bytes: Buffer, controller: Dispatcher.DispatchController) {
      if (dropped) return
      if (sink) {
        if (!sink.chunk(bytes)) controller.pause()
        return
      }
      early.push(bytes)
      earlyBytes += bytes.length
      if (earlyBytes > EARLY_LIMIT) controller.pause()
      waiting?.resolve(bytes)
      waiting = undefined
    },
    begun: () =>
      new Promise<Buffer>((resolve, reject) => {
        const [first] = early
        if (first) return resolve(first)
        waiting = { resolve, reject }
        finish()
      }),
    pipe(taker: Sink, controller: Dispatcher.DispatchController) {
      sink = taker
      let wanted = true
      for (const bytes of early) wanted = taker.chunk(bytes)
      early.length = 0
      if (!wanted) controller.pause()
      else if (controller.paused) controller.resume()
      finish()
    },
    end() {
      over = 'end'
      finish()
    },
    fail(error: Error) {
      over ??= error
      finish()
    },
    drop() {
      dropped = true
    },
  }
}
