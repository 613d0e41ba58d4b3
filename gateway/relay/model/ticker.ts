/** Something that wants to know how late it is, every second. */
export type Timed = Readonly<{ tick(nowMs: number): void }>

/** Tells the time, in monotonic milliseconds, every second. */
export interface Ticker {
  /** Tells it until the returned function is called. */
  watch(timed: Timed): () => void
}
