import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from './clock.ts'

/** Sizes the steps of long work so that each blocks other work for at most about 10 ms, on any machine and load. */
export interface Pace {
  /** Runs one step of at most `limit` items and returns its result; its duration adjusts the size of the next step. */
  step<T>(work: (limit: number) => Promise<T>): Promise<T>
}

const LONG_MS = 10
const SHORT_MS = 4
/** Min items of a step: a commit costs as much as about 100 items, so smaller steps would only add commits. */
const MIN = 200

/** Starts with small steps; no step exceeds `max` items. */
export function createPace(clock: Pick<Clock, 'monotonic'>, max: number): Pace {
  let limit = Math.max(MIN, Math.round(max / 8))
  return {
    async step(work) {
      const startedMs = clock.monotonic()
      const result = await work(limit)
      const tookMs = clock.monotonic() - startedMs
      if (tookMs > LONG_MS) limit = Math.max(MIN, Math.floor(limit / 2))
      else if (tookMs < SHORT_MS) limit = Math.min(max, limit * 2)
      return result
    },
  }
}

type PaceOptions = Readonly<{ clock: Pick<Clock, 'monotonic'>; max: number; signal?: AbortSignal | undefined }>

/**
 * Repeats a step, which processes at most `limit` items and returns how many it processed, until one processes none.
 * Pauses between steps so that other work can run. Returns the total, even if `signal` ends it early.
 */
export async function inSteps(
  { clock, max, signal }: PaceOptions,
  work: (limit: number) => Promise<number>,
): Promise<number> {
  const pace = createPace(clock, max)
  let sum = 0
  for (let isOver = false; !isOver && !signal?.aborted; ) {
    const count = await pace.step(work)
    sum += count
    isOver = count === 0
    await breathe()
  }
  return sum
}

export const breathe = (): Promise<void> => pause(PAUSE_MS)

const PAUSE_MS = 5
