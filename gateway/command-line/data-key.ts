import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandDeps, ENDS, failure } from './command.ts'

/**
 * Throws `CannotStart` (4) where the folder has no data key: a command makes none, for a new one could open nothing of what is
 * there, and a desktop would take it for its own. `how` says what helps beside the environment.
 */
export function requireKey({ config }: CommandDeps, how = 'a desktop that keeps it in the keychain has to run'): void {
  if (config.SWITCHYARD_MASTER_KEY || existsSync(join(config.DATA_DIR, 'master.key'))) return
  throw failure(`there is no data key in ${config.DATA_DIR}; ${how}, or set SWITCHYARD_MASTER_KEY`, ENDS.badData)
}
