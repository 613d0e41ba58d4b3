import { randomBytes } from 'node:crypto'

/**
 * What a JSON text may hold: values of all kinds (but for those of long lists of numbers where `lists` is true), field
 * names that differ, containers inside each other.
 */
export type JsonBounds = Readonly<{ values: number; names: number; depth: number; lists?: boolean }>

/**
 * What a request may hold: an agent's history of 10,000 messages with tool calls has some 100,000 values, the longest
 * list of tokens that a vendor embeds 300,000. Names may be repeated as often as there are values.
 */
export const requestBounds: JsonBounds = { values: 400_000, names: 20_000, depth: 64 }

/** What an answer of an upstream may hold: besides, as many vectors as there are. */
export const answerBounds: JsonBounds = { ...requestBounds, depth: 512, lists: true }

/** Which bound a text exceeds, or that it does not. */
export type JsonExcess = 'values' | 'names' | 'depth' | null

/** What one walk over the bytes of a JSON text has found; where the bytes are no JSON it means nothing. */
export interface JsonScan {
  readonly excess: JsonExcess
  readonly depth: number
  /** How many values there are, or a few more; and members of objects. */
  readonly values: number
  readonly keys: number
  /** Of each member at the top its key's first and last byte, its value's first byte and the byte behind it. */
  readonly marks: readonly number[]
  /** Where the outermost container closes. */
  readonly end: number
  /**
   * Where values that are parsed apart begin and end, in their order: texts of at least `LONG` bytes from within their quotes
   * to the closing one, where the walk was in slices lists of numbers of at least `LONG_LIST` bytes with their brackets, and
   * outside of these numbers that a double may change (exact-number.ts).
   */
  readonly apart: readonly number[]
  /** There is such a number outside of texts. */
  readonly hasLargeNumbers: boolean
}

/** A body of more bytes is worked on in turns with others. */
export const LARGE = 1024 * 1024

/** Texts of this many bytes are worth being taken out of a body before it is parsed. */
export const LONG = 64 * 1024
/** Lists of numbers, such as vectors, of this many bytes are worth it as well. */
export const LONG_LIST = 4 * 1024

/** Numbers that a double may change, outside of lists that are parsed apart. */
const MAX_LARGE_NUMBERS = 20_000

/** Bytes walked at once: some 5 ms of the worst there is. */
const SLICE = 2 * 1024 * 1024
/** Bytes of a text that are looked at one by one before its end is searched for. */
const NEAR = 48

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const COLON = 0x3a
const COMMA = 0x2c
const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const SMALL_E = 0x65
const LAST_SPACE = 0x20

/**
 * Walks over a JSON text without building anything of it and stops at the first bound it exceeds: eight million empty
 * objects are 24 MiB to send and seconds to parse. Says nothing about whether the bytes are JSON.
 */
export function scanNow(bytes: Buffer, bounds: JsonBounds): JsonScan {
  const walk = createWalk(bytes, bounds, false)
  advance(walk, bytes.length)
  return walk
}

/** Walks over a text, letting others in between slices of a long one. */
export async function scanInSlices(bytes: Buffer, bounds: JsonBounds): Promise<JsonScan> {
  const walk = createWalk(bytes, bounds, true)
  for (let until = SLICE; !advance(walk, Math.min(until, bytes.length)); until = walk.at + SLICE) await othersTurn()
  return walk
}

/** Large pieces of work that go on, one in each round of the event loop, so that many of them hold up nobody for longer. */
const waiting: (() => void)[] = []

/** Resolves once whatever waits in the event loop has had its turn, and all that called this before. */
export const othersTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn)
  })

function goOn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(goOn)
}

/** Where the walk is, and what it has found. */
type Walk = {
  readonly bytes: Buffer
  readonly bounds: JsonBounds
  readonly hasListsApart: boolean
  at: number
  /** Where the text began that the walk is within; -1 outside of texts. */
  textStart: number
  /** The quotes of the last whole text. */
  lastStart: number
  lastEnd: number
  level: number
  depth: number
  values: number
  keys: number
  names: SeenNames | undefined
  valueStart: number
  /** Where the list began that the walk is in, as long as it may be one of numbers alone; else -1. And the values before it. */
  listStart: number
  listValues: number
  /** The length of `apart` and `numbers` before that list. */
  listApart: number
  listNumbers: number
  /** Large numbers so far, without those of long lists. */
  numbers: number
  keyStart: number
  keyEnd: number
  marks: number[]
  apart: number[]
  end: number
  excess: JsonExcess
  hasLargeNumbers: boolean
}

