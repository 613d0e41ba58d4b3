import { othersTurn } from './json-scan.ts'

/** Pieces worked on before others have their turn: of some microseconds each, a few milliseconds. */
const PIECES = 200

/** What `work` makes of each item, in their order, with turns for others after so many `pieces`. */
export async function mapInTurns<T, U>(items: Iterable<T>, work: (item: T) => U, pieces = PIECES): Promise<U[]> {
  const made: U[] = []
  for (const item of items) {
    made.push(work(item))
    if (made.length % pieces === 0) await othersTurn()
  }
  return made
}
