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
 * Replaces `file` by `content`, owner-only: written beside it, on the disk, then renamed, so that a death at any moment
 * leaves the old file or the new one, whole. Throws what the disk throws, with the old file untouched. `write` stands in
 * for the disk in tests.
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
 * Adds `line`, which has no line ends, to an owner-only file, which is made where there is none; on the disk when this
 * returns. Throws what the disk throws, with the file as it was. A half line that a death left there is ended first.
 * `write` stands in for the disk in tests.
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

/** Gives `part`, which is whole, its name once its bytes are on the disk. */
export function publishFile(part: string, file: string): void {
  syncFile(part)
  renameSync(part, file)
  syncFolderOf(file)
}

/** Copies a file under a name that must be free; the copy is on the disk when this returns. */
export function copyWhole(file: string, copy: string): void {
  copyFileSync(file, copy, constants.COPYFILE_EXCL)
  syncFile(copy)
  syncFolderOf(copy)
}

/** Has the bytes of a file on the disk. */
export const syncFile = (file: string): void => withFile(file, 'r+', fsyncSync)

/** A name is safe from a power cut once its folder is; Windows has no such call and needs none. */
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
