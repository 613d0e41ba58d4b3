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
export const MOST_TEXT_MIB = 24
const MOST_AT_ONCE = MOST_TEXT_MIB * 1024 * 1024

/**
 * Parses JSON within bounds. Long texts lie in a body apart (files in base64, whole books): each is taken out and put
 * back one by one, with turns for others between them. Throws `JsonTooLarge`, and what `JSON.parse` throws.
 */
export async function readJson(bytes: Buffer, bounds: JsonBounds): Promise<ReadJson> {
  if (bytes.length <= LARGE) return readJsonNow(bytes, bounds)
  const scan = await scanInSlices(bytes, bounds)
  if (scan.excess !== null) throw new JsonTooLarge(scan.excess)
  if (scan.long.length === 0) return { json: parseAtOnce(bytes), scan }
  const mark = randomKey(MARK_LENGTH)
  const json = parseAtOnce(skeletonOf(bytes, scan.long, mark))
  await othersTurn()
  const texts: string[] = []
  for (let at = 0; at < scan.long.length; at += 2)
    texts.push(await longText(bytes, scan.long[at] ?? 0, scan.long[at + 1] ?? 0))
  return { json: filled(json, mark, texts), scan }
}

/** The same at once, for texts that come in pieces of a bounded length. */
export function readJsonNow(bytes: Buffer, bounds: JsonBounds): ReadJson {
  const scan = scanNow(bytes, bounds)
  if (scan.excess !== null) throw new JsonTooLarge(scan.excess)
  return { json: JSON.parse(bytes.toString('utf8')), scan }
}

const MARK_LENGTH = 24

function parseAtOnce(bytes: Buffer): unknown {
  if (bytes.length > MOST_AT_ONCE) throw new JsonTooLarge('text')
  return JSON.parse(bytes.toString('utf8'))
}

/** The text with marks in place of its long values. */
function skeletonOf(bytes: Buffer, long: readonly number[], mark: string): Buffer {
  const pieces: Buffer[] = []
  let from = 0
  for (let at = 0; at < long.length; at += 2) {
    pieces.push(bytes.subarray(from, long[at]), Buffer.from(`${mark}${at / 2}`))
    from = long[at + 1] ?? 0
  }
  pieces.push(bytes.subarray(from))
  return Buffer.concat(pieces)
}

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

/** Puts the texts in place of their marks. */
function filled(value: unknown, mark: string, texts: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? (texts[Number(value.slice(mark.length))] ?? value) : value
  if (typeof value !== 'object' || value === null) return value
  // What was parsed has members of its own only, by their names or places.
  const members = value as Record<string, unknown>
  for (const name in members) {
    const member = members[name]
    const whole = filled(member, mark, texts)
    if (whole !== member) Object.defineProperty(members, name, { value: whole, ...PLAIN })
  }
  return value
}

const PLAIN = { writable: true, enumerable: true, configurable: true }
