import { createMerge, MAX_LENGTH } from './merge.ts'
import { type Ranks, rankOf } from './ranks.ts'
import { splitRuns } from './split.ts'

/** Counts the tokens of a text. Special tokens (`<|endoftext|>`) count as plain text. */
export type CountText = (text: string) => number

/**
 * Counts byte pairs using a table of ranks: splits the text by the encoding's pattern and in each part merges the
 * adjacent pair of lowest rank until none are left, as described by OpenAI's tiktoken.
 */
export function createCounter(ranks: Ranks, pattern: RegExp): CountText {
  // No pre-token of split text is longer in UTF-8; anything longer would be truncated instead of growing the buffer.
  const bytes = new Uint8Array(MAX_LENGTH)
  const merge = createMerge(ranks)
  const encoder = new TextEncoder()
  const cut = new RegExp(pattern.source, pattern.flags.includes('g') ? pattern.flags : `${pattern.flags}g`)
  const countPart = (part: string): number => {
    const size = writeAscii(part, bytes) ?? encoder.encodeInto(part, bytes).written
    if (size === 1 || rankOf(ranks, bytes, 0, size) >= 0) return 1
    return merge(bytes, size)
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
