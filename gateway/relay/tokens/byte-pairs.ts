import { type Ranks, rankOf } from './ranks.ts'
import { splitRuns } from './split.ts'

/** No pre-token of split text is longer in UTF-8; whatever exceeds it would be cut rather than grow the buffer. */
const BUFFER = 2048
const NONE = 0x7fffffff

/** Counts the tokens of a text. Marks that mean something to the model (`<|endoftext|>`) are text here like any other. */
export type CountText = (text: string) => number

/**
 * Byte-pair counting over a table of ranks: the text is cut by the encoding's own pattern and in each part the two
 * neighbours of lowest rank are merged until none are left, as OpenAI's tiktoken describes it.
 */
export function createCounter(ranks: Ranks, pattern: RegExp): CountText {
  const bytes = new Uint8Array(BUFFER)
  const starts = new Int32Array(BUFFER + 2)
  const merged = new Int32Array(BUFFER + 2)
  const encoder = new TextEncoder()
  const cut = new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`)
  const countPart = (part: string): number => {
    const size = writeAscii(part, bytes) ?? encoder.encodeInto(part, bytes).written
    if (size === 1 || rankOf(ranks, bytes, 0, size) >= 0) return 1
    return mergeAll(ranks, bytes, size, { starts, merged })
  }
  return (text) => {
    let tokens = 0
    for (const piece of splitRuns(text)) for (const [part] of piece.matchAll(cut)) tokens += countPart(part)
    return tokens
  }
}

function writeAscii(text: string, bytes: Uint8Array): number | undefined {
  if (text.length > bytes.length) return undefined
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 0x7f) return undefined
    bytes[at] = code
  }
  return text.length
}

/** `starts` are where parts begin, `merged` the rank that each would have together with the next. */
type Parts = { starts: Int32Array; merged: Int32Array }

function mergeAll(ranks: Ranks, bytes: Uint8Array, size: number, { starts, merged }: Parts): number {
  let parts = size
  const rankAt = (part: number): number => {
    if (part + 1 >= parts) return NONE
    const rank = rankOf(ranks, bytes, starts[part] ?? 0, starts[part + 2] ?? size)
    return rank < 0 ? NONE : rank
  }
  for (let at = 0; at <= size; at += 1) starts[at] = at
  for (let at = 0; at < size; at += 1) merged[at] = rankAt(at)
  for (let best = lowest(merged, parts); best >= 0; best = lowest(merged, parts)) {
    starts.copyWithin(best + 1, best + 2, parts + 1)
    merged.copyWithin(best + 1, best + 2, parts)
    parts -= 1
    merged[best] = rankAt(best)
    if (best > 0) merged[best - 1] = rankAt(best - 1)
  }
  return parts
}

/** The leftmost part that merges first, -1 when none does. */
function lowest(merged: Int32Array, parts: number): number {
  let best = -1
  let least = NONE
  for (let at = 0; at < parts - 1; at += 1) {
    const rank = merged[at] ?? NONE
    if (rank < least) {
      least = rank
      best = at
    }
  }
  return best
}
