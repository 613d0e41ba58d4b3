import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { logType } from '../../shared/enums.ts'
import { type MessageParams, nested } from '../../shared/messages/format.ts'
import { goOnWithRestore } from '../backup/restore-here.ts'
import { unixSeconds } from '../base/clock.ts'
import { saidInLog } from '../base/said.ts'
import { DATABASE_FILE, type Db, holdFolder, openDatabase } from '../store/database.ts'
import { type CommandDeps, ENDS, failure } from './command.ts'

type Work<T> = (db: Db, say: (line: string) => void) => Promise<T>

/** Opens the database of a gateway that does not run, does all of the work or nothing, and then says what was done. */
export async function inFolder<T>(deps: CommandDeps, work: Work<T>): Promise<T> {
  return withDatabase(deps, async (database) => {
    const lines: string[] = []
    const result = await database.transaction().execute((db) => work(db, (line) => lines.push(line)))
    for (const line of lines) deps.say(line)
    return result
  })
}

/** Opens it for work that has its own transactions. Throws `CannotStart`: 3 while a gateway uses it, 4 where there is none. */
export async function withDatabase<T>({ config, clock }: CommandDeps, work: (db: Db) => Promise<T>): Promise<T> {
  requireDatabase(config.DATA_DIR)
  const database = await openDatabase(config.DATA_DIR, unixSeconds(clock))
  try {
    return await work(database.db)
  } finally {
    await database.close()
  }
}

/**
 * Throws `CannotStart` (4) where a folder has no database, and so nothing to work on. A swap that a kill has ended in its
 * middle is ended first, for the database may be in neither place then.
 */
export function requireDatabase(folder: string): void {
  goOnWithRestore(folder)
  if (!existsSync(join(folder, DATABASE_FILE)))
    throw failure(`no Switchyard database was found in ${folder}`, ENDS.badData)
}

/** Whether a gateway, or another command, has the folder. */
export function isInUse(folder: string): boolean {
  if (!existsSync(join(folder, 'lock.db'))) return false
  try {
    holdFolder(folder).release()
    return false
  } catch (error) {
    if (error instanceof Error && 'exitCode' in error && error.exitCode === ENDS.inUse) return true
    throw error
  }
}

type AuditKey = 'log.option_reset' | 'log.password_reset' | 'log.user_factors'

/** A row for the administrators' log: what was done, by whoever has this machine's shell. */
export async function audit(
  { clock }: CommandDeps,
  db: Db,
  messageKey: AuditKey,
  params: MessageParams,
  facts: object,
): Promise<void> {
  const actor = { id: 0, username: '' }
  await db
    .insertInto('logs')
    .values({
      user_id: 0,
      created_at: unixSeconds(clock),
      type: logType.manage,
      ...saidInLog([{ key: messageKey, params: { ...params, actor: nested('log.shell') } }], {
        admin_info: { ...facts, actor },
      }),
    })
    .execute()
}
