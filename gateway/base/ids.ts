import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'

const ALPHABET = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const UNBIASED = 256 - (256 % ALPHABET.length)
const POOL = 8192
let pool = Buffer.alloc(0)
let cursor = 0

/** Returns `length` unbiased characters of [0-9a-zA-Z] from the system's secure random source. */
export function randomKey(length: number): string {
  let key = ''
  while (key.length < length) {
    const byte = nextByte()
    if (byte < UNBIASED) key += ALPHABET.charAt(byte % ALPHABET.length)
  }
  return key
}

/** 256 random bits as base64url. */
export const randomSecret = (): string => randomBytes(32).toString('base64url')

/** Returns `length` hexadecimal digits (an even number) from the system's secure random source, four bits each. */
export const randomHex = (length: number): string => randomBytes(length / 2).toString('hex')

/** Returns `length` decimal digits (at most 14) from the system's secure random source, for codes that people type. */
export const randomDigits = (length: number): string => String(randomInt(10 ** length)).padStart(length, '0')

/** Compares two texts in a time that does not reveal where they differ. */
export const isSameSecret = (given: string, wanted: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted)))

/** SHA-256 in hex, the form in which keys, sessions and access tokens are stored and looked up. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** Replaces a long id with its hash, for code that converts ids character by character. */
export const shortId = (id: string): string => (id.length > MAX_ID ? sha256(id) : id)
const MAX_ID = 64

/** A fraction in [0, 1) for weighted choices, from the same source as keys. */
export const randomFraction = (): number =>
  (nextByte() * 0x1000000 + nextByte() * 0x10000 + nextByte() * 0x100 + nextByte()) / 0x1_0000_0000

/**
 * Returns a request id (docs/reference/errors.md#request-id): local time to the second, nine digits of sub-second time,
 * eight random characters.
 */
export function requestId(nowMs: number): string {
  const whole = Math.floor(nowMs / 1000)
  if (whole !== stampedSecond) {
    stampedSecond = whole
    stamp = stampOf(new Date(nowMs))
  }
  nanoCounter = (nanoCounter + 1) % 1_000_000
  const below = (nowMs % 1000) * 1_000_000 + nanoCounter
  return stamp + String(Math.floor(below)).padStart(9, '0') + randomKey(8)
}

/**
 * Returns the unix second in which a request id was created on this machine, or undefined if it is not a request id.
 */
export function secondOf(id: string): number | undefined {
  const [, year, month, day, hours, minutes, seconds] = REQUEST_ID.exec(id) ?? []
  if (year === undefined) return undefined
  const local = new Date(Number(year), Number(month) - 1, Number(day), Number(hours), Number(minutes), Number(seconds))
  return Math.floor(local.getTime() / 1000)
}

const REQUEST_ID = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d{9}[0-9a-zA-Z]{8}$/

let stampedSecond = -1
let stamp = ''
let nanoCounter = 0

function stampOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}`
  return `${day}${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`
}

function nextByte(): number {
  if (cursor === pool.length) {
    pool = randomBytes(POOL)
    cursor = 0
  }
  return pool[cursor++] ?? 0
}
