import { yieldToOthers } from '../fair-yield.ts'
import { randomKey } from '../ids.ts'
import { ExactNumber } from './exact-number.ts'
import { LONG } from './json-scan.ts'

/**
 * Writes a value as JSON. If `isLarge`, writes long strings and lists of numbers in pieces, yielding to the event loop
 * between them; everything else takes a few milliseconds.
 */
export async function writeJson(value: unknown, isLarge: boolean): Promise<Buffer> {
  if (!isLarge) return Buffer.from(JSON.stringify(value))
  const mark = randomKey(MARK_LENGTH)
  const longValues: LongValue[] = []
  const skeleton = JSON.stringify(emptied(value, mark, longValues))
  await yieldToOthers()
  const pieces: Buffer[] = []
  let from = 0
  let written = 0
  for (const [index, longValue] of longValues.entries()) {
    const marked = `"${mark}${index}"`
    const position = skeleton.indexOf(marked, from)
    pieces.push(Buffer.from(skeleton.slice(from, position)))
    for (const piece of typeof longValue === 'string' ? textPieces(longValue) : listPieces(longValue)) {
      pieces.push(Buffer.from(piece))
      written += piece.length
      if (written < PIECE) continue
      written = 0
      await yieldToOthers()
    }
    from = position + marked.length
  }
  return Buffer.concat([...pieces, Buffer.from(skeleton.slice(from))])
}

type LongValue = string | readonly number[]

const MARK_LENGTH = 24
/**
 * Characters written before yielding. Lone surrogates, each escaped as six characters, take twenty times as long as
 * others.
 */
const PIECE = 256 * 1024
/** Lists of at least this many numbers are written separately, in chunks of about `PIECE` characters. */
const LONG_LIST = 64
const NUMBERS = PIECE / 16

function* textPieces(text: string): Generator<string> {
  yield '"'
  for (let start = 0; start < text.length; ) {
    const end = cutAfter(text, start + PIECE)
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
  yield '"'
}

function* listPieces(list: readonly number[]): Generator<string> {
  for (let start = 0; start < list.length; start += NUMBERS)
    yield (start === 0 ? '[' : ',') + JSON.stringify(list.slice(start, start + NUMBERS)).slice(1, -1)
  yield ']'
}

/** Returns the end of a piece, without splitting a surrogate pair. */
function cutAfter(text: string, end: number): number {
  if (end >= text.length) return text.length
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end
}

/**
 * Replaces long values with marks and appends them to `longValues` in order. Returns the value itself if it contains
 * none.
 */
function emptied(value: unknown, mark: string, longValues: LongValue[]): unknown {
  if (typeof value === 'string') return value.length < LONG ? value : `${mark}${longValues.push(value) - 1}`
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value
  if (Array.isArray(value)) {
    if (isLongList(value)) return `${mark}${longValues.push(value) - 1}`
    let list: unknown[] | undefined
    for (const [index, item] of value.entries()) {
      const own = emptied(item, mark, longValues)
      if (own === item) continue
      list ??= [...value]
      list[index] = own
    }
    return list ?? value
  }
  const changed: [string, unknown][] = []
  for (const [name, member] of Object.entries(value)) {
    const own = emptied(member, mark, longValues)
    if (own !== member) changed.push([name, own])
  }
  return changed.length > 0 ? Object.fromEntries([...Object.entries(value), ...changed]) : value
}

const isLongList = (list: readonly unknown[]): boolean =>
  list.length >= LONG_LIST && list.every((item) => typeof item === 'number')
