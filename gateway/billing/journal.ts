import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { replaceFile } from '../base/whole-file.ts'

/** An append-only file of records, one line each: `crc32 json`. A record is safe from the death of the process once `append` returns. */
export interface Journal {
  /** One synchronous write. Throws what the disk throws; a line cut short by that is taken back. */
  append(record: unknown): void
  /** Every whole record, in order. `damaged` counts lines that cannot be read (a cut last line is not damage). */
  read(): { records: unknown[]; damaged: number }
  /** Bytes in the file. */
  size(): number
  /** Forgets everything: what was in it is in the database. */
  truncate(): void
  /**
   * Puts these records in the place of all others: a death at any moment leaves the old ones or these. Throws what the
   * disk throws, with the old ones in place.
   */
  rewrite(records: Iterable<unknown>): void
  close(): void
}

/** Opens or makes the owner-only journal at `file`; `write` stands in for the disk in tests. */
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
      // A file that is open cannot be replaced on Windows; closed, its number may soon be that of another file.
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

/** Bytes of a UTF-16 unit in UTF-8, at most. */
const MAX_CHARACTER_BYTES = 3
/** Lines are encoded here, one after the other, in place of a new buffer each. */
const scratch = Buffer.allocUnsafeSlow(16 * 1024)

/** Bytes of a line before its record. */
const BEFORE = 9
const LINE_FEED = 0x0a

/** A line in bytes, which are summed up as they are rather than encoded twice; good until the next one. */
function bytesOf(json: string): Buffer {
  if (json.length * MAX_CHARACTER_BYTES + BEFORE + 1 > scratch.length) return Buffer.from(`${sumOf(json)} ${json}\n`)
  const end = BEFORE + scratch.write(json, BEFORE)
  scratch.write(`${sumOf(scratch.subarray(BEFORE, end))} `, 'latin1')
  scratch[end] = LINE_FEED
  return scratch.subarray(0, end + 1)
}

const sumOf = (json: string | Buffer): string => crc32(json).toString(16).padStart(8, '0')

/** Writes the whole line or nothing: a full disk may take part of a line, which would spoil the one that follows. */
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
  // What follows the last line feed is a line that was being written when the process died.
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
