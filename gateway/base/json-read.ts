import { ExactNumber, parseExactly } from './exact-number.ts'
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

/** What is left of a text without what is parsed apart is parsed at once, and so is each long text that is no plain ASCII. */
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
  if (scan.apart.length === 0) return { json: parseAtOnce(bytes), scan }
  const mark = randomKey(MARK_LENGTH)
  const json = parseAtOnce(skeletonOf(bytes, scan.apart, mark))
  await othersTurn()
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
    await othersTurn()
  }
  return { json: filled(json, mark, values), scan }
}

/** Parses JSON at once, for texts that come in pieces of a bounded length; `text` where the bytes are known as such. */
export function readJsonNow(bytes: Buffer, bounds: JsonBounds, text?: string): ReadJson {
  const scan = scanNow(bytes, bounds)
  if (scan.excess !== null) throw new JsonTooLarge(scan.excess)
  // A reviver would be called for each value.
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

/** The value alone, at once. A text too short to exceed any bound is not walked over first. */
export function readValueNow(bytes: Buffer, bounds: JsonBounds): unknown {
  const { values, names, depth } = bounds
  // A container has two bytes, and a name more.
  if (bytes.length <= Math.min(values, names, 2 * depth)) return parseExactly(bytes.toString('utf8'))
  return readJsonNow(bytes, bounds).json
}

const MARK_LENGTH = 24

function parseAtOnce(bytes: Buffer): unknown {
  if (bytes.length > MAX_AT_ONCE) throw new JsonTooLarge('text')
  return JSON.parse(bytes.toString('utf8'))
}

/** The text with marks in place of what is parsed apart. */
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

/** What begins behind a quote is a text, all else a list or a number. */
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
    if (NOT_PLAIN.test(piece)) return parseAtOnce(bytes.subarray(start - 1, end + 1)) as string
    text += piece
    await othersTurn()
  }
  return text
}

/** Bytes of a list that are parsed before others have their turn: at most 50 ms where doubles change all its numbers. */
const LIST_PIECE = 128 * 1024

/** The values of a list of numbers, parsed in pieces that end at commas. */
async function longList(bytes: Buffer, start: number, end: number): Promise<unknown[]> {
  const list: unknown[] = []
  for (let from = start + 1; from < end; ) {
    const comma = from + LIST_PIECE < end ? bytes.indexOf(COMMA, from + LIST_PIECE) : -1
    const to = comma < 0 || comma >= end ? end - 1 : comma
    const piece = parseExactly(`[${bytes.toString('latin1', from, to)}]`) as unknown[]
    if (piece.length === 0 && (from > start + 1 || to < end - 1))
      throw new SyntaxError('a comma has no value beside it')
    for (const value of piece) list.push(value)
    from = to + 1
    if (from < end) await othersTurn()
  }
  return list
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
