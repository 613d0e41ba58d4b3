import { closeSync, fdatasync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

/** SQLite's write-ahead log as the disk has it. */
interface WriteAhead {
  /**
   * Resolves once every commit so far is on the disk, without anybody waiting for that meanwhile. Rejects where the disk
   * takes nothing; what it did not take then is written again by the next call.
   */
  synced(): Promise<void>
  close(): void
}

type WriteAheadDeps = Readonly<{
  file: string
  /** Runs synchronous work while nobody writes the log. */
  exclusively: (work: () => void) => Promise<void>
  /** These stand in for the disk in tests. */
  sync?: (descriptor: number) => Promise<void>
  write?: typeof writeSync
}>

const onDisk = promisify(fdatasync)
const PIECE = 1024 * 1024

/** The log at `file`, which stays one file until the last connection of the process is closed. */
export function openWriteAhead({ file, exclusively, sync = onDisk, write = writeSync }: WriteAheadDeps): WriteAhead {
  const descriptor = openSync(file, 'r+')
  let isOpen = true
  let isSure = true
  const again = () => rewrite(descriptor, write)
  return {
    async synced() {
      // A system forgets what a disk refused once it has told of it: the next sync alone would succeed without it.
      if (!isSure) await exclusively(again)
      if (!isOpen) throw new Error('the database is closed')
      try {
        await sync(descriptor)
        isSure = true
      } catch (error) {
        isSure = false
        throw error
      }
    },
    close() {
      isOpen = false
      closeSync(descriptor)
    },
  }
}

/** Writes every byte of a file over itself, so that the next sync takes them all. */
function rewrite(descriptor: number, write: typeof writeSync): void {
  const piece = Buffer.allocUnsafe(PIECE)
  const { size } = fstatSync(descriptor)
  for (let at = 0; at < size; ) {
    const length = readSync(descriptor, piece, 0, Math.min(PIECE, size - at), at)
    if (length === 0) return
    for (let from = 0; from < length; ) from += write(descriptor, piece, from, length - from, at + from)
    at += length
  }
}