const createWalk = (bytes: Buffer, bounds: JsonBounds, hasListsApart: boolean): Walk => ({
  bytes,
  bounds,
  hasListsApart,
  at: 0,
  textStart: -1,
  lastStart: 0,
  lastEnd: 0,
  level: 0,
  depth: 0,
  values: 0,
  keys: 0,
  names: undefined,
  valueStart: -1,
  listStart: -1,
  listValues: 0,
  listApart: 0,
  listNumbers: 0,
  numbers: 0,
  keyStart: 0,
  keyEnd: 0,
  marks: [],
  apart: [],
  end: bytes.length,
  excess: null,
  hasLargeNumbers: false,
})

/** Goes on to `until`, or past it to the end of a text that is there; true once the walk is over. */
function advance(walk: Walk, until: number): boolean {
  const { bytes } = walk
  let at = walk.textStart < 0 ? walk.at : afterText(walk, walk.at, until)
  while (at < until) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      walk.textStart = at
      walk.listStart = -1
      at = afterText(walk, at + 1, until)
      continue
    }
    if (byte === COMMA) separate(walk, at)
    else if (byte === COLON) name(walk, at)
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) open(walk, at, byte)
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) close(walk, at)
    else {
      at = isDigit(byte) ? afterNumber(walk, at) : at + 1
      continue
    }
    at += 1
    if (walk.excess !== null) break
  }
  walk.at = at
  if (at >= bytes.length) checkLarge(walk)
  return at >= bytes.length || walk.excess !== null
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39

/** A longer number is taken for one that a double changes. */
const MAX_SMALL_LENGTH = 64
/** No number is longer. */
const MAX_NUMBER_LENGTH = 1024 * 1024
/** So many digits before the point are those of 2^53. */
const MAX_WHOLE_DIGITS = 15

/** The byte behind a number. */
function afterNumber(walk: Walk, start: number): number {
  const { bytes } = walk
  const max = start + MAX_SMALL_LENGTH
  let at = start
  while (isDigit(bytes[at]) && at < max) at += 1
  const digits = at - start
  if (bytes[at] === POINT)
    do at += 1
    while (isDigit(bytes[at]) && at < max)
  const exponent = at
  if (((bytes[at] ?? 0) | 0x20) === SMALL_E)
    do at += 1
    while (isOfExponent(bytes[at]) && at < max)
  const isSmall = at === exponent || (bytes[exponent + 1] === MINUS && at - exponent <= 4)
  if (digits <= MAX_WHOLE_DIGITS && isSmall && at < max) return at
  while (isOfNumber(bytes[at])) at += 1
  noteLarge(walk, bytes[start - 1] === MINUS ? start - 1 : start, at)
  return at
}

const isOfExponent = (byte: number | undefined): boolean => isDigit(byte) || byte === PLUS || byte === MINUS
const isOfNumber = (byte: number | undefined): boolean =>
  isOfExponent(byte) || byte === POINT || ((byte ?? 0) | 0x20) === SMALL_E

/** Of those in a list that may turn out to be a long one no more are noted than there may be outside. */
function noteLarge(walk: Walk, start: number, end: number): void {
  if (end - start > MAX_NUMBER_LENGTH) walk.excess = 'values'
  walk.hasLargeNumbers = true
  walk.numbers += 1
  if (walk.numbers <= MAX_LARGE_NUMBERS) walk.apart.push(start, end)
  else if (walk.listStart < 0 || !walk.hasListsApart) checkLarge(walk)
}

function checkLarge(walk: Walk): void {
  if (walk.numbers > MAX_LARGE_NUMBERS && Number.isFinite(walk.bounds.values)) walk.excess ??= 'values'
}

/** The byte behind the text the walk is within, or where it stopped for now. */
function afterText(walk: Walk, from: number, until: number): number {
  const { bytes, textStart } = walk
  let at = from
  let near = at + NEAR
  while (at < until) {
    const byte = bytes[at]
    if (byte === QUOTE) return leaveText(walk, at)
    at += byte === BACKSLASH ? 2 : 1
    if (at < near) continue
    // A first quote with no backslash before it ends the text, however long that is.
    const quote = bytes.indexOf(QUOTE, at)
    if (quote < 0) return bytes.length
    if (quote === textStart + 1 || bytes[quote - 1] !== BACKSLASH || quote === at) return leaveText(walk, quote)
    near = quote + NEAR
  }
  return at
}

