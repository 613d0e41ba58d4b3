/**
 * Values that are added and removed thousands of times per second. A Set or Map would keep removed values reachable
 * from its outgrown tables, so the young-generation collector would promote every request to the old generation.
 */
export interface Slots<T> {
  /** Adds a value; the returned function removes it, and must be called only once. */
  add(value: T): () => void
  values(): T[]
  readonly size: number
}

export function createSlots<T>(): Slots<T> {
  const slots: (T | undefined)[] = []
  const free: number[] = []
  let size = 0
  return {
    add(value) {
      const index = free.pop() ?? slots.length
      slots[index] = value
      size += 1
      return () => {
        if (slots[index] !== value) return
        slots[index] = undefined
        free.push(index)
        size -= 1
      }
    },
    values: () => slots.filter((value) => value !== undefined),
    get size() {
      return size
    },
  }
}
