import { yieldToOthers } from './fair-yield.ts'
import { LARGE } from './json/json-scan.ts'

/** A row's key, and the size in bytes of its long columns (`octet_length`, which does not read them). */
export type RowSize = Readonly<{ id: number; bytes: number }>

/** Reading a row takes as long as reading this many bytes. */
const WORK_OF_A_ROW = 8192

/** Splits rows into steps of about `LARGE` bytes each, or of one longer row. */
export function stepsOf(sizes: readonly RowSize[]): number[][] {
  const steps: number[][] = []
  let work = LARGE
  for (const { id, bytes } of sizes) {
    work += bytes + WORK_OF_A_ROW
    if (work > LARGE) {
      steps.push([])
      work = bytes + WORK_OF_A_ROW
    }
    steps.at(-1)?.push(id)
  }
  return steps
}

export const bytesOf = (sizes: readonly RowSize[]): number => sizes.reduce((sum, { bytes }) => sum + bytes, 0)

/** Returns how many of the first rows have at most `max` bytes together; at least one if there are any. */
export function countWithin(rows: readonly Readonly<{ bytes: number }>[], max: number): number {
  let sum = 0
  const over = rows.findIndex(({ bytes }, index) => {
    sum += bytes
    return index > 0 && sum > max
  })
  return over < 0 ? rows.length : over
}

/** Memory that a response may take; `grow` raises it to a total in bytes, and throws if there is not enough. */
export type ReadMemory = Readonly<{ grow(bytes: number): void }>

/** A row's texts take two bytes per character in memory, and their JSON one. */
const MEMORY_PER_BYTE = 3

/**
 * Reserves memory for rows and reads them in steps, in the order of `sizes`; yields to the event loop before each
 * further step. Rows that are deleted meanwhile are missing.
 */
export async function readInSteps<T extends Readonly<{ id: number }>>(
  sizes: readonly RowSize[],
  read: (ids: readonly number[]) => Promise<readonly T[]>,
  memory: ReadMemory,
): Promise<T[]> {
  memory.grow(bytesOf(sizes) * MEMORY_PER_BYTE)
  const rows = new Map<number, T>()
  for (const [index, ids] of stepsOf(sizes).entries()) {
    if (index > 0) await yieldToOthers()
    for (const row of await read(ids)) rows.set(row.id, row)
  }
  return sizes.flatMap(({ id }) => rows.get(id) ?? [])
}