function leaveText(walk: Walk, quote: number): number {
  const { textStart, apart } = walk
  if (quote - textStart > LONG) apart.push(textStart + 1, quote)
  walk.lastStart = textStart
  walk.lastEnd = quote
  walk.textStart = -1
  return quote + 1
}

function open(walk: Walk, at: number, byte: number): void {
  walk.listStart = byte === OPEN_ARRAY ? at : -1
  walk.listValues = walk.values
  walk.listApart = walk.apart.length
  walk.listNumbers = walk.numbers
  walk.level += 1
  if (walk.level > walk.depth) walk.depth = walk.level
  if (walk.level > walk.bounds.depth) walk.excess = 'depth'
  count(walk)
}

function close(walk: Walk, at: number): void {
  if (walk.level === 1) {
    closeMember(walk, at)
    walk.end = at
  }
  walk.level -= 1
  if (walk.listStart >= 0 && at - walk.listStart >= LONG_LIST) {
    if (walk.hasListsApart) {
      walk.apart.length = walk.listApart
      walk.apart.push(walk.listStart, at + 1)
      walk.numbers = walk.listNumbers
    }
    if (walk.bounds.lists) walk.values = walk.listValues
  }
  walk.listStart = -1
}

function separate(walk: Walk, at: number): void {
  if (walk.level === 1) closeMember(walk, at)
  count(walk)
}

function count(walk: Walk): void {
  walk.values += 1
  if (walk.values > walk.bounds.values) walk.excess = 'values'
}

/** The text before a colon is a name. Names are told apart once there are as many as may differ. */
function name(walk: Walk, at: number): void {
  const { bytes, bounds, lastStart, lastEnd, apart } = walk
  if (apart.at(-1) === lastEnd) apart.length -= 2
  walk.keys += 1
  if (walk.keys > bounds.names) {
    walk.names ??= createSeenNames(bounds.names)
    if (walk.names.note(bytes, lastStart + 1, lastEnd) > bounds.names) walk.excess = 'names'
  }
  if (walk.level !== 1) return
  walk.keyStart = lastStart
  walk.keyEnd = lastEnd
  walk.valueStart = firstAfterSpace(bytes, at + 1)
}

function closeMember(walk: Walk, at: number): void {
  if (walk.valueStart < 0) return
  walk.marks.push(walk.keyStart, walk.keyEnd, walk.valueStart, trimmedEnd(walk.bytes, at))
  walk.valueStart = -1
}

/** More space around a value than this is taken for a part of it. */
const MAX_SPACE = 256

function firstAfterSpace(bytes: Buffer, from: number): number {
  let at = from
  while ((bytes[at] ?? QUOTE) <= LAST_SPACE && at - from < MAX_SPACE) at += 1
  return at
}

function trimmedEnd(bytes: Buffer, end: number): number {
  let at = end
  while ((bytes[at - 1] ?? QUOTE) <= LAST_SPACE && end - at < MAX_SPACE) at -= 1
  return at
}

/** Counts names that differ, by a hash that nobody outside can foresee. */
type SeenNames = Readonly<{ note: (bytes: Buffer, start: number, end: number) => number }>

/** Longer names each count as one of their own. */
const MAX_NAME_LENGTH = 64
/** Bits for each name that may be noted, so that few are taken for another. */
const ROOM = 16

function createSeenNames(max: number): SeenNames {
  const bits = 2 ** Math.ceil(Math.log2(max * ROOM))
  const seen = new Uint8Array(bits / 8)
  const seed = randomBytes(4).readInt32LE()
  let different = 0
  return {
    note(bytes, start, end) {
      if (end - start > MAX_NAME_LENGTH) {
        different += 1
        return different
      }
      let hash = seed
      for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
      const place = (hash ^ (hash >>> 15)) & (bits - 1)
      const cell = place >>> 3
      const bit = 1 << (place & 7)
      const known = seen[cell] ?? 0
      if ((known & bit) === 0) {
        seen[cell] = known | bit
        different += 1
      }
      return different
    },
  }
}
