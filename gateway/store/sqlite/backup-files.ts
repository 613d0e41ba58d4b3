import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../../../shared/json.ts'
import { publishFile, replaceFile } from '../../base/whole-file.ts'

export const BACKUP_FOLDER = 'backups'

const description = z.object({
  product: z.literal('switchyard'),
  kind: z.literal('backup'),
  /** Version of this format. */
  version: z.literal(1),
  /** One more than that of the backup before it: the order of backups, since a clock may be wrong. */
  serial: z.int().nonnegative().default(0),
  /** Unix seconds. */
  made_at: z.int(),
  made_by: z.enum(['schedule', 'person']),
  release: z.string(),
  schema: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  /** Id of the data key that decrypts the encrypted values; never the key itself. */
  key_id: z.string(),
  /** Number of balances that differed from the ledger when the backup was made. */
  differences: z.int(),
})

/** The JSON file next to a backup: how it was made and verified, and which key it needs. */
export type BackupDescription = z.infer<typeof description>

/** `description` is undefined if the JSON file is missing or describes another file. */
export type BackupFile = Readonly<{
  name: string
  file: string
  bytes: number
  /** Unix seconds. */
  madeAt: number
  description: BackupDescription | undefined
  /** Whether the backup passed verification when it was made, and its balances matched the ledger. */
  isVerified: boolean
}>

const NAME = /^switchyard-\d{8}T\d{6}Z(-\d+)?\.db$/

/** Returns whether a text is a backup name; such a name contains no path. */
export const isBackupName = (name: string): boolean => NAME.test(name)

/** Returns all backups, the newest first by serial; files without a description come last. */
export function backupsIn(dataFolder: string): BackupFile[] {
  const folder = join(dataFolder, BACKUP_FOLDER)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(isBackupName)
    .flatMap((name) => {
      const backup = backupAt(folder, name)
      return backup ? [backup] : []
    })
    .sort((one, other) => serialOf(other) - serialOf(one) || other.madeAt - one.madeAt)
}

const serialOf = ({ description }: BackupFile): number => description?.serial ?? -1

export const nextSerial = (dataFolder: string): number => Math.max(0, ...backupsIn(dataFolder).map(serialOf)) + 1

export const newestVerified = (dataFolder: string): BackupFile | undefined =>
  backupsIn(dataFolder).find(({ isVerified }) => isVerified)

/** Returns the description next to a file, or undefined if it is missing, invalid or for a file of another size. */
export function descriptionFileOf(file: string, bytes: number): BackupDescription | undefined {
  const descriptionFile = `${file}.json`
  if (!existsSync(descriptionFile)) return undefined
  const read = description.safeParse(parsed(readFileSync(descriptionFile, 'utf8')))
  return read.success && read.data.bytes === bytes ? read.data : undefined
}

/**
 * Creates the backup folder, accessible only to its owner, deletes leftovers of an interrupted run, and returns an
 * unused name with the path of its unfinished file.
 */
export function prepareBackup(dataFolder: string, nowSeconds: number): Readonly<{ name: string; part: string }> {
  const folder = join(dataFolder, BACKUP_FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const names = readdirSync(folder)
  for (const name of names) if (isLeftover(name, names)) rmSync(join(folder, name), { force: true })
  const stamp = `switchyard-${new Date(nowSeconds * 1000).toISOString().replace(/[-:]|\.\d+/g, '')}`
  let name = `${stamp}.db`
  for (let attempt = 2; existsSync(join(folder, name)); attempt += 1) name = `${stamp}-${attempt}.db`
  return { name, part: join(folder, `${name}.part`) }
}

/** Writes the description, then gives the completed copy its final name. */
export function publishBackup(part: string, description: BackupDescription): void {
  const file = part.replace(/\.part$/, '')
  replaceFile(`${file}.json`, `${JSON.stringify(description, undefined, 2)}\n`)
  publishFile(part, file)
}

/** Deletes a backup and its description; returns whether it existed. */
export function removeBackup(dataFolder: string, name: string): boolean {
  const file = join(dataFolder, BACKUP_FOLDER, name)
  if (!isBackupName(name) || !existsSync(file)) return false
  rmSync(file, { force: true })
  rmSync(`${file}.json`, { force: true })
  return true
}

export function discardPart(part: string): void {
  for (const file of [part, `${part}-journal`, part.replace(/\.part$/, '.json')]) rmSync(file, { force: true })
}

function isLeftover(name: string, names: readonly string[]): boolean {
  if (/\.part(-journal)?$/.test(name)) return true
  return name.endsWith('.db.json') && !names.includes(name.replace(/\.json$/, ''))
}

function backupAt(folder: string, name: string): BackupFile | undefined {
  const file = join(folder, name)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const description = descriptionFileOf(file, stats.size)
  const madeAt = description?.made_at ?? Math.floor(stats.mtimeMs / 1000)
  return {
    name,
    file,
    bytes: stats.size,
    madeAt,
    description,
    isVerified: description?.differences === 0,
  }
}
