import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../../../shared/json.ts'
import { replaceFile, syncFolder } from '../../base/whole-file.ts'

/**
 * Folders for verified backups waiting to replace the database: while one holds a decided restore, the other is used
 * for inspection.
 */
const STAGED = ['restore', 'restore-2'] as const
/** Once this file exists, the next start restores the backup. */
const MARK = 'restore.json'
const DATABASE = 'switchyard.db'
const KEY = 'master.key'
const JOURNAL = 'ledger.journal'

const mark = z.object({
  from: z.string(),
  /** Unix seconds when the backup was made, and when the restore was decided. */
  made_at: z.int(),
  decided_at: z.int(),
  /** Folder in the data folder that receives the replaced files. */
  replaced: z.string().regex(/^replaced-[0-9TZ-]+$/),
  staged: z.enum(STAGED).default('restore'),
})

/** A restore that the next start carries out. */
export type DecidedRestore = z.infer<typeof mark>

/** The restore file cannot be read, so it is unknown which restore was decided. */
export class UnreadableMark extends Error {
  override readonly name = 'UnreadableMark'
}

/** Returns the restore that the next start carries out, or undefined if there is none. Throws `UnreadableMark`. */
export function decidedRestore(folder: string): DecidedRestore | undefined {
  const file = join(folder, MARK)
  if (!existsSync(file)) return undefined
  const read = mark.safeParse(textOf(file))
  if (read.success) return read.data
  throw new UnreadableMark(`${file} cannot be read; remove it to keep the database as it is`)
}

/** Returns undefined if the file cannot be read or parsed. */
function textOf(file: string): unknown {
  try {
    return parsed(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** A folder for inspecting a backup: its name within the data folder, and the paths of its files. */
type StagedRestore = Readonly<{ name: DecidedRestore['staged']; database: string; key: string }>

/**
 * Creates an empty folder, accessible only to its owner, next to the database. A restore that is already decided stays
 * in place. Throws `UnreadableMark`, because it is then unknown which folder is in use.
 */
export function stageRestore(folder: string): StagedRestore {
  const name = decidedRestore(folder)?.staged === 'restore' ? 'restore-2' : 'restore'
  rmSync(join(folder, name), { recursive: true, force: true })
  mkdirSync(join(folder, name), { mode: 0o700 })
  return { name, database: join(folder, name, DATABASE), key: join(folder, name, KEY) }
}

export const discardStaged = (folder: string, { name }: StagedRestore): void =>
  rmSync(join(folder, name), { recursive: true, force: true })

/**
 * Records the decision to restore, replacing an earlier one: the next start puts the staged files in place of the
 * database. They must be complete and synced to disk.
 */
export function decideRestore(folder: string, decision: Omit<DecidedRestore, 'replaced'>): DecidedRestore {
  const stamp = `replaced-${new Date(decision.decided_at * 1000).toISOString().replace(/[-:]|\.\d+/g, '')}`
  let replaced = stamp
  for (let attempt = 2; existsSync(join(folder, replaced)); attempt += 1) replaced = `${stamp}-${attempt}`
  const decided = { ...decision, replaced }
  syncFolder(join(folder, decided.staged))
  syncFolder(folder)
  replaceFile(join(folder, MARK), `${JSON.stringify(decided)}\n`)
  discardAllStaged(folder, decided.staged)
  return decided
}

function discardAllStaged(folder: string, but?: DecidedRestore['staged']): void {
  for (const name of STAGED) if (name !== but) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Withdraws the decision, even an unreadable one, and deletes what was staged; the database stays unchanged. */
export function forgetRestore(folder: string): void {
  rmSync(join(folder, MARK), { recursive: true, force: true })
  syncFolder(folder)
  discardAllStaged(folder)
}

/**
 * Returns whether a swap was interrupted; the data folder may then lack the database or its key. Throws
 * `UnreadableMark`.
 */
export function isRestoreStarted(folder: string): boolean {
  const decided = decidedRestore(folder)
  return decided !== undefined && existsSync(join(folder, decided.replaced))
}

/** Resumes an interrupted swap; by then the staged files may be the only copy of the database or key. */
export function finishStartedRestore(folder: string): void {
  if (isRestoreStarted(folder)) finishRestore(folder)
}

/**
 * Carries out the decided restore. This process must have exclusive use of the folder, with nothing open. Each step is
 * one atomic rename, so a later start resumes an interrupted swap: while a staged file exists, the file of the same
 * name in the data folder is the old one. Returns what was restored, or undefined if nothing was decided. Throws
 * `UnreadableMark`.
 */
export function finishRestore(folder: string): DecidedRestore | undefined {
  const decided = decidedRestore(folder)
  if (!decided) {
    // Staged by an earlier run, but not decided.
    discardAllStaged(folder)
    return undefined
  }
  const replacedFolder = join(folder, decided.replaced)
  if (!existsSync(join(folder, decided.staged, DATABASE)) && !existsSync(replacedFolder)) {
    // Nothing is staged and no swap was begun, so the files in the folder are current.
    forgetRestore(folder)
    return undefined
  }
  mkdirSync(replacedFolder, { recursive: true, mode: 0o700 })
  const move = (name: string) => {
    if (existsSync(join(folder, name)) && !existsSync(join(replacedFolder, name)))
      renameSync(join(folder, name), join(replacedFolder, name))
  }
  const staged = (name: string) => join(folder, decided.staged, name)
  const take = (name: string, ...sidecars: string[]) => {
    if (!existsSync(staged(name))) return
    for (const old of [name, ...sidecars]) move(old)
    syncFolder(replacedFolder)
    syncFolder(folder)
    renameSync(staged(name), join(folder, name))
    syncFolder(folder)
  }
  take(KEY)
  take(DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`)
  for (const journal of ['progress.journal', JOURNAL]) move(journal)
  syncFolder(replacedFolder)
  if (!existsSync(join(folder, DATABASE))) return decided
  // An empty journal marks the folder as in use (database.ts).
  replaceFile(join(folder, JOURNAL), '')
  forgetRestore(folder)
  return decided
}
