import { randomBytes } from 'node:crypto'

/** Counts distinct names with a randomly seeded hash, so that no one can craft collisions. */
export type NameCounter = Readonly<{ note: (bytes: Buffer, start: number, end: number) => number }>

/** Longer names each count as distinct. */
const MAX_HASHED_LENGTH = 64
/** Bits per name, so that few names collide. */
const BITS_PER_NAME = 16

export function createNameCounter(max: number): NameCounter {
  const bits = 2 ** Math.ceil(Math.log2(max * BITS_PER_NAME))
  const seen = new Uint8Array(bits / 8)
  const seed = randomBytes(4).readInt32LE()
  let different = 0
  return {
    note(bytes, start, end) {
      if (end - start > MAX_HASHED_LENGTH) {
        different += 1
        return different
      }
      let hash = seed
      for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
      const index = (hash ^ (hash >>> 15)) & (bits - 1)
      const cell = index >>> 3
      const bit = 1 << (index & 7)
      const known = seen[cell] ?? 0
      if ((known & bit) === 0) {
        seen[cell] = known | bit
        different += 1
      }
      return different
    },
  }
}
