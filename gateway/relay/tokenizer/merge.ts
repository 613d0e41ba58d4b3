import { type Ranks, rankOf } from './ranks.ts'

/** Max bytes that are merged; a power of two. */
export const MAX_LENGTH = 2048
const NONE = -1

/**
 * Returns the number of tokens that the first `size` bytes merge to; among pairs of lowest rank, the leftmost is merged
 * first.
 */
type Merge = (bytes: Uint8Array, size: number) => number

/**
 * Merges using a table of ranks, in `n log n` steps. A part is identified by its first byte; `next` and `previous` are
 * its neighbors, `merged` the rank of its union with the next. Pairs are in a heap by rank, then position; outdated
 * ones are skipped when they are popped.
 */
export function createMerge(ranks: Ranks): Merge {
  const next = new Int32Array(MAX_LENGTH)
  const previous = new Int32Array(MAX_LENGTH)
  const merged = new Int32Array(MAX_LENGTH)
  // Each byte adds a pair and each merge two.
  const heap = new Int32Array(3 * MAX_LENGTH)
  let waiting = 0
  const push = (key: number) => {
    let at = waiting
    waiting += 1
    while (at > 0) {
      const above = (at - 1) >> 1
      const other = heap[above] ?? 0
      if (other <= key) break
      heap[at] = other
      at = above
    }
    heap[at] = key
  }
  const pop = (): number => {
    const min = heap[0] ?? 0
    waiting -= 1
    const key = heap[waiting] ?? 0
    let at = 0
    for (let below = 1; below < waiting; below = 2 * at + 1) {
      if (below + 1 < waiting && (heap[below + 1] ?? 0) < (heap[below] ?? 0)) below += 1
      const other = heap[below] ?? 0
      if (key <= other) break
      heap[at] = other
      at = below
    }
    heap[at] = key
    return min
  }
  const look = (bytes: Uint8Array, size: number, at: number) => {
    const second = next[at] ?? size
    const rank = second < size ? rankOf(ranks, bytes, at, next[second] ?? size) : NONE
    merged[at] = rank
    if (rank !== NONE) push(rank * MAX_LENGTH + at)
  }
  return (bytes, size) => {
    let parts = size
    waiting = 0
    for (let at = 0; at < size; at += 1) {
      next[at] = at + 1
      previous[at] = at - 1
    }
    for (let at = 0; at < size; at += 1) look(bytes, size, at)
    while (waiting > 0) {
      const key = pop()
      const at = key & (MAX_LENGTH - 1)
      if (merged[at] !== (key - at) / MAX_LENGTH) continue
      const gone = next[at] ?? size
      const after = next[gone] ?? size
      merged[gone] = NONE
      next[at] = after
      if (after < size) previous[after] = at
      parts -= 1
      look(bytes, size, at)
      const before = previous[at] ?? NONE
      if (before !== NONE) look(bytes, size, before)
    }
    return parts
  }
}
