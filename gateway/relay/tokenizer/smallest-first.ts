/** Jobs that wait for a thread. */
export interface SmallestFirst<T> {
  /** Lets a job wait; returns the largest, which has to go, where too many wait then. */
  add(job: T, size: number): T | undefined
  next(): T | undefined
  /** Whether it still waited. */
  remove(job: T): boolean
  takeAll(): T[]
}

/** At most `max` jobs, the smallest first, so that large jobs of one account do not hold up the small ones of others. */
export function createSmallestFirst<T>(max: number): SmallestFirst<T> {
  const waiting: { job: T; size: number }[] = []
  return {
    add(job, size) {
      const later = waiting.findIndex((one) => one.size > size)
      waiting.splice(later < 0 ? waiting.length : later, 0, { job, size })
      return waiting.length > max ? waiting.pop()?.job : undefined
    },
    next: () => waiting.shift()?.job,
    remove(job) {
      const at = waiting.findIndex((one) => one.job === job)
      if (at >= 0) waiting.splice(at, 1)
      return at >= 0
    },
    takeAll: () => waiting.splice(0).map(({ job }) => job),
  }
}
