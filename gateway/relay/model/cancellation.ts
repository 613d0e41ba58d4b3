/** How long somebody waits for an answer. A light stand-in for an AbortSignal, which costs as much as a whole step of the relay. */
export interface Cancellation {
  /** The caller hung up, or the call has ended: nothing further is asked for it. */
  readonly over: boolean
  /** The call has to end, whatever its upstream is at. */
  readonly ended: boolean
  /** One upstream call at a time listens. */
  listener: Listener | undefined
  /**
   * An upstream has been asked and charges for it: from now on the call goes on without its caller
   * (docs/reference/streams.md#cancellation).
   */
  sent(): void
}

/** An object and no function: closures kept in fields make whole requests outlive their end until the next full collection. */
type Listener = Readonly<{
  /** The call has to end. */
  abandon(): void
  /** Its caller hung up; it may go on. */
  left?(): void
}>

/** A cancellation that its maker can bring about. */
export class CancellationSource implements Cancellation {
  over = false
  ended = false
  listener: Listener | undefined = undefined
  #isSent = false

  sent(): void {
    this.#isSent = true
  }

  /** The caller hung up. */
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

/** Runs what understands signals only: the signal aborts with the cancellation. Nothing else may listen to it meanwhile. */
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

/** Something that wants to know how late it is, every second. */
export type Timed = Readonly<{ tick(nowMs: number): void }>

/** Tells the time, in monotonic milliseconds, every second. */
export interface Ticker {
  /** Tells it until the returned function is called. */
  watch(timed: Timed): () => void
}
