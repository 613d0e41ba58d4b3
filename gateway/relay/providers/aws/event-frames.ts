import { crc32 } from 'node:zlib'
import { Gathered } from '../../../base/bytes/gathered.ts'

export type EventFrame = Readonly<{ headers: Readonly<Record<string, string>>; payload: Buffer }>

/** The stream is invalid: a checksum does not match, or a length is impossible. */
export class BrokenFrame extends Error {
  override readonly name = 'BrokenFrame'
}

/** Bytes of the prelude: the total length, the headers' length, and a checksum of both. */
const PRELUDE = 12
const CHECKSUM = 4
const CHECKED_LENGTHS = PRELUDE - CHECKSUM
/** Max message length in bytes: a piece of a response, read in one turn of the event loop. */
const MAX_LENGTH = 2 * 1024 * 1024

/**
 * Splits an event stream into messages, however it is chunked (AWS "Event stream encoding": total length, headers'
 * length, checksum of these, headers, payload, checksum of all; CRC-32, big-endian).
 */
export class EventFrames {
  readonly #left = new Gathered()
  /** Bytes required before anything can be read. */
  #awaited = PRELUDE

  /** Returns the completed messages; throws `BrokenFrame`. */
  feed(bytes: Buffer): readonly EventFrame[] {
    this.#left.add(bytes)
    if (this.#left.size < this.#awaited) return []
    let rest = this.#left.take()
    const frames: EventFrame[] = []
    for (let length = lengthOf(rest); length !== undefined && rest.length >= length; length = lengthOf(rest)) {
      frames.push(frameIn(rest.subarray(0, length)))
      rest = rest.subarray(length)
    }
    this.#awaited = lengthOf(rest) ?? PRELUDE
    if (rest.length > 0) this.#left.add(rest)
    return frames
  }

  isCut(): boolean {
    return this.#left.size > 0
  }
}

function lengthOf(bytes: Buffer): number | undefined {
  if (bytes.length < PRELUDE) return undefined
  if (crc32(bytes.subarray(0, CHECKED_LENGTHS)) !== bytes.readUInt32BE(CHECKED_LENGTHS))
    throw new BrokenFrame('the checksum of a prelude does not fit')
  const length = bytes.readUInt32BE(0)
  if (length < PRELUDE + bytes.readUInt32BE(4) + CHECKSUM || length > MAX_LENGTH)
    throw new BrokenFrame('a message has an impossible length')
  return length
}

function frameIn(bytes: Buffer): EventFrame {
  const end = bytes.length - CHECKSUM
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32BE(end))
    throw new BrokenFrame('the checksum of a message does not fit')
  const begin = PRELUDE + bytes.readUInt32BE(4)
  return { headers: headersIn(bytes.subarray(PRELUDE, begin)), payload: bytes.subarray(begin, end) }
}

/** Lengths of the values of each type; a negative one means that the length precedes the value, in that many bytes. */
const lengths: readonly number[] = [0, 0, 1, 2, 4, 8, -2, -2, 8, 16]
const TEXT = 7

function headersIn(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = 0; at < bytes.length; ) {
    const nameEnd = at + 1 + bytes.readUInt8(at)
    const type = bytes[nameEnd] ?? -1
    const fixed = lengths[type]
    if (fixed === undefined || nameEnd + 1 - Math.min(fixed, 0) > bytes.length)
      throw new BrokenFrame('a header cannot be read')
    const start = nameEnd + 1 - Math.min(fixed, 0)
    const end = start + (fixed < 0 ? bytes.readUInt16BE(nameEnd + 1) : fixed)
    if (end > bytes.length) throw new BrokenFrame('a header is cut off')
    if (type === TEXT) headers[bytes.toString('utf8', at + 1, nameEnd)] = bytes.toString('utf8', start, end)
    at = end
  }
  return headers
}
