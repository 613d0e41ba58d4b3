import type { Clock } from '../../base/clock.ts'
import { createSlots } from '../../base/slots.ts'
import type { Ticker, Timed } from '../model/cancellation.ts'

/** A supervised stream; `untilMs` is monotonic, Infinity if only the maximum duration applies. */
type SupervisedStream = Readonly<{
  /** Owner and key of the stream; 0 for none. */
  userId: number
  tokenId: number
  startedMs: number
  untilMs: number
  stop(): void
  /** The time limit has passed; `stop` follows if the stream does not end. */
  timeUp(): void
  /** Called when the caller's key has become invalid. */
  dismiss(): void
  expire(): void
  checkpoint(): void
}>

/**
 * One timer for all active streams: writes checkpoints, ends streams past their deadline, and ticks the objects that it
 * watches.
 */
export interface StreamSupervisor extends Ticker {
  add(stream: SupervisedStream): () => void
  stopAll(): void
  stopOf(userId: number): void
  dismissToken(tokenId: number): void
  close(): void
}

const INTERVAL_MS = 1000
const CHECKPOINT_MS = 5000
const MAX_MS = 30 * 60 * 1000
/** How long a stream past its limit is read for its figures. */
const UNSENT_MS = 5 * 60 * 1000

/**
 * Checks every second; a stream's first checkpoint is five seconds after its start
 * (docs/reference/streams.md#checkpoints).
 */
export function createStreamSupervisor(clock: Clock): StreamSupervisor {
  const streams = createSlots<{ stream: SupervisedStream; checkedMs: number }>()
  const waiting = createSlots<Timed>()
  const timer = setInterval(() => {
    const now = clock.monotonic()
    if (waiting.size > 0) for (const timed of waiting.values()) timed.tick(now)
    for (const entry of streams.values()) {
      if (now >= entry.stream.untilMs + UNSENT_MS) entry.stream.stop()
      else if (now >= entry.stream.untilMs) entry.stream.expire()
      else if (now - entry.stream.startedMs > MAX_MS + UNSENT_MS) entry.stream.stop()
      else if (now - entry.stream.startedMs > MAX_MS) entry.stream.timeUp()
      else if (now - entry.checkedMs >= CHECKPOINT_MS) {
        entry.checkedMs = now
        entry.stream.checkpoint()
      }
    }
  }, INTERVAL_MS)
  timer.unref()
  return {
    watch: (timed) => waiting.add(timed),
    add: (stream) => streams.add({ stream, checkedMs: stream.startedMs }),
    stopAll() {
      for (const { stream } of streams.values()) stream.stop()
    },
    stopOf(userId) {
      for (const { stream } of streams.values()) if (stream.userId === userId) stream.stop()
    },
    dismissToken(tokenId) {
      for (const { stream } of streams.values()) if (stream.tokenId === tokenId) stream.dismiss()
    },
    close: () => clearInterval(timer),
  }
}
