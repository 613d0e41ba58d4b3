/**
 * Whether a caller still waits for a response. A lightweight substitute for an AbortSignal, which costs as much as a
 * whole step of the relay.
 */
export interface Cancellation {
  /** The caller hung up, or the call has ended: do no further work for it. */
  readonly over: boolean
  /** The call must end, in any state of its upstream call. */
  readonly ended: boolean
  /** Only one upstream call listens at a time. */
  listener: Listener | undefined
  /**
   * An upstream that charges has received the request: from now on the call continues without its caller
   * (docs/reference/streams.md#cancellation).
   */
  sent(): void
}

/** An object, not a function: closures in fields keep whole requests alive until the next full collection. */
type Listener = Readonly<{
  abandon(): void
  /** The caller hung up; the call may continue. */
  left?(): void
}>

export class CancellationSource implements Cancellation {
  over = false
  ended = false
  listener: Listener | undefined = undefined
  #isSent = false

  sent(): void {
    this.#isSent = true
  }

  leave(): void {
    this.over = true
    if (this.#isSent) this.listener?.left?.()
    else this.end()
  }

  end(): void {
    if (this.ended) return
    this.over = true
    this.ended = true
    this.listener?.abandon()
  }
}

/**
 * Runs `work` that needs an AbortSignal, aborted with the cancellation. Nothing else may listen to the cancellation
 * meanwhile.
 */
export async function withAbortSignal<T>(
  cancellation: Cancellation,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const listener = { abandon: () => controller.abort() }
  if (cancellation.ended) controller.abort()
  cancellation.listener = listener
  try {
    return await work(controller.signal)
  } finally {
    if (cancellation.listener === listener) cancellation.listener = undefined
  }
}

export type Timed = Readonly<{ tick(nowMs: number): void }>

/** Calls `tick` every second with the monotonic time in milliseconds. */
export interface Ticker {
  /** Calls `tick` of `timed` until the returned function is called. */
  watch(timed: Timed): () => void
}
