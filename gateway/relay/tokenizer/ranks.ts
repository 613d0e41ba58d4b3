/**
 * The tokens of an encoding as bytes, found by hash. All arrays are in shared memory, so that the thread that built
 * them shares them without a copy: 5 MB instead of 50 for a map of strings.
 */
export interface Ranks {
  bytes: Uint8Array
  /** The offset in `bytes` of the token of each rank; one more entry has the end of the last. */
  starts: Uint32Array
  /** Open addressing: rank + 1 at a token's hash, 0 for empty slots. The length is a power of two. */
  slots: Uint32Array
  longest: number
}

/**
 * Builds the table from a vocabulary in order of rank: text, or bytes if they are not valid text, or undefined if
 * unused.
 */
export function buildRanks(vocabulary: readonly (string | readonly number[] | undefined)[]): Ranks {
  const size = vocabulary.reduce((sum, token) => sum + sizeOf(token), 0)
  const shared = new SharedArrayBuffer(size)
  const text = Buffer.from(shared)
  const ranks: Ranks = {
    bytes: new Uint8Array(shared),
    starts: new Uint32Array(new SharedArrayBuffer(4 * (vocabulary.length + 1))),
    slots: new Uint32Array(new SharedArrayBuffer(4 * 2 ** Math.ceil(Math.log2(vocabulary.length * 2 + 2)))),
    longest: 0,
  }
  let start = 0
  for (const [rank, token] of vocabulary.entries()) {
    const end = start + sizeOf(token)
    if (typeof token === 'string') text.write(token, start)
    else ranks.bytes.set(token ?? [], start)
    if (end > start) insert(ranks, start, end, rank)
    ranks.longest = Math.max(ranks.longest, end - start)
    ranks.starts[rank + 1] = end
    start = end
  }
  return ranks
}

const sizeOf = (token: string | readonly number[] | undefined): number =>
  typeof token === 'string' ? Buffer.byteLength(token) : (token?.length ?? 0)

function insert({ bytes, slots }: Ranks, from: number, to: number, rank: number): void {
  const mask = slots.length - 1
  let at = hashOf(bytes, from, to) & mask
  while (slots[at] !== 0) at = (at + 1) & mask
  slots[at] = rank + 1
}

/** Returns the rank of the token with the bytes from `from` up to `to`, or -1 if there is none. */
export function rankOf(ranks: Ranks, bytes: Uint8Array, from: number, to: number): number {
  if (to - from > ranks.longest) return -1
  const { slots } = ranks
  const mask = slots.length - 1
  let at = hashOf(bytes, from, to) & mask
  for (;;) {
    const rank = (slots[at] ?? 0) - 1
    if (rank < 0 || isToken(ranks, rank, bytes, from, to)) return rank
    at = (at + 1) & mask
  }
}

function isToken(ranks: Ranks, rank: number, bytes: Uint8Array, from: number, to: number): boolean {
  const start = ranks.starts[rank] ?? 0
  if (ranks.starts[rank + 1] !== start + to - from) return false
  for (let at = from; at < to; at += 1) if (bytes[at] !== ranks.bytes[start + at - from]) return false
  return true
}

/** FNV-1a with a final mix, since only the low bits select the slot. */
function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash ^ (hash >>> 15)
}
