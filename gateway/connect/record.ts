import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { randomHex } from '../base/ids.ts'
import { parsed } from '../base/json/json.ts'
import { replaceFile } from '../base/whole-file.ts'
import { LeftAlone } from './disk.ts'
import { connectChange } from './edit.ts'

const recordedFile = z.object({
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
export type RecordedFile = Readonly<z.output<typeof recordedFile>>

const record = z.object({ version: z.literal(1), clients: z.record(z.string(), z.array(recordedFile)) })

/** The changes of programs' files, in the data folder: `connect.json` and the copies in `connect-backups`. */
export interface ConnectRecord {
  of(client: string): readonly RecordedFile[]
  /** Replaces the entry of a program; an empty list deletes it. */
  keep(client: string, files: readonly RecordedFile[]): void
  /** Copies bytes, readable only by the owner; returns the copy's name. */
  backUp(client: string, path: string, bytes: Buffer): string
  backupOf(name: string): Buffer | null
  drop(names: readonly string[]): void
}

const FILE = 'connect.json'
const BACKUPS = 'connect-backups'

/** Opens or creates the record in a data folder; throws `LeftAlone` if it cannot be read. */
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
    of: (client) => read()[client] ?? [],
    keep(client, files) {
      mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
      const { [client]: _, ...rest } = read()
      const clients = files.length === 0 ? rest : { ...rest, [client]: [...files] }
      replaceFile(file, `${JSON.stringify({ version: 1, clients }, undefined, 1)}\n`)
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
    drop(names) {
      for (const name of names) rmSync(join(backups, basename(name)), { force: true })
    },
  }
}
