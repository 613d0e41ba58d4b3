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
  /** The name of the copy of what was there before; null where there was no file. */
  backup: z.string().nullable(),
  /** Who might do what with the file before; absent where there was none. */
  mode: z.optional(z.int()),
  /** Folders that were made for the file. */
  folders: z.array(z.string()),
  /** SHA-256 of what was written last. */
  written: z.string(),
  /** Whether the file was changed by somebody else between two of our writings: then no copy is the file without ours. */
  isMixed: z.boolean(),
  /** Whether somebody has named the address that was written: then it is no old one of the gateway of here. */
  isGiven: z.optional(z.boolean()),
  changes: z.array(connectChange),
})
/** What was done to a file, and what undoes it. */
export type RecordedFile = Readonly<z.output<typeof recordedFile>>

const record = z.object({ version: z.literal(1), clients: z.record(z.string(), z.array(recordedFile)) })

/** What was written into the files of programs, in the data folder: `connect.json` and the copies in `connect-backups`. */
export interface ConnectRecord {
  of(client: string): readonly RecordedFile[]
  /** Replaces what is known of a program; nothing forgets it. */
  keep(client: string, files: readonly RecordedFile[]): void
  /** Copies bytes, for the owner alone; answers the copy's name. */
  backUp(client: string, path: string, bytes: Buffer): string
  /** A copy, null where somebody has taken it away. */
  backupOf(name: string): Buffer | null
  /** Removes copies that nothing refers to any more. */
  drop(names: readonly string[]): void
}

const FILE = 'connect.json'
const BACKUPS = 'connect-backups'

/** The record in a data folder, which is made where there is none; one that cannot be read is left alone (`LeftAlone`). */
export function openRecord(dataFolder: string): ConnectRecord {
  const file = join(dataFolder, FILE)
  const backups = join(dataFolder, BACKUPS)
  const read = () => {
    if (!existsSync(file)) return {}
    const known = record.safeParse(parsed(readFileSync(file, 'utf8')))
    // Of another release, or damaged: writing a new one would forget what is owed.
    if (!known.success) throw new LeftAlone('broken', file, known.error.issues[0]?.path.join('.') ?? '')
    return known.data.clients
  }
  return {
    of: (client) => read()[client] ?? [],
    keep(client, files) {
      mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
      const { [client]: _, ...others } = read()
      const clients = files.length === 0 ? others : { ...others, [client]: [...files] }
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
