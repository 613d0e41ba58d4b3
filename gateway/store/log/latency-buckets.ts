/** Buckets per doubling; a value differs from the middle of its bucket by less than 5%. */
const PER_DOUBLING = 8

export const bucketOf = (milliseconds: number): number =>
  Math.round(Math.log2(Math.max(milliseconds, 1)) * PER_DOUBLING)

/** The middle of a bucket, in milliseconds. */
export const middleOf = (bucket: number): number => Math.round(2 ** (bucket / PER_DOUBLING))

export type Bucket = Readonly<{ bucket: number; count: number }>

/**
 * Returns the number of values and their 50th, 95th and 99th percentile in milliseconds, accurate to 5%; undefined
 * without values.
 */
export function percentiles(buckets: readonly Bucket[]) {
  const rising = [...buckets].sort((a, b) => a.bucket - b.bucket)
  const count = rising.reduce((sum, one) => sum + one.count, 0)
  if (count === 0) return undefined
  const at = (share: number): number => {
    let remaining = Math.ceil(count * share)
    const found = rising.find((one) => {
      remaining -= one.count
      return remaining <= 0
    })
    return middleOf(found?.bucket ?? 0)
  }
  return { count, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
