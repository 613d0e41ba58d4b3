import { othersTurn } from './json-scan.ts'

/** Items processed before yielding, at some microseconds each: a few milliseconds. */
const PIECES = 200

/** Maps items in order, yielding to the event loop after every `pieces` items. */
export async function mapInTurns<T, U>(items: Iterable<T>, work: (item: T) => U, pieces = PIECES): Promise<U[]> {
  const results: U[] = []
  for (const item of items) {
    results.push(work(item))
    if (results.length % pieces === 0) await othersTurn()
  }
  return results
}
