import { accessSync, constants, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readableBackups } from '../gateway/backup/restore-here.ts'
import type { Config } from '../gateway/config.ts'
import { isBackupName } from '../gateway/store/sqlite/backup-files.ts'
import { CannotStart, EXIT } from '../gateway/store/sqlite/database.ts'
import { UnusableFolder } from './installation-id.ts'
import { type KeyTrouble, NoDataKey } from './keychain.ts'
import type { TextKey } from './language.ts'
import { localTime } from './local-time.ts'

/** Requirements of a start, in the order they are checked. */
export const parts = ['settings', 'keychain', 'folder', 'database', 'port'] as const
export type Part = (typeof parts)[number]

/** The user's options; `folder` and `language` do not close the page, and `restore:` names the backup to restore. */
export type Remedy =
  | RestoreRemedy
  | 'useBackup'
  | 'retry'
  | 'port'
  | 'keyFile'
  | 'newKey'
  | 'useNewKey'
  | 'folder'
  | 'language'
  | 'quit'

/** The remedies of a diagnosis; `language` is not one of them, because every page offers it. */
type OfferedRemedy = Exclude<ButtonRemedy, 'language'>

export type ButtonRemedy = Exclude<Remedy, RestoreRemedy>

type RestoreRemedy = `restore:${string}`

/** Why the gateway cannot start and how to fix it: everything the startup page shows. */
export type Diagnosis = Readonly<{
  part: Part
  what: TextKey
  how: readonly TextKey[]
  remedies: readonly OfferedRemedy[]
  message: string
  values: Readonly<Record<string, string | number>>
  /** The data folder; undefined if unknown. */
  folder: string | undefined
  /** The backups to restore from, newest first; undefined if they would not help. */
  backups: readonly Backup[] | undefined
  exitCode: number
}>

/** A backup that can be chosen; `isVerified` if it was verified when it was created. */
type Backup = Readonly<{ name: string; bytes: number; at: Date; isVerified: boolean }>

/** Additional facts: the settings if readable, a free port, and the program that occupies the configured one. */
type Circumstances = Readonly<{
  config: Config | undefined
  freePort: number | undefined
  portOwner?: string | undefined
}>

type Finding = Pick<Diagnosis, 'part' | 'what' | 'how' | 'remedies'>

/** Explains a failed start (docs/reference/design.md#first-five-minutes); undefined for bugs. */
export function diagnose(error: unknown, { config, freePort, portOwner }: Circumstances): Diagnosis | undefined {
  const finding = findingOf(error, config?.DATA_DIR)
  if (!finding || !(error instanceof Error)) return undefined
  const folder = config?.DATA_DIR
  return {
    ...finding,
    ...(finding === findings.port && portOwner !== undefined && { what: 'startup.port.owned' }),
    message: error.message,
    values: { folder: folder ?? '', taken: config?.PORT ?? '', free: freePort ?? '', owner: portOwner ?? '' },
    folder,
    backups: folder === undefined ? undefined : backupsFor(finding, folder),
    exitCode: error instanceof CannotStart ? error.exitCode : EXIT.badData,
  }
}

/** The page that requests confirmation of a new key, with its consequences. */
export const withNewKey = (found: Diagnosis): Diagnosis => ({
  ...found,
  what: 'startup.newKey.what',
  how: ['startup.newKey.how1', 'startup.newKey.how2'],
  remedies: ['retry', 'useNewKey', 'quit'],
})

/** The backup named by a remedy; undefined for other remedies. */
export function backupIn(remedy: Remedy): string | undefined {
  const name = remedy.startsWith('restore:') ? remedy.slice('restore:'.length) : ''
  return isBackupName(name) ? name : undefined
}

/** The page that requests confirmation of a restore, with its consequences. */
export const withRestore = (found: Diagnosis, name: string): Diagnosis => ({
  ...found,
  what: 'startup.restore.what',
  how: ['startup.restore.how1', 'startup.restore.how2'],
  values: { ...found.values, backup: name, at: stampOf(found, name) },
  remedies: ['useBackup', 'retry', 'quit'],
  backups: undefined,
})

export const withFailure = (found: Diagnosis, message: string): Diagnosis => ({
  ...found,
  what: 'startup.notRestored.what',
  message,
})

