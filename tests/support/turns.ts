/**
 * Starts measuring; the function it returns gives the CPU time of the longest turn of this thread's event loop, the
 * current one included, in milliseconds.
 */
export function watchTurns(): () => number {
  let longest = 0
  let isOver = false
  let last = cpuMs()
  const turn = () => {
    const now = cpuMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    isOver = true
    return Math.max(longest, cpuMs() - last)
  }
}

/**
 * The CPU time for parsing a JSON text, in milliseconds: the median of three, since garbage collection may slow one of
 * them.
 */
export function readingMs(text: string): number {
  const tries = [0, 1, 2].map(() => {
    const since = cpuMs()
    JSON.parse(text)
    return cpuMs() - since
  })
  return tries.toSorted((one, other) => one - other)[1] ?? 0
}

/** The processor time of this thread, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
