import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from './clock.ts'

/** Sizes the steps of long work so that each holds up the rest for about 10 ms, whatever the machine and its load. */
export interface Pace {
  /** Does one step of at most `limit` pieces and answers what it answers; the next step is larger or smaller for it. */
  step<T>(work: (limit: number) => Promise<T>): Promise<T>
}

const LONG_MS = 10
const SHORT_MS = 4
/** A commit costs as much as about a hundred pieces: smaller steps would only make more of them. */
const MIN = 200

/** Begins with small steps; none is larger than `most` pieces. */
export function createPace(clock: Pick<Clock, 'monotonic'>, max: number): Pace {
  let limit = Math.max(MIN, Math.round(max / 8))
  return {
    async step(work) {
      const begunMs = clock.monotonic()
      const answer = await work(limit)
      const tookMs = clock.monotonic() - begunMs
      if (tookMs > LONG_MS) limit = Math.max(MIN, Math.floor(limit / 2))
      else if (tookMs < SHORT_MS) limit = Math.min(max, limit * 2)
      return answer
    },
  }
}

type Pacing = Readonly<{ clock: Pick<Clock, 'monotonic'>; max: number; signal?: AbortSignal | undefined }>

/**
 * Repeats a step, which does at most so many pieces and answers how many it did, until one finds fewer than it may do;
 * in between others have what it works on. Answers the sum, also where the signal ended it early.
 */
export async function inSteps(
  { clock, max, signal }: Pacing,
  work: (limit: number) => Promise<number>,
): Promise<number> {
  const pace = createPace(clock, max)
  let sum = 0
  for (let isOver = false; !isOver && !signal?.aborted; ) {
    const { count, limit } = await pace.step(async (limit) => ({ count: await work(limit), limit }))
    sum += count
    isOver = count < limit
    await breathe()
  }
  return sum
}

/** Leaves what long work goes on with to others for a moment. */
export const breathe = (): Promise<void> => pause(PAUSE_MS)

const PAUSE_MS = 5
