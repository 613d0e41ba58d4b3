import { ExactNumber, parseChanging, parseExactly } from './exact-number.ts'
import { randomKey } from './ids.ts'
import {
  type JsonBounds,
  type JsonExcess,
  type JsonScan,
  LARGE,
  othersTurn,
  scanInSlices,
  scanNow,
} from './json-scan.ts'

/** A JSON text exceeds a bound; nothing of it was parsed. */
export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge'
  readonly excess: NonNullable<JsonExcess> | 'text'

  constructor(excess: NonNullable<JsonExcess> | 'text') {
    super(`the JSON has too much in it (${excess})`)
    this.excess = excess
  }
}

/** A value, and where its outermost members stand in the bytes. */
export type ReadJson = Readonly<{ json: unknown; scan: JsonScan }>

/** What is left of a text without its long values is parsed at once, and so is each of those that is no plain ASCII. */
export const MAX_TEXT_MIB = 24
const MAX_AT_ONCE = MAX_TEXT_MIB * 1024 * 1024

/**
 * Parses JSON within bounds. Long values lie in a body apart (files in base64, whole books, vectors): each is taken out and
 * put back one by one, with turns for others between them. Throws `JsonTooLarge`, and what `JSON.parse` throws.
 */
export async function readJson(bytes: Buffer, bounds: JsonBounds): Promise<ReadJson> {
  if (bytes.length <= LARGE) return readJsonNow(bytes, bounds)
  const scan = await scanInSlices(bytes, bounds)
  if (scan.excess !== null) throw new JsonTooLarge(scan.excess)
  const parse = parserFor(scan)
  if (scan.long.length === 0) return { json: parseAtOnce(bytes, parse), scan }
  const mark = randomKey(MARK_LENGTH)
  const json = parseAtOnce(skeletonOf(bytes, scan.long, mark), parse)
  await othersTurn()
  const values: unknown[] = []
  let read = 0
  for (let at = 0; at < scan.long.length; at += 2) {
    const [start = 0, end = 0] = scan.long.slice(at, at + 2)
    values.push(
      isText(bytes, start) ? await longText(bytes, start, end) : parseAtOnce(bytes.subarray(start, end), parse),
    )
    read += end - start
    if (read < LARGE) continue
    read = 0
    await othersTurn()
  }
  return { json: filled(json, mark, values), scan }
}

/** Parses JSON at once, for texts that come in pieces of a bounded length. */
export function readJsonNow(bytes: Buffer, bounds: JsonBounds): ReadJson {
  const scan = scanNow(bytes, bounds)
  if (scan.excess !== null) throw new JsonTooLarge(scan.excess)
  return { json: parserFor(scan)(bytes.toString('utf8')), scan }
}

/** The value alone, at once. A text too short to exceed any bound is not walked over first. */
export function readValueNow(bytes: Buffer, bounds: JsonBounds): unknown {
  const { values, names, depth } = bounds
  // A container has two bytes, and a name more.
  if (bytes.length <= Math.min(values, names, 2 * depth)) return parseExactly(bytes.toString('utf8'))
  return readJsonNow(bytes, bounds).json
}

const MARK_LENGTH = 24

type Parse = (text: string) => unknown

/** Numbers cost a parser's time only where there are such that a double changes. */
const parserFor = ({ hasLargeNumbers }: JsonScan): Parse => (hasLargeNumbers ? parseChanging : JSON.parse)

function parseAtOnce(bytes: Buffer, parse: Parse): unknown {
  if (bytes.length > MAX_AT_ONCE) throw new JsonTooLarge('text')
  return parse(bytes.toString('utf8'))
}

/** The text with marks in place of its long values. */
function skeletonOf(bytes: Buffer, long: readonly number[], mark: string): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (let at = 0; at < long.length; at += 2) {
    const start = long[at] ?? 0
    const own = `${mark}${at / 2}`
    pieces.push(bytes.subarray(from, start), Buffer.from(isText(bytes, start) ? own : `"${own}"`))
    from = long[at + 1] ?? 0
  }
  pieces.push(bytes.subarray(from))
  return Buffer.concat(pieces)
}

const QUOTE = 0x22

/** What begins behind a quote is a text, all else a list. */
const isText = (bytes: Buffer, start: number): boolean => bytes[start - 1] === QUOTE

/** Printable ASCII without escapes stands for itself. */
const NOT_PLAIN = /[^\x20\x21\x23-\x5b\x5d-\x7e]/
/** Bytes looked at before others have their turn. */
const PIECE = 4 * 1024 * 1024

async function longText(bytes: Buffer, start: number, end: number): Promise<string> {
  let text = ''
  for (let from = start; from < end; from += PIECE) {
    const piece = bytes.toString('latin1', from, Math.min(from + PIECE, end))
    // With its quotes it is JSON that can only be a text, or nothing.
    if (NOT_PLAIN.test(piece)) return parseAtOnce(bytes.subarray(start - 1, end + 1), JSON.parse) as string
    text += piece
    await othersTurn()
  }
  return text
}

/** Puts the values in place of their marks. */
function filled(value: unknown, mark: string, values: readonly unknown[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? (values[Number(value.slice(mark.length))] ?? value) : value
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  // What was parsed has members of its own only, by their names or places.
  const members = value as Record<string, unknown>
  for (const name in members) {
    const member = members[name]
    const whole = filled(member, mark, values)
    if (whole !== member) Object.defineProperty(members, name, { value: whole, ...PLAIN })
  }
  return value
}

const PLAIN = { writable: true, enumerable: true, configurable: true }
