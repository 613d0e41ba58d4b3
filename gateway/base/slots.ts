/**
 * Values that come and go by the thousand a second. A Set or Map would do, but its outgrown tables keep what was in them
 * reachable for the garbage collector's young generation, and every request would be copied to the old one.
 */
export interface Slots<T> {
  /** Keeps a value; calling what is returned (once) lets it go. */
  add(value: T): () => void
  /** What is kept at this moment. */
  values(): T[]
  readonly size: number
}

/** An array with a list of its free places. */
export function createSlots<T>(): Slots<T> {
  const places: (T | undefined)[] = []
  const free: number[] = []
  let size = 0
  return {
    add(value) {
      const place = free.pop() ?? places.length
      places[place] = value
      size += 1
      return () => {
        if (places[place] !== value) return
        places[place] = undefined
        free.push(place)
        size -= 1
      }
    },
    values: () => places.filter((value) => value !== undefined),
    get size() {
      return size
    },
  }
}
