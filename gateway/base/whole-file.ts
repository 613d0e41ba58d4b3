import { closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
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

const syncFile = (file: string): void => withFile(file, 'r+', fsyncSync)

/** A name is safe from a power cut once its folder is; Windows has no such call and needs none. */
function syncFolderOf(file: string): void {
  if (process.platform !== 'win32') withFile(dirname(file), 'r', fsyncSync)
}

function withFile(file: string, flags: string, work: (descriptor: number) => void): void {
  const descriptor = openSync(file, flags, 0o600)
  try {
    work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
