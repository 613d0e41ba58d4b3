import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { replaceFile } from '../base/whole-file.ts'

/**
 * An append-only file of records, one line each: `crc32 json`. Once `append` returns, the record survives a crash of
 * the process.
 */
export interface Journal {
  /** Writes synchronously. Throws disk errors, after removing a partial line. */
  append(record: unknown): void
  /** Every complete record, in order. `damaged` counts unreadable lines (a partial last line does not count). */
  read(): { records: unknown[]; damaged: number }
  size(): number
  /** Deletes all records; call it only once none of them is needed. */
  truncate(): void
  /**
   * Replaces all records. A crash at any moment leaves either the old or the new ones. Throws disk errors, leaving the
   * old ones.
   */
  rewrite(records: Iterable<unknown>): void
  close(): void
}

/** Opens or creates the journal at `file`, readable only by its owner; `write` replaces the disk in tests. */
export function openJournal(file: string, write: typeof writeSync = writeSync): Journal {
  let descriptor = openSync(file, 'a+', 0o600)
  let size = fstatSync(descriptor).size
  const reopen = () => {
    descriptor = openSync(file, 'a+', 0o600)
    size = fstatSync(descriptor).size
  }
  return {
    append(record) {
      if (descriptor === CLOSED) reopen()
      size += tryWrite(write, descriptor, bytesOf(JSON.stringify(record)), size)
    },
    read: () => (existsSync(file) ? recordsIn(readFileSync(file, 'utf8')) : { records: [], damaged: 0 }),
    size: () => size,
    truncate() {
      if (size === 0) return
      if (descriptor === CLOSED) reopen()
      ftruncateSync(descriptor, 0)
      size = 0
    },
    rewrite(records) {
      const lines = Array.from(records, lineOf).join('')
      // An open file cannot be replaced on Windows; a closed descriptor number may be reused by another file.
      if (descriptor !== CLOSED) closeSync(descriptor)
      descriptor = CLOSED
      try {
        replaceFile(file, lines, write)
      } finally {
        reopen()
      }
    },
    close() {
      if (descriptor !== CLOSED) closeSync(descriptor)
      descriptor = CLOSED
    },
  }
}

const CLOSED = -1

function lineOf(record: unknown): string {
  const json = JSON.stringify(record)
  return `${sumOf(json)} ${json}\n`
}

/** Max bytes of a UTF-16 unit in UTF-8. */
const MAX_CHARACTER_BYTES = 3
/** Reused for encoding each line, instead of allocating a buffer. */
const scratch = Buffer.allocUnsafeSlow(16 * 1024)

/** Bytes of a line before its record. */
const PREFIX_BYTES = 9
const LINE_FEED = 0x0a

/**
 * Encodes a line; the checksum is computed over the encoded bytes to avoid encoding twice. The result is valid until
 * the next call.
 */
function bytesOf(json: string): Buffer {
  if (json.length * MAX_CHARACTER_BYTES + PREFIX_BYTES + 1 > scratch.length)
    return Buffer.from(`${sumOf(json)} ${json}\n`)
  const end = PREFIX_BYTES + scratch.write(json, PREFIX_BYTES)
  scratch.write(`${sumOf(scratch.subarray(PREFIX_BYTES, end))} `, 'latin1')
  scratch[end] = LINE_FEED
  return scratch.subarray(0, end + 1)
}

const sumOf = (json: string | Buffer): string => crc32(json).toString(16).padStart(8, '0')

/** Writes the line completely or not at all: a full disk may write part of a line, which would corrupt the next one. */
function tryWrite(write: typeof writeSync, descriptor: number, line: Buffer, before: number): number {
  let written = 0
  try {
    while (written < line.length) written += write(descriptor, line, written, line.length - written)
    return written
  } catch (error) {
    if (written > 0) ftruncateSync(descriptor, before)
    throw error
  }
}

function recordsIn(text: string): { records: unknown[]; damaged: number } {
  // Text after the last line feed is a line that was being written when the process died.
  const lines = text.split('\n').slice(0, -1)
  const records: unknown[] = []
  let damaged = 0
  for (const line of lines) {
    const json = line.slice(9)
    if (sumOf(json) === line.slice(0, 8)) records.push(JSON.parse(json))
    else damaged += 1
  }
  return { records, damaged }
}