const stampOf = ({ backups = [] }: Diagnosis, name: string): string =>
  backups.flatMap((one) => (one.name === name ? [localTime(one.at)] : [])).join()

function findingOf(error: unknown, folder: string | undefined): Finding | undefined {
  if (error instanceof NoDataKey) return keyFindings[error.trouble]
  if (error instanceof UnusableFolder) return findings.folder
  if (!(error instanceof CannotStart)) return undefined
  if (error.exitCode === EXIT.badConfig) return findings.settings
  if (error.exitCode === EXIT.portInUse) return findings.port
  if (error.exitCode === EXIT.secondInstance) return findings.inUse
  if (error.exitCode === EXIT.fullDisk) return findings.folder
  if (error.cause instanceof Error && error.cause.name === 'NewerSchema') return findings.newer
  return folder !== undefined && isWritable(folder) ? findings.database : findings.folder
}

const findings = {
  settings: { part: 'settings', what: 'startup.settings.what', how: ['startup.settings.how'], remedies: ['quit'] },
  folder: {
    part: 'folder',
    what: 'startup.folder.what',
    how: ['startup.folder.how1', 'startup.folder.how2'],
    remedies: ['retry', 'quit'],
  },
  inUse: {
    part: 'folder',
    what: 'startup.inUse.what',
    how: ['startup.inUse.how1', 'startup.inUse.how2'],
    remedies: ['retry', 'folder', 'quit'],
  },
  database: {
    part: 'database',
    what: 'startup.database.what',
    how: ['startup.database.how1', 'startup.database.how2', 'startup.database.how3'],
    remedies: ['retry', 'folder', 'quit'],
  },
  newer: {
    part: 'database',
    what: 'startup.newer.what',
    how: ['startup.newer.how', 'startup.newer.how2'],
    remedies: ['retry', 'folder', 'quit'],
  },
  port: {
    part: 'port',
    what: 'startup.port.what',
    how: ['startup.port.how1', 'startup.port.how2'],
    remedies: ['retry', 'port', 'quit'],
  },
} as const satisfies Record<string, Finding>

const keyFindings = {
  silent: {
    part: 'keychain',
    what: 'startup.silent.what',
    how: ['startup.silent.how1', 'startup.silent.how2'],
    remedies: ['retry', 'keyFile', 'quit'],
  },
  locked: {
    part: 'keychain',
    what: 'startup.locked.what',
    how: ['startup.locked.how1', 'startup.locked.how2'],
    remedies: ['retry', 'folder', 'quit'],
  },
  missing: {
    part: 'keychain',
    what: 'startup.missing.what',
    how: ['startup.missing.how1', 'startup.missing.how2'],
    remedies: ['retry', 'newKey', 'folder', 'quit'],
  },
  unusable: {
    part: 'keychain',
    what: 'startup.unusable.what',
    how: ['startup.unusable.how1', 'startup.unusable.how2'],
    remedies: ['retry', 'folder', 'quit'],
  },
} as const satisfies Record<KeyTrouble, Finding>

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return statSync(folder).isDirectory()
  } catch {
    // Missing or not accessible to this account, and so not writable.
    return false
  }
}

/** Backups that can replace a database that is unusable or needs a newer release. */
function backupsFor(finding: Finding, folder: string): Backup[] | undefined {
  if (finding === findings.newer) return verifiedIn(folder)
  return finding === findings.database ? everythingIn(folder) : undefined
}

const verifiedIn = (folder: string): Backup[] =>
  readableBackups(folder).map(({ name, bytes, madeAt }) => ({
    name,
    bytes,
    at: new Date(madeAt * 1000),
    isVerified: true,
  }))

/** All backups, including the copies made before migrations, which are not verified. */
function everythingIn(folder: string): Backup[] {
  const verified = verifiedIn(folder)
  const copies = readdirSync(folder)
    .filter((name) => name.endsWith('.bak'))
    .map((name) => ({ name, stats: statSync(join(folder, name)) }))
    .map(({ name, stats }) => ({ name, bytes: stats.size, at: stats.mtime, isVerified: false }))
  return [...verified, ...copies].sort((one, other) => other.at.getTime() - one.at.getTime())
}
