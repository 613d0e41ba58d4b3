import { closeSync, fdatasync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

interface WriteAhead {
  /**
   * Resolves once every commit so far is on disk, without blocking other work meanwhile. Rejects if the disk fails; the
   * next call then writes the whole log again.
   */
  synced(): Promise<void>
  close(): void
}

type WriteAheadDeps = Readonly<{
  file: string
  /** Runs synchronous work while the log is not being written. */
  exclusively: (work: () => void) => Promise<void>
  /** `sync` and `write` replace disk access in tests. */
  sync?: (descriptor: number) => Promise<void>
  write?: typeof writeSync
}>

const onDisk = promisify(fdatasync)
const CHUNK_BYTES = 1024 * 1024

/** Opens the log at `file`, which stays the same file until the process closes its last connection. */
export function openWriteAhead({ file, exclusively, sync = onDisk, write = writeSync }: WriteAheadDeps): WriteAhead {
  const descriptor = openSync(file, 'r+')
  let isOpen = true
  let isIntact = true
  const again = () => rewrite(descriptor, write)
  return {
    async synced() {
      // The operating system reports a failed write only once: another sync alone would succeed without having written
      // the data.
      if (!isIntact) await exclusively(again)
      if (!isOpen) throw new Error('the database is closed')
      try {
        await sync(descriptor)
        isIntact = true
      } catch (error) {
        isIntact = false
        throw error
      }
    },
    close() {
      isOpen = false
      closeSync(descriptor)
    },
  }
}

/** Rewrites every byte of a file in place, so that the next sync writes all of it. */
function rewrite(descriptor: number, write: typeof writeSync): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  const { size } = fstatSync(descriptor)
  for (let at = 0; at < size; ) {
    const length = readSync(descriptor, chunk, 0, Math.min(CHUNK_BYTES, size - at), at)
    if (length === 0) return
    for (let from = 0; from < length; ) from += write(descriptor, chunk, from, length - from, at + from)
    at += length
  }
}
