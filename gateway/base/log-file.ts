import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from './clock.ts'

/** Where lines of a log go. */
export interface LogTarget {
  write(line: string): void
}

type LogFileLimits = Readonly<{
  /** Of one file. */
  bytes: number
  /** Files in all, the one that is written included. */
  files: number
  /** How long nothing is tried after a failure. */
  pauseMs: number
}>

/** Five files of 5 MiB. */
const logFileLimits: LogFileLimits = { bytes: 5 * 1024 * 1024, files: 5, pauseMs: 10_000 }

/**
 * A log in `switchyard.log` of a folder; full files become `switchyard.1.log` and so on, the oldest goes. A line is on its way
 * to the disk when `write` returns, so that a program which ends has said why. What cannot be written (a full disk, a
 * folder that has gone) is lost and nothing else: it is tried again after a pause.
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
  const makeRoom = () => {
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
        if (open.size > 0 && open.size + length > bytes) open = makeRoom()
        appendFileSync(open.fd, line)
        open.size += length
      } catch {
        // There is nowhere to say it.
        closeFile()
        pausedUntil = clock.monotonic() + pauseMs
      }
    },
  }
}

/** Tries what may fail: a file that is not there yet cannot be renamed. */
function quietly<A extends unknown[]>(step: (...given: A) => void, ...given: A): void {
  try {
    step(...given)
  } catch {
    // What comes next tells whether it mattered.
  }
}
