import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../../shared/json.ts'
import { replaceFile, syncFolder } from '../base/whole-file.ts'

/** Where a backup that was found good waits to take the database's place. */
const STAGED = 'restore'
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
  const read = mark.safeParse(parsed(readFileSync(file, 'utf8')))
  if (read.success) return read.data
  throw new UnreadableMark(`${file} cannot be read; remove it to keep the database as it is`)
}

/** An empty, owner-only folder beside the database, and the files that may be put there. Takes away an earlier decision. */
export function stageRestore(folder: string): Readonly<{ database: string; key: string }> {
  forgetRestore(folder)
  mkdirSync(join(folder, STAGED), { mode: 0o700 })
  return { database: join(folder, STAGED, DATABASE), key: join(folder, STAGED, KEY) }
}

/** Decides: what is staged, which is whole and on the disk, takes the place of the database before it is opened next. */
export function decideRestore(folder: string, told: Omit<DecidedRestore, 'replaced'>): DecidedRestore {
  const stamp = `replaced-${new Date(told.decided_at * 1000).toISOString().replace(/[-:]|\.\d+/g, '')}`
  let replaced = stamp
  for (let turn = 2; existsSync(join(folder, replaced)); turn += 1) replaced = `${stamp}-${turn}`
  const decided = { ...told, replaced }
  syncFolder(join(folder, STAGED))
  syncFolder(folder)
  replaceFile(join(folder, MARK), `${JSON.stringify(decided)}\n`)
  return decided
}

/** Takes the decision back, then what was staged; the database stays what it is. */
export function forgetRestore(folder: string): void {
  rmSync(join(folder, MARK), { force: true })
  syncFolder(folder)
  rmSync(join(folder, STAGED), { recursive: true, force: true })
}

/** Goes on with a swap that a kill has ended in its middle: what is staged is all there is of one of the two by then. */
export function finishBegunRestore(folder: string): void {
  const decided = decidedRestore(folder)
  if (decided && existsSync(join(folder, decided.replaced))) finishRestore(folder)
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
    rmSync(join(folder, STAGED), { recursive: true, force: true })
    return undefined
  }
  const kept = join(folder, decided.replaced)
  if (!existsSync(join(folder, STAGED, DATABASE)) && !existsSync(kept)) {
    // Nothing lies there, and no swap was begun: what is in the folder is not old.
    forgetRestore(folder)
    return undefined
  }
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  const move = (name: string) => {
    if (existsSync(join(folder, name)) && !existsSync(join(kept, name)))
      renameSync(join(folder, name), join(kept, name))
  }
  const staged = (name: string) => join(folder, STAGED, name)
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
