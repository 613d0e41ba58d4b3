/** UTF-8 bytes after which a run is split; with a preceding character and a suffix, a pre-token stays within 512. */
const MAX_RUN = 504

const OTHER = 0
const LETTER = 1
const DIGIT = 2
const MARK = 3
const SPACE = 4
const NEWLINE = 5

/**
 * Splits text so that no pre-token of a tokenizer is longer than 512 bytes, which bounds the buffers of a merge
 * (docs/reference/tokens.md#exact-counts). Linear; text without longer runs is returned whole, so that its count stays
 * exact.
 */
export function splitRuns(text: string): readonly string[] {
  if (text.length * 3 <= MAX_RUN) return [text]
  const pieces: string[] = []
  let start = 0
  let size = 0
  let before = OTHER
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const kind = code < 0x80 ? (ascii[code] ?? OTHER) : kindOf(code)
    if (isBoundary(before, kind)) size = 0
    const bytes = code < 0x80 ? 1 : 3
    if (size + bytes > MAX_RUN && !isWithinPair(text, at)) {
      pieces.push(text.slice(start, at))
      start = at
      size = 0
    }
    size += bytes
    before = kind
  }
  if (start === 0) return [text]
  pieces.push(text.slice(start))
  return pieces
}

/**
 * Whether every encoding certainly starts a new pre-token here. Letters include one preceding sign and a short suffix,
 * digits form groups of three, signs include the line ends that follow; unknown kinds may be any.
 */
function isBoundary(before: number, kind: number): boolean {
  if (before === DIGIT || kind === DIGIT) return true
  if (before === SPACE) return kind < SPACE
  if (before === NEWLINE) return kind === LETTER || kind === OTHER
  if (kind === SPACE || (before === LETTER && kind === NEWLINE)) return true
  return (before === LETTER && kind === MARK) || (before === MARK && kind === LETTER)
}

const ascii = Uint8Array.from({ length: 0x80 }, (_, code) => {
  if (code === 0x0a || code === 0x0d) return NEWLINE
  if (code === 0x20 || code === 0x09 || code === 0x0b || code === 0x0c) return SPACE
  if (code >= 0x30 && code <= 0x39) return DIGIT
  if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return LETTER
  return code > 0x20 && code < 0x7f ? MARK : OTHER
})

/** Classifies, beyond ASCII, all spaces and, if certain, letters and punctuation of East Asia and Latin letters. */
function kindOf(code: number): number {
  if (code >= 0x4e00 && code <= 0x9fa5) return LETTER
  if (SPACES.includes(code) || (code >= 0x2000 && code <= 0x200a)) return SPACE
  if (code >= 0x3001 && code <= 0x3003) return MARK
  if (code >= 0xff01 && code <= 0xff0f) return MARK
  if (code === 0xff1a || code === 0xff1b || code === 0xff1f) return MARK
  if (code >= 0x3041 && code <= 0x3096) return LETTER
  if (code >= 0x30a1 && code <= 0x30fa) return LETTER
  if (code >= 0xac00 && code <= 0xd7a3) return LETTER
  return code >= 0xc0 && code <= 0x17f && code !== 0xd7 && code !== 0xf7 ? LETTER : OTHER
}

const SPACES: readonly number[] = [0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]

const isWithinPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
