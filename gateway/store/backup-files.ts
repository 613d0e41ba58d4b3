import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../../shared/json.ts'
import { publishFile, replaceFile } from '../base/whole-file.ts'

/** Where backups lie in the data folder. */
export const BACKUP_FOLDER = 'backups'

const description = z.object({
  product: z.literal('switchyard'),
  kind: z.literal('backup'),
  /** Of this description. */
  version: z.literal(1),
  /** Unix seconds. */
  made_at: z.int(),
  made_by: z.enum(['schedule', 'person']),
  /** The program that made it, and the version of its schema. */
  release: z.string(),
  schema: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  /** Which data key opens what is sealed in it; never the key. */
  key_id: z.string(),
  /** Balances that differed from their ledger when it was made. */
  differences: z.int(),
})

/** What stands beside a backup: how it was made and verified, and which key it needs. */
export type BackupDescription = z.infer<typeof description>

/** A backup that is there. `description` is undefined where none is beside it, or it is of another file. */
export type BackupFile = Readonly<{
  name: string
  file: string
  bytes: number
  /** Unix seconds. */
  madeAt: number
  description: BackupDescription | undefined
  /** It was found whole when it was made, and its books agreed. */
  isVerified: boolean
}>

const NAME = /^switchyard-\d{8}T\d{6}Z(-\d+)?\.db$/

/** Whether a text is the name of a backup, and so no way to another file. */
export const isBackupName = (name: string): boolean => NAME.test(name)

/** The backups of a data folder, the newest first. */
export function backupsIn(dataFolder: string): BackupFile[] {
  const folder = join(dataFolder, BACKUP_FOLDER)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(isBackupName)
    .flatMap((name) => {
      const told = lookedAt(folder, name)
      return told ? [told] : []
    })
    .sort(
      (one, other) =>
        other.madeAt - one.madeAt || other.name.length - one.name.length || (one.name < other.name ? 1 : -1),
    )
}

/** The newest backup that was found good when it was made; undefined where there is none. */
export const newestVerified = (dataFolder: string): BackupFile | undefined =>
  backupsIn(dataFolder).find(({ isVerified }) => isVerified)

/** What stands beside a file, if it is a description of a file of this size. */
export function descriptionBeside(file: string, bytes: number): BackupDescription | undefined {
  const beside = `${file}.json`
  if (!existsSync(beside)) return undefined
  const read = description.safeParse(parsed(readFileSync(beside, 'utf8')))
  return read.success && read.data.bytes === bytes ? read.data : undefined
}

/** Makes the folder, owner-only, takes away what an ended run left half, and answers a name that is free. */
export function prepareBackup(dataFolder: string, nowSeconds: number): Readonly<{ name: string; part: string }> {
  const folder = join(dataFolder, BACKUP_FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const names = readdirSync(folder)
  for (const name of names) if (isLeftover(name, names)) rmSync(join(folder, name), { force: true })
  const stamp = `switchyard-${new Date(nowSeconds * 1000).toISOString().replace(/[-:]|\.\d+/g, '')}`
  let name = `${stamp}.db`
  for (let turn = 2; existsSync(join(folder, name)); turn += 1) name = `${stamp}-${turn}.db`
  return { name, part: join(folder, `${name}.part`) }
}

/** Gives a whole copy its name, behind what is told of it. */
export function publishBackup(part: string, told: BackupDescription): void {
  const file = part.replace(/\.part$/, '')
  replaceFile(`${file}.json`, `${JSON.stringify(told, undefined, 2)}\n`)
  publishFile(part, file)
}

/** Removes a backup and what is told of it; whether there was one. */
export function removeBackup(dataFolder: string, name: string): boolean {
  const file = join(dataFolder, BACKUP_FOLDER, name)
  if (!isBackupName(name) || !existsSync(file)) return false
  rmSync(file, { force: true })
  rmSync(`${file}.json`, { force: true })
  return true
}

/** Takes away a copy that did not become a backup. */
export function discardPart(part: string): void {
  for (const file of [part, `${part}-journal`, part.replace(/\.part$/, '.json')]) rmSync(file, { force: true })
}

function isLeftover(name: string, names: readonly string[]): boolean {
  if (/\.part(-journal)?$/.test(name)) return true
  return name.endsWith('.db.json') && !names.includes(name.replace(/\.json$/, ''))
}

function lookedAt(folder: string, name: string): BackupFile | undefined {
  const file = join(folder, name)
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const told = descriptionBeside(file, stats.size)
  const madeAt = told?.made_at ?? Math.floor(stats.mtimeMs / 1000)
  return { name, file, bytes: stats.size, madeAt, description: told, isVerified: told?.differences === 0 }
}
