import { createMerge, MAX_LENGTH } from './merge.ts'
import { type Ranks, rankOf } from './ranks.ts'
import { splitRuns } from './split.ts'

/** Counts the tokens of a text. Marks that mean something to the model (`<|endoftext|>`) are text here like any other. */
export type CountText = (text: string) => number

/**
 * Byte-pair counting over a table of ranks: the text is cut by the encoding's own pattern and in each part the two
 * neighbours of lowest rank are merged until none are left, as OpenAI's tiktoken describes it.
 */
export function createCounter(ranks: Ranks, pattern: RegExp): CountText {
  // No pre-token of split text is longer in UTF-8; whatever exceeds it would be cut rather than grow the buffer.
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
