import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'

export interface LogTarget {
  write(line: string): void
}

type LogFileLimits = Readonly<{
  bytes: number
  /** Max number of files, including the current one. */
  files: number
  /** Delay before the next attempt after a failure. */
  pauseMs: number
}>

const logFileLimits: LogFileLimits = { bytes: 5 * 1024 * 1024, files: 5, pauseMs: 10_000 }

/**
 * Logs to `switchyard.log` in a folder; full files are renamed to `switchyard.1.log` and so on, and the oldest is
 * deleted. `write` returns after handing the line to the operating system, so the last lines of an ending process are
 * not lost. Lines that cannot be written (a full disk, a missing folder) are lost; writing is retried after a pause.
 */
export function createLogFile(
  folder: string,
  clock: Pick<Clock, 'monotonic'>,
  { bytes, files, pauseMs }: LogFileLimits = logFileLimits,
): LogTarget {
  const nameOf = (age: number) => join(folder, age === 0 ? 'switchyard.log' : `switchyard.${age}.log`)
  let open: { fd: number; size: number } | undefined
  let pausedUntil = 0
  const openFile = () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const fd = openSync(nameOf(0), 'a', 0o600)
    return { fd, size: fstatSync(fd).size }
  }
  const closeFile = () => {
    if (open) quietly(closeSync, open.fd)
    open = undefined
  }
  const rotate = () => {
    closeFile()
    for (let age = files - 1; age > 0; age -= 1) quietly(renameSync, nameOf(age - 1), nameOf(age))
    return openFile()
  }
  return {
    write(line) {
      if (clock.monotonic() < pausedUntil) return
      try {
        const length = Buffer.byteLength(line)
        open ??= openFile()
        if (open.size > 0 && open.size + length > bytes) open = rotate()
        appendFileSync(open.fd, line)
        open.size += length
      } catch {
        // The failure cannot be logged.
        closeFile()
        pausedUntil = clock.monotonic() + pauseMs
      }
    },
  }
}

/** Ignores errors, such as renaming a file that does not exist yet. */
function quietly<A extends unknown[]>(step: (...args: A) => void, ...args: A): void {
  try {
    step(...args)
  } catch {}
}
