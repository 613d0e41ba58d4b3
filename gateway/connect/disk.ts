import { hash } from 'node:crypto'
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { ConnectProblemCode } from '../../shared/connect/connect-protocol.ts'
import { randomHex } from '../base/ids.ts'
import { publishFile } from '../base/whole-file.ts'
import { UnfitText } from './formats/editor.ts'

/** Thrown for a file that must not be changed, with the reason. */
export class LeftAlone extends Error {
  override readonly name = 'LeftAlone'
  readonly problem: ConnectProblemCode
  readonly path: string
  readonly detail: string
  constructor(problem: ConnectProblemCode, path: string, detail = '') {
    super(`${problem}: ${path} ${detail}`)
    this.problem = problem
    this.path = path
    this.detail = detail
  }
}

/** `text` is decoded without the byte order mark. */
type FileOnDisk = Readonly<{ bytes: Buffer; mark: '' | '\uFEFF'; text: string }>

/** Larger files are not changed: parsing takes time in the process that relays requests. */
const MAX_FILE_BYTES = 1024 * 1024
const OWNER_ONLY = 0o600
const OWNER_FOLDER = 0o700
const OWNER_MODE = 0o700
const ANY_MODE = 0o7777

export type PersonalFile = FileOnDisk & Readonly<{ mode: number }>

/** Reads a user's file, through links; null if it does not exist. Throws `LeftAlone` if it must not be written. */
export function readPersonal(path: string): PersonalFile | null {
  const stats = statsOf(path)
  if (!stats) {
    if (isLink(path)) throw new LeftAlone('danglingLink', path)
    return null
  }
  if (!stats.isFile()) throw new LeftAlone('notAFile', path)
  if (stats.size > MAX_FILE_BYTES) throw new LeftAlone('tooLarge', path)
  if (!mayWrite(path, stats)) throw new LeftAlone('readOnly', path)
  const bytes = attempted(path, () => readFileSync(path))
  const file = fileOf(bytes)
  if (!file) throw new LeftAlone('encoding', path)
  return { ...file, mode: stats.mode & ANY_MODE }
}

/** Decodes the bytes of a file; undefined if they are not UTF-8. */
export function fileOf(bytes: Buffer): FileOnDisk | undefined {
  const decoded = decodedFrom(bytes)
  if (decoded === undefined) return undefined
  const mark = decoded.startsWith('\uFEFF') ? '\uFEFF' : ''
  return { bytes, mark, text: decoded.slice(mark.length) }
}

/** The raw bytes of a file; null if the path leads to no file, or to one too large to be ours. */
export function bytesOf(path: string): Buffer | null {
  const stats = statsOf(path)
  return stats?.isFile() && stats.size <= MAX_FILE_BYTES ? attempted(path, () => readFileSync(path)) : null
}

/** SHA-256 as hex digits; empty if there are no bytes. */
export const digestOf = (bytes: Buffer | null | undefined): string => (bytes ? hash('sha256', bytes, 'hex') : '')

/** Works on the text of a file; converts `UnfitText` to `LeftAlone`. */
export function fitting<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof UnfitText) throw new LeftAlone(error.why, path, error.detail)
    throw error
  }
}

export const isThere = (path: string): boolean => statsOf(path) !== undefined

/** Decodes bytes; undefined if they are not UTF-8 text but UTF-16 with its mark, a code page, or not text at all. */
function decodedFrom(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    // Bytes that are not UTF-8 are an expected result.
    return undefined
  }
}

/**
 * Replaces a file atomically: writes next to it, syncs, then renames, keeping its owner and the links to it. The file
 * contains a key, so only the owner may read it, unless `mode` allows more, and only the owner may open the folders
 * created for it. Returns these folders, outermost first. Throws `LeftAlone` with the old file untouched.
 */
export function replacePersonal(path: string, bytes: Buffer, mode?: number): readonly string[] {
  return attempted(path, () => {
    const made = makeFolders(dirname(path))
    const stats = statsOf(path)
    const real = stats ? realpathSync(path) : path
    const part = join(dirname(real), `.switchyard-${randomHex(8)}.part`)
    try {
      writeNew(part, bytes)
      if (stats) keepOwner(part, stats, mode ?? stats.mode & OWNER_MODE)
      publishFile(part, real)
    } catch (error) {
      rmSync(part, { force: true })
      throw error
    }
    return made
  })
}

/** Deletes a file that was created here, and the folders created for it that are empty. */
export function removePersonal(path: string, folders: readonly string[]): void {
  attempted(path, () => rmSync(path, { force: true }))
  for (const folder of folders.toReversed())
    try {
      rmdirSync(folder)
    } catch {
      // The folder contains something else by now.
      return
    }
}

function makeFolders(folder: string): string[] {
  if (existsSync(folder)) return []
  const made = [...makeFolders(dirname(folder)), folder]
  mkdirSync(folder, { mode: OWNER_FOLDER })
  return made
}

/** Creates a file, and fails if one exists: nothing is written through an existing file or link. */
function writeNew(part: string, bytes: Buffer): void {
  const descriptor = openSync(part, 'wx', OWNER_ONLY)
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at)
    if (fstatSync(descriptor).size !== bytes.length) throw new Error('the file is not whole')
  } finally {
    closeSync(descriptor)
  }
}

function keepOwner(part: string, { uid, gid }: Stats, mode: number): void {
  const own = statSync(part)
  if (own.uid !== uid || own.gid !== gid) chownSync(part, uid, gid)
  chmodSync(part, mode)
}

/** A read-only file is assumed to be so on purpose, even for a user who could write it. */
function mayWrite(path: string, { mode }: Stats): boolean {
  if ((mode & 0o222) === 0) return false
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    // This account has no permission.
    return false
  }
}

function statsOf(path: string): Stats | undefined {
  return attempted(path, () => statSync(path, { throwIfNoEntry: false }))
}

/** Whether the path is a link, even a broken one. */
export const isLink = (path: string): boolean =>
  attempted(path, () => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false)

/** Converts errors of the disk to `LeftAlone`. */
function attempted<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof LeftAlone) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['EACCES', 'EPERM', 'EROFS'].includes(code)) throw new LeftAlone('denied', path, code)
    if (['ENOTDIR', 'ELOOP', 'EISDIR'].includes(code)) throw new LeftAlone('notAFile', path, code)
    throw new LeftAlone('disk', path, code || String(error))
  }
}
