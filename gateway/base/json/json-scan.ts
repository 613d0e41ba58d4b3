import { yieldToOthers } from '../fair-yield.ts'
import { countLoneSurrogates, MAX_LONE_SURROGATES } from './lone-surrogates.ts'
import { createNameCounter, type NameCounter } from './name-counter.ts'

/**
 * Bounds of a JSON text: the number of values (if `lists`, excluding values in long lists of numbers), of fields
 * (members of objects), of distinct field names, nesting depth, and number of top-level members. With a bound of names,
 * each has at most `MAX_NAME_LENGTH` bytes.
 */
export type JsonBounds = Readonly<{
  values: number
  fields?: number
  names: number
  depth: number
  lists?: boolean
  members?: number
}>

/**
 * Bounds of a request: an agent's history of 10,000 messages with tool calls has some 100,000 values, fewer of them
 * fields, and the longest token list that a vendor embeds 300,000. A repeated name counts once.
 */
export const requestBounds = {
  values: 400_000,
  fields: 100_000,
  names: 20_000,
  depth: 64,
} as const satisfies JsonBounds

/** Bounds of an upstream response, which may also contain any number of vectors. */
export const answerBounds = { ...requestBounds, depth: 512, lists: true } as const satisfies JsonBounds

export type JsonExcess = 'values' | 'fields' | 'names' | 'name' | 'number' | 'depth' | 'surrogates' | null

/** Result of one scan over a JSON text; meaningless if the bytes are not JSON. */
export interface JsonScan {
  readonly excess: JsonExcess
  readonly depth: number
  /** Number of values, or slightly more, and number of object members. */
  readonly values: number
  readonly keys: number
  /** Number of values in long lists of numbers that `JsonBounds.lists` allows. */
  readonly listed: number
  /** Byte offsets of each top-level member: key start, key end (inclusive), value start, value end (exclusive). */
  readonly marks: readonly number[]
  /** Offset where the outermost container closes. */
  readonly end: number
  /**
   * Byte ranges of separately parsed values, in order: strings of at least `LONG` bytes without their quotes; if
   * scanned in slices, lists of numbers of at least `LONG_LIST` bytes with their brackets; and outside of these,
   * numbers that a double may change (exact-number.ts).
   */
  readonly apart: readonly number[]
  /** Whether there are numbers outside of strings that a double may change. */
  readonly hasLargeNumbers: boolean
}

/**
 * Larger texts are read when it is their account's turn (fair-yield.ts), so that many at once do not delay other
 * accounts.
 */
export const SMALL = 16 * 1024
/** Larger bodies are processed in steps that yield to the event loop. */
export const LARGE = 1024 * 1024
/** Larger bodies may have so many fields that their conversion yields to the event loop between its steps. */
export const WIDE = 256 * 1024

/** Max bytes of a name. V8 hashes strings above 16,383 characters by their length, and compares all of one length. */
export const MAX_NAME_LENGTH = 16_000

/** Strings of at least this many bytes are parsed separately. */
export const LONG = 64 * 1024
/** Lists of numbers, such as vectors, of at least this many bytes are parsed separately. */
export const LONG_LIST = 4 * 1024

/** Max numbers that a double may change, outside of separately parsed lists. */
const MAX_LARGE_NUMBERS = 20_000

/** Bytes scanned at once: some 5 ms in the worst case. */
const SLICE = 2 * 1024 * 1024
/** Bytes of a string checked one by one before searching for its end. */
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
 * Scans a JSON text without building values and stops at the first bound it exceeds: eight million empty objects are 24
 * MiB to send, but take seconds to parse. Does not validate the JSON.
 */
export function scanNow(bytes: Buffer, bounds: JsonBounds): JsonScan {
  const walk = createWalk(bytes, bounds, false)
  advance(walk, bytes.length)
  if (bytes.length > LARGE) checkSurrogates(walk, 0, bytes.length)
  return walk
}

export async function scanInSlices(bytes: Buffer, bounds: JsonBounds): Promise<JsonScan> {
  const walk = createWalk(bytes, bounds, true)
  for (let until = SLICE; !advance(walk, Math.min(until, bytes.length)); until = walk.at + SLICE) await yieldToOthers()
  for (let from = 0; from < bytes.length && walk.excess === null; from += SLICE) {
    await yieldToOthers()
    checkSurrogates(walk, from, Math.min(from + SLICE, bytes.length))
  }
  return walk
}

