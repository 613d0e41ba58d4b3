import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Replaces `file` with `content`, accessible only to its owner: writes a temporary file next to it, syncs, then
 * renames, so that a crash leaves either the old or the new file complete. Throws disk errors with the old file
 * unchanged. `write` replaces the disk in tests.
 */
export function replaceFile(file: string, content: string | Buffer, write: typeof writeSync = writeSync): void {
  const part = `${file}.part`
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  try {
    withFile(part, 'w', (descriptor) => {
      for (let at = 0; at < bytes.length; ) at += write(descriptor, bytes, at, bytes.length - at)
      fsyncSync(descriptor)
    })
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  syncFolderOf(file)
}

/**
 * Appends `line`, which must not contain line ends, to a file accessible only to its owner, creating it if it does not
 * exist; the line is on disk when this returns. Throws disk errors with the file unchanged. Terminates an incomplete
 * line left by a crash first. `write` replaces the disk in tests.
 */
export function appendLine(file: string, line: string, write: typeof writeSync = writeSync): void {
  withFile(file, 'a+', (descriptor) => {
    fchmodSync(descriptor, OWNER_ONLY)
    const { size } = fstatSync(descriptor)
    const bytes = Buffer.from(`${endsLine(descriptor, size) ? '' : '\n'}${line}\n`)
    try {
      for (let at = 0; at < bytes.length; ) at += write(descriptor, bytes, at, bytes.length - at)
      fsyncSync(descriptor)
    } catch (error) {
      ftruncateSync(descriptor, size)
      throw error
    }
    if (size === 0) syncFolderOf(file)
  })
}

function endsLine(descriptor: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() === '\n')
}

/** Syncs the complete file `part` and renames it to `file`. */
export function publishFile(part: string, file: string): void {
  syncFile(part)
  renameSync(part, file)
  syncFolderOf(file)
}

/** Copies a file to a name that must not exist; the copy is on disk when this returns. */
export function copyWhole(file: string, copy: string): void {
  copyFileSync(file, copy, constants.COPYFILE_EXCL)
  syncFile(copy)
  syncFolderOf(copy)
}

export const syncFile = (file: string): void => withFile(file, 'r+', fsyncSync)

/** A new name survives a power cut only once its folder is synced; Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') withFile(folder, 'r', fsyncSync)
}

const syncFolderOf = (file: string): void => syncFolder(dirname(file))

const OWNER_ONLY = 0o600

function withFile(file: string, flags: string, work: (descriptor: number) => void): void {
  const descriptor = openSync(file, flags, OWNER_ONLY)
  try {
    work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
