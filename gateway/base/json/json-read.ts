import { yieldToOthers } from '../fair-yield.ts'
import { randomKey } from '../ids.ts'
import { ExactNumber, parseExactly } from './exact-number.ts'
import { type JsonBounds, type JsonExcess, type JsonScan, LARGE, SMALL, scanInSlices, scanNow } from './json-scan.ts'

/** A JSON text exceeds a bound; none of it was parsed. */
export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge'
  readonly excess: NonNullable<JsonExcess> | 'text'

  constructor(excess: NonNullable<JsonExcess> | 'text') {
    super(`the JSON has too much in it (${excess})`)
    this.excess = excess
  }
}

export type ReadJson = Readonly<{ json: unknown; scan: JsonScan }>

/**
 * Max size of a text that is parsed at once: a text without its separately parsed values, or a long string that is not
 * plain ASCII.
 */
export const MAX_TEXT_MIB = 24
const MAX_AT_ONCE = MAX_TEXT_MIB * 1024 * 1024

/** Called with the scan of a text before anything of it is parsed, to reserve the memory; may throw. */
type OnScan = (scan: JsonScan) => void
const NOTHING: OnScan = () => {}

/**
 * Parses JSON within bounds. Texts above `SMALL` wait for their account's turn. The long values of texts above `LARGE`
 * (base64 files, whole books, vectors) are parsed separately and then put back, yielding to the event loop in between.
 * Throws `JsonTooLarge`, the errors of `JSON.parse` and those of `onScan`.
 */
export async function readJson(bytes: Buffer, bounds: JsonBounds, onScan = NOTHING): Promise<ReadJson> {
  if (bytes.length > SMALL) await yieldToOthers()
  if (bytes.length <= LARGE) {
    const scan = withinBounds(scanNow(bytes, bounds))
    onScan(scan)
    if (bytes.length > SMALL) await yieldToOthers()
    const read = parseScanned(bytes, scan)
    if (bytes.length > SMALL) await yieldToOthers()
    return read
  }
  const scan = withinBounds(await scanInSlices(bytes, bounds))
  onScan(scan)
  if (scan.apart.length === 0) return { json: parseAtOnce(bytes), scan }
  const mark = randomKey(MARK_LENGTH)
  const json = parseAtOnce(skeletonOf(bytes, scan.apart, mark))
  await yieldToOthers()
  const values: unknown[] = []
  let read = 0
  for (let at = 0; at < scan.apart.length; at += 2) {
    const [start = 0, end = 0] = scan.apart.slice(at, at + 2)
    if (isText(bytes, start)) values.push(await longText(bytes, start, end))
    else if (bytes[start] === OPEN_ARRAY) values.push(await longList(bytes, start, end))
    else values.push(parseExactly(bytes.toString('latin1', start, end)))
    read += end - start
    if (read < LARGE) continue
    read = 0
    await yieldToOthers()
  }
  return { json: filled(json, mark, values), scan }
}

/**
 * Whether an object has two members with the same name: parsing keeps only the last, other parsers the first or both.
 */
export function repeatsNames({ json, scan }: ReadJson): boolean {
  let fields = 0
  const rest: unknown[] = [json]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next !== 'object' || next === null || next instanceof ExactNumber) continue
    const inner = Array.isArray(next) ? next : Object.values(next)
    if (inner !== next) fields += inner.length
    for (const value of inner) if (typeof value === 'object') rest.push(value)
  }
  return fields !== scan.keys
}

/** Parses JSON synchronously, for texts of bounded length; `text` is the decoded text if known. */
export const readJsonNow = (bytes: Buffer, bounds: JsonBounds, text?: string): ReadJson =>
  parseScanned(bytes, withinBounds(scanNow(bytes, bounds)), text)

function withinBounds(scan: JsonScan): JsonScan {
  if (scan.excess !== null) throw new JsonTooLarge(scan.excess)
  return scan
}

