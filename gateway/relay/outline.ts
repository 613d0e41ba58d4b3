/** One member of a JSON object: where its key and its value stand in the bytes. */
export type Member = Readonly<{ key: string; start: number; valueStart: number; valueEnd: number }>
/** The top level of a JSON object's bytes, and how deep the whole is nested. */
export type Outline = Readonly<{ members: readonly Member[]; depth: number; end: number }>

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COLON = 0x3a
const COMMA = 0x2c
const LAST_SPACE = 0x20

/**
 * Finds the members of the object that `bytes` holds, without building it. The bytes must be one valid JSON object
 * (parse them first); strings are skipped over whole, so the cost follows the structure, not the length of a prompt.
 */
export function outlineOf(bytes: Buffer): Outline {
  const members: Member[] = []
  let depth = 0
  let deepest = 0
  let keyStart = -1
  let keyEnd = -1
  let valueStart = -1
  let end = bytes.length
  const close = (at: number) => {
    if (valueStart < 0) return
    members.push({ key: keyAt(bytes, keyStart, keyEnd), start: keyStart, valueStart, valueEnd: trimmedEnd(bytes, at) })
    keyStart = -1
    valueStart = -1
  }
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      const closing = closingQuote(bytes, at)
      if (depth === 1 && keyStart < 0) {
        keyStart = at
        keyEnd = closing + 1
      }
      at = closing
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 1) {
        close(at)
        end = at
      }
      depth -= 1
    } else if (depth === 1 && byte === COLON) valueStart = firstAfterSpace(bytes, at + 1)
    else if (depth === 1 && byte === COMMA) close(at)
  }
  return { members, depth: deepest, end }
}

/**
 * The same object with some top-level members changed, put in, or (value `undefined`) left out; every other byte is
 * kept: key order, spacing, big numbers and fields this gateway has never heard of.
 */
export function editObject(bytes: Buffer, outline: Outline, edits: ReadonlyMap<string, unknown>): Buffer {
  const { members, end } = outline
  const pieces: Buffer[] = [bytes.subarray(0, members[0]?.start ?? end)]
  const missing = new Map(edits)
  let first = true
  for (const [index, member] of members.entries()) {
    missing.delete(member.key)
    const edited = edits.has(member.key)
    if (edited && edits.get(member.key) === undefined) continue
    if (!first) pieces.push(bytes.subarray(members[index - 1]?.valueEnd ?? 0, member.start))
    first = false
    if (edited)
      pieces.push(bytes.subarray(member.start, member.valueStart), Buffer.from(JSON.stringify(edits.get(member.key))))
    else pieces.push(bytes.subarray(member.start, member.valueEnd))
  }
  for (const [key, value] of missing) {
    if (value === undefined) continue
    pieces.push(Buffer.from(`${first ? '' : ','}${JSON.stringify(key)}:${JSON.stringify(value)}`))
    first = false
  }
  pieces.push(bytes.subarray(members.at(-1)?.valueEnd ?? end))
  return Buffer.concat(pieces)
}

function closingQuote(bytes: Buffer, open: number): number {
  let at = bytes.indexOf(QUOTE, open + 1)
  while (at >= 0 && isEscaped(bytes, at)) at = bytes.indexOf(QUOTE, at + 1)
  return at < 0 ? bytes.length : at
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let slashes = 0
  while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1
  return slashes % 2 === 1
}

// A valid JSON string parses to a string.
const keyAt = (bytes: Buffer, start: number, end: number): string =>
  JSON.parse(bytes.toString('utf8', start, end)) as string

function firstAfterSpace(bytes: Buffer, from: number): number {
  let at = from
  while ((bytes[at] ?? QUOTE) <= LAST_SPACE) at += 1
  return at
}

function trimmedEnd(bytes: Buffer, end: number): number {
  let at = end
  while ((bytes[at - 1] ?? QUOTE) <= LAST_SPACE) at -= 1
  return at
}
