const TICK_MS = 10
/** What a tick counts for at most: where it came later, the machine was at something else. */
const MOST_MS = 25

/**
 * How long something takes, in milliseconds of a clock that stands still while this process does: a promise of time can be held
 * to its figure on a machine that is busy with other things. Answers once `work` has resolved.
 */
export async function paceOf(work: () => Promise<unknown>): Promise<number> {
  let took = 0
  let last = performance.now()
  const tick = () => {
    const now = performance.now()
    took += Math.min(now - last, MOST_MS)
    last = now
  }
  const timer = setInterval(tick, TICK_MS)
  try {
    await work()
    tick()
    return took
  } finally {
    clearInterval(timer)
  }
}
