import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../../shared/json.ts'
import { replaceFile, syncFolder } from '../base/whole-file.ts'

/** Where a backup that was found good waits to take the database's place; another one is looked at in the other folder. */
const STAGED = ['restore', 'restore-2'] as const
/** Decides: from when it is there the next start has the backup, whatever happens. */
const MARK = 'restore.json'
const DATABASE = 'switchyard.db'
const KEY = 'master.key'
const JOURNAL = 'ledger.journal'

const mark = z.object({
  /** The backup's file name. */
  from: z.string(),
  /** Unix seconds when the backup was made, and when this was decided. */
  made_at: z.int(),
  decided_at: z.int(),
  /** The folder, in the data folder, that keeps what is replaced. */
  replaced: z.string().regex(/^replaced-[0-9TZ-]+$/),
  /** The folder in which the backup waits. */
  staged: z.enum(STAGED).default('restore'),
})

/** A restore that was decided on and waits for the next start. */
export type DecidedRestore = z.infer<typeof mark>

/** The restore file cannot be read: nobody may guess what was meant. */
export class UnreadableMark extends Error {
  override readonly name = 'UnreadableMark'
}

/** The restore that waits for the next start; undefined where there is none. Throws `UnreadableMark`. */
export function decidedRestore(folder: string): DecidedRestore | undefined {
  const file = join(folder, MARK)
  if (!existsSync(file)) return undefined
  const read = mark.safeParse(textOf(file))
  if (read.success) return read.data
  throw new UnreadableMark(`${file} cannot be read; remove it to keep the database as it is`)
}

/** What stands in it as JSON; undefined also where it is no file that this process may read. */
function textOf(file: string): unknown {
  try {
    return parsed(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Where a backup is looked at: a folder of its own name in the data folder, and the files that may be put there. */
type StagedRestore = Readonly<{ name: DecidedRestore['staged']; database: string; key: string }>

/**
 * An empty, owner-only folder beside the database. A backup that waits already goes on to wait. Throws `UnreadableMark`, for
 * nobody knows then what waits.
 */
export function stageRestore(folder: string): StagedRestore {
  const name = decidedRestore(folder)?.staged === 'restore' ? 'restore-2' : 'restore'
  rmSync(join(folder, name), { recursive: true, force: true })
  mkdirSync(join(folder, name), { mode: 0o700 })
  return { name, database: join(folder, name, DATABASE), key: join(folder, name, KEY) }
}

/** Takes away what was staged and is not decided on. */
export const discardStaged = (folder: string, { name }: StagedRestore): void =>
  rmSync(join(folder, name), { recursive: true, force: true })

/**
 * Decides: what is staged, which is whole and on the disk, takes the place of the database before it is opened next, instead of
 * what was decided on before.
 */
export function decideRestore(folder: string, told: Omit<DecidedRestore, 'replaced'>): DecidedRestore {
  const stamp = `replaced-${new Date(told.decided_at * 1000).toISOString().replace(/[-:]|\.\d+/g, '')}`
  let replaced = stamp
  for (let turn = 2; existsSync(join(folder, replaced)); turn += 1) replaced = `${stamp}-${turn}`
  const decided = { ...told, replaced }
  syncFolder(join(folder, decided.staged))
  syncFolder(folder)
  replaceFile(join(folder, MARK), `${JSON.stringify(decided)}\n`)
  discardAllStaged(folder, decided.staged)
  return decided
}

function discardAllStaged(folder: string, but?: DecidedRestore['staged']): void {
  for (const name of STAGED) if (name !== but) rmSync(join(folder, name), { recursive: true, force: true })
}

/** Takes the decision back, one that cannot be read too, then what was staged; the database stays what it is. */
export function forgetRestore(folder: string): void {
  rmSync(join(folder, MARK), { recursive: true, force: true })
  syncFolder(folder)
  discardAllStaged(folder)
}

/** Whether a kill has ended a swap in its middle: the database, or its key, may be in neither place then. Throws `UnreadableMark`. */
export function isRestoreBegun(folder: string): boolean {
  const decided = decidedRestore(folder)
  return decided !== undefined && existsSync(join(folder, decided.replaced))
}

/** Goes on with such a swap: what is staged is all there is of one of the two by then. */
export function finishBegunRestore(folder: string): void {
  if (isRestoreBegun(folder)) finishRestore(folder)
}

/**
 * Carries out what was decided, while this process alone has the folder and nothing is open. Each step is one rename that is
 * done or not, and a later start goes on where a kill has ended it: what is staged is new, and while it lies there, what has
 * the same name in the folder is old. Answers what was restored; undefined where nothing was decided. Throws
 * `UnreadableMark`.
 */
export function finishRestore(folder: string): DecidedRestore | undefined {
  const decided = decidedRestore(folder)
  if (!decided) {
    // What an ended run has staged, and nobody has decided on.
    discardAllStaged(folder)
    return undefined
  }
  const kept = join(folder, decided.replaced)
  if (!existsSync(join(folder, decided.staged, DATABASE)) && !existsSync(kept)) {
    // Nothing lies there, and no swap was begun: what is in the folder is not old.
    forgetRestore(folder)
    return undefined
  }
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  const move = (name: string) => {
    if (existsSync(join(folder, name)) && !existsSync(join(kept, name)))
      renameSync(join(folder, name), join(kept, name))
  }
  const staged = (name: string) => join(folder, decided.staged, name)
  const take = (name: string, ...beside: string[]) => {
    if (!existsSync(staged(name))) return
    for (const old of [name, ...beside]) move(old)
    syncFolder(kept)
    syncFolder(folder)
    renameSync(staged(name), join(folder, name))
    syncFolder(folder)
  }
  take(KEY)
  take(DATABASE, `${DATABASE}-wal`, `${DATABASE}-shm`)
  // Charges of the database that was replaced.
  for (const journal of ['progress.journal', JOURNAL]) move(journal)
  syncFolder(kept)
  if (!existsSync(join(folder, DATABASE))) return decided
  // An empty one says that the folder is in use (database.ts).
  replaceFile(join(folder, JOURNAL), '')
  forgetRestore(folder)
  return decided
}