type Walk = {
  readonly bytes: Buffer
  readonly bounds: JsonBounds
  readonly hasListsApart: boolean
  at: number
  /** Start of the current string; -1 outside of strings. */
  textStart: number
  /** Offsets of the quotes of the last complete string. */
  lastStart: number
  lastEnd: number
  level: number
  depth: number
  values: number
  keys: number
  names: NameCounter | undefined
  valueStart: number
  /** Start of the current list while it may contain only numbers, otherwise -1; and the number of values before it. */
  listStart: number
  listValues: number
  listed: number
  /** Lengths of `apart` and `numbers` before that list. */
  listApart: number
  listNumbers: number
  /** Large numbers so far, excluding numbers in long lists. */
  numbers: number
  surrogates: number
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
  listed: 0,
  listApart: 0,
  listNumbers: 0,
  numbers: 0,
  surrogates: 0,
  keyStart: 0,
  keyEnd: 0,
  marks: [],
  apart: [],
  end: bytes.length,
  excess: null,
  hasLargeNumbers: false,
})

/** Scans up to `until`, or past it to the end of a string; returns true when the scan is done. */
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

/** A longer number is assumed to be one that a double changes. */
const MAX_SMALL_LENGTH = 64
export const MAX_NUMBER_LENGTH = 4096
/** Integers with more digits may exceed 2^53. */
const MAX_WHOLE_DIGITS = 15

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
  recordLarge(walk, bytes[start - 1] === MINUS ? start - 1 : start, at)
  return at
}

const isOfExponent = (byte: number | undefined): boolean => isDigit(byte) || byte === PLUS || byte === MINUS
const isOfNumber = (byte: number | undefined): boolean =>
  isOfExponent(byte) || byte === POINT || ((byte ?? 0) | 0x20) === SMALL_E

/** Records at most `MAX_LARGE_NUMBERS`, even in a list that may turn out to be long. */
function recordLarge(walk: Walk, start: number, end: number): void {
  if (end - start > MAX_NUMBER_LENGTH) walk.excess = 'number'
  walk.hasLargeNumbers = true
  walk.numbers += 1
  if (walk.numbers <= MAX_LARGE_NUMBERS) walk.apart.push(start, end)
  else if (walk.listStart < 0 || !walk.hasListsApart) checkLarge(walk)
}

function checkSurrogates(walk: Walk, from: number, until: number): void {
  if (!Number.isFinite(walk.bounds.values)) return
  walk.surrogates += countLoneSurrogates(walk.bytes, from, until, MAX_LONE_SURROGATES - walk.surrogates)
  if (walk.surrogates > MAX_LONE_SURROGATES) walk.excess ??= 'surrogates'
}

function checkLarge(walk: Walk): void {
  if (walk.numbers > MAX_LARGE_NUMBERS && Number.isFinite(walk.bounds.values)) walk.excess ??= 'values'
}

/** Returns the offset after the current string, or the offset at which the scan stopped for now. */
function afterText(walk: Walk, from: number, until: number): number {
  const { bytes, textStart } = walk
  let at = from
  let near = at + NEAR
  while (at < until) {
    const byte = bytes[at]
    if (byte === QUOTE) return leaveText(walk, at)
    at += byte === BACKSLASH ? 2 : 1
    if (at < near) continue
    // The next quote without a backslash before it ends the string, however long that is.
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
  if (walk.listStart >= 0 && at - walk.listStart >= LONG_LIST) closeLongList(walk, at)
  walk.listStart = -1
}

/** Only the numbers of a vector that a double may change count as values, since only they become objects. */
function closeLongList(walk: Walk, at: number): void {
  const large = walk.numbers - walk.listNumbers
  if (walk.hasListsApart) {
    walk.apart.length = walk.listApart
    walk.apart.push(walk.listStart, at + 1)
    walk.numbers = walk.listNumbers
  }
  if (!walk.bounds.lists) return
  walk.listed += walk.values - walk.listValues
  walk.values = walk.listValues + large
  if (walk.values > walk.bounds.values) walk.excess = 'values'
}

function separate(walk: Walk, at: number): void {
  if (walk.level === 1) closeMember(walk, at)
  count(walk)
}

function count(walk: Walk): void {
  walk.values += 1
  if (walk.values > walk.bounds.values) walk.excess = 'values'
}

/**
 * Handles a name, the string before a colon. Distinct names are counted only once there are more names than may differ.
 */
function name(walk: Walk, at: number): void {
  const { bytes, bounds, lastStart, lastEnd, apart } = walk
  if (apart.at(-1) === lastEnd) apart.length -= 2
  walk.keys += 1
  if (lastEnd - lastStart > MAX_NAME_LENGTH && bounds.names < Infinity) walk.excess = 'name'
  if (walk.keys > (bounds.fields ?? Infinity)) walk.excess = 'fields'
  if (walk.keys > bounds.names) {
    walk.names ??= createNameCounter(bounds.names)
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
  if (walk.marks.length / 4 > (walk.bounds.members ?? Infinity)) walk.excess = 'names'
  walk.valueStart = -1
}

/** Longer whitespace around a value is treated as part of it. */
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