function parseScanned(bytes: Buffer, scan: JsonScan, text?: string): ReadJson {
  // Without the reviver of `parseExactly`, which is called for each value.
  if (!scan.hasLargeNumbers) return { json: JSON.parse(text ?? bytes.toString('utf8')), scan }
  const mark = randomKey(MARK_LENGTH)
  const json: unknown = JSON.parse(skeletonOf(bytes, scan.apart, mark).toString('utf8'))
  const values: unknown[] = []
  for (let at = 0; at < scan.apart.length; at += 2) {
    const [start = 0, end = 0] = scan.apart.slice(at, at + 2)
    if (isText(bytes, start)) values.push(JSON.parse(bytes.toString('utf8', start - 1, end + 1)))
    else values.push(parseExactly(bytes.toString('utf8', start, end)))
  }
  return { json: filled(json, mark, values), scan }
}

/** Returns only the value, synchronously. A text too short to exceed any bound is not scanned first. */
export function readValueNow(bytes: Buffer, bounds: JsonBounds): unknown {
  const { values, names, depth } = bounds
  // A container takes at least two bytes, a name more.
  if (bytes.length <= Math.min(values, names, 2 * depth)) return parseExactly(bytes.toString('utf8'))
  return readJsonNow(bytes, bounds).json
}

const MARK_LENGTH = 24

function parseAtOnce(bytes: Buffer): unknown {
  if (bytes.length > MAX_AT_ONCE) throw new JsonTooLarge('text')
  return JSON.parse(bytes.toString('utf8'))
}

function skeletonOf(bytes: Buffer, apart: readonly number[], mark: string): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (let at = 0; at < apart.length; at += 2) {
    const start = apart[at] ?? 0
    const own = `${mark}${at / 2}`
    pieces.push(bytes.subarray(from, start), Buffer.from(isText(bytes, start) ? own : `"${own}"`))
    from = apart[at + 1] ?? 0
  }
  pieces.push(bytes.subarray(from))
  return Buffer.concat(pieces)
}

const QUOTE = 0x22
const OPEN_ARRAY = 0x5b
const COMMA = 0x2c

/** A value after a quote is a string, any other a list or a number. */
const isText = (bytes: Buffer, start: number): boolean => bytes[start - 1] === QUOTE

/** Printable ASCII without escapes needs no decoding. */
const NOT_PLAIN = /[^\x20\x21\x23-\x5b\x5d-\x7e]/
/** Bytes checked before yielding to the event loop. */
const PIECE = 4 * 1024 * 1024

async function longText(bytes: Buffer, start: number, end: number): Promise<string> {
  let text = ''
  for (let from = start; from < end; from += PIECE) {
    const piece = bytes.toString('latin1', from, Math.min(from + PIECE, end))
    // With its quotes, valid JSON here can only be a string.
    if (NOT_PLAIN.test(piece)) return parseAtOnce(bytes.subarray(start - 1, end + 1)) as string
    text += piece
    await yieldToOthers()
  }
  return text
}

/** Bytes of a list parsed before yielding: at most 50 ms even if every number needs an `ExactNumber`. */
const LIST_PIECE = 128 * 1024

/** Parses a list of numbers in pieces that end at commas. */
async function longList(bytes: Buffer, start: number, end: number): Promise<unknown[]> {
  const list: unknown[] = []
  for (let from = start + 1; from < end; ) {
    const comma = from + LIST_PIECE < end ? bytes.indexOf(COMMA, from + LIST_PIECE) : -1
    const to = comma < 0 || comma >= end ? end - 1 : comma
    const piece = parseExactly(`[${bytes.toString('latin1', from, to)}]`) as unknown[]
    if (piece.length === 0 && (from > start + 1 || to < end - 1))
      throw new SyntaxError('a comma has no value next to it')
    for (const value of piece) list.push(value)
    from = to + 1
    if (from < end) await yieldToOthers()
  }
  return list
}

function filled(value: unknown, mark: string, values: readonly unknown[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? (values[Number(value.slice(mark.length))] ?? value) : value
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  const members = value as Record<string, unknown>
  for (const name in members) {
    const member = members[name]
    const whole = filled(member, mark, values)
    if (whole !== member) Object.defineProperty(members, name, { value: whole, ...PLAIN })
  }
  return value
}

const PLAIN = { writable: true, enumerable: true, configurable: true }
