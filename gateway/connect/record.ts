import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { PlainValue } from '../../shared/connect/client.ts'
import { randomHex } from '../base/ids.ts'
import { parsed } from '../base/json/json.ts'
import { replaceFile } from '../base/whole-file.ts'
import { bytesOf, digestOf, fileOf, LeftAlone } from './disk.ts'
import { connectChange, hasAny, isSamePath, isSameValue } from './edit.ts'
import { UnfitText } from './formats/editor.ts'

const settledFile = z.object({
  path: z.string(),
  format: z.enum(['json', 'toml', 'yaml', 'env']),
  /** Name of the copy of the previous file; null if there was none. */
  backup: z.string().nullable(),
  /** Previous permissions; absent if there was no file. */
  mode: z.optional(z.int()),
  folders: z.array(z.string()),
  /** SHA-256 of the last content written. */
  written: z.string(),
  /**
   * Whether someone else changed the file between two of our writes: then no copy equals the file without our settings.
   */
  isMixed: z.boolean(),
  /** Whether a user has named the written address: then it never counts as an outdated address of this gateway. */
  isGiven: z.optional(z.boolean()),
  changes: z.array(connectChange),
})
/** The changes to a file, and how to undo them. */
export type RecordedFile = Readonly<z.output<typeof settledFile>>

/** While a file is being written, its entry also has the earlier one, or null. */
const recordedFile = settledFile.extend({ earlier: z.optional(settledFile.nullable()) })
/** An entry stored before its file is written, with the one that applies if the process dies before. */
type PendingFile = Readonly<z.output<typeof recordedFile>>

const record = z.object({ version: z.literal(1), clients: z.record(z.string(), z.array(recordedFile)) })

/** The changes of programs' files, in the data folder: `connect.json` and the copies in `connect-backups`. */
export interface ConnectRecord {
  /**
   * The entries of a program. If the process died while it wrote a file, the entry that matches the file: the new or
   * the earlier one.
   */
  of(client: string): readonly RecordedFile[]
  /** Replaces the entries of a program, and deletes the copies that they no longer need. */
  keep(client: string, files: readonly PendingFile[]): void
  /** Copies bytes, readable only by the owner; returns the copy's name. */
  backUp(client: string, path: string, bytes: Buffer): string
  backupOf(name: string): Buffer | null
}

const FILE = 'connect.json'
const BACKUPS = 'connect-backups'

/**
 * Returns the record in a data folder, which the first `keep` creates; `of` and `keep` throw `LeftAlone` if the record
 * cannot be read.
 */
export function openRecord(dataFolder: string): ConnectRecord {
  const file = join(dataFolder, FILE)
  const backups = join(dataFolder, BACKUPS)
  const read = () => {
    if (!existsSync(file)) return {}
    const known = record.safeParse(parsed(readFileSync(file, 'utf8')))
    // From another release, or damaged: a new record would lose what must be undone.
    if (!known.success) throw new LeftAlone('broken', file, known.error.issues[0]?.path.join('.') ?? '')
    return known.data.clients
  }
  return {
    of: (client) => (read()[client] ?? []).flatMap((entry) => applicable(entry) ?? []),
    keep(client, files) {
      mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
      const { [client]: before = [], ...rest } = read()
      const clients = files.length === 0 ? rest : { ...rest, [client]: [...files] }
      replaceFile(file, `${JSON.stringify({ version: 1, clients }, undefined, 1)}\n`)
      const needed = files.flatMap(backupsOf)
      for (const name of before.flatMap(backupsOf))
        if (!needed.includes(name)) rmSync(join(backups, basename(name)), { force: true })
    },
    backUp(client, path, bytes) {
      mkdirSync(backups, { recursive: true, mode: 0o700 })
      const name = `${client}-${randomHex(8)}-${basename(path)}`
      replaceFile(join(backups, name), bytes)
      return name
    },
    backupOf(name) {
      const copy = join(backups, basename(name))
      return existsSync(copy) ? readFileSync(copy) : null
    },
  }
}

const backupsOf = ({ backup, earlier }: PendingFile): readonly string[] => [backup ?? [], earlier?.backup ?? []].flat()

/**
 * Returns the entry that describes the file: the new one if the file was written, otherwise the earlier one, if any.
 */
function applicable({ earlier, ...entry }: PendingFile): RecordedFile | undefined {
  if (earlier === undefined) return entry
  const bytes = bytesOf(entry.path)
  const digest = digestOf(bytes)
  if (digest === entry.written) return entry
  if (bytes === null || digest === earlier?.written) return earlier ?? undefined
  return hasNewValue(entry, earlier ?? undefined, bytes) ? entry : (earlier ?? undefined)
}

/** Whether a file that someone has changed since has a value that only the entry wrote; true if it cannot be parsed. */
function hasNewValue({ format, changes }: RecordedFile, earlier: RecordedFile | undefined, bytes: Buffer): boolean {
  const settings = changes
    .filter(
      ({ path, value }) => !earlier?.changes.some((old) => isSamePath(old.path, path) && isSameValue(old.value, value)),
    )
    .map(({ path, value }) => ({ path, value: value as PlainValue })) // recorded values come from settings
  try {
    return hasAny(format, fileOf(bytes)?.text ?? '', settings)
  } catch (error) {
    if (error instanceof UnfitText) return true
    throw error
  }
}
