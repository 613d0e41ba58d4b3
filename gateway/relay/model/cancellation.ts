/** How long somebody waits for an answer. A light stand-in for an AbortSignal, which costs as much as a whole step of the relay. */
export interface Cancellation {
  /** The caller hung up, or the time is over: nobody wants the answer any more. */
  readonly over: boolean
  /**
   * Told once when it ends; one upstream call at a time listens. An object and no function: closures kept in fields make
   * whole requests outlive their end until the next full collection.
   */
  listener: { abandon(): void } | undefined
}

/** A cancellation that whoever made it can bring about. */
export class CancellationSource implements Cancellation {
  over = false
  listener: { abandon(): void } | undefined = undefined

  end(): void {
    if (this.over) return
    this.over = true
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
  if (cancellation.over) controller.abort()
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
