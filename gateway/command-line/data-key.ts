import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type CommandDeps, ENDS, failure } from './command.ts'

/**
 * Throws `CannotStart` (4) if the folder has no data key. Commands never create one: a new key could not decrypt
 * existing data, and a desktop would take it for its own. `how` is advice in addition to the environment variable.
 */
export function requireKey({ config }: CommandDeps, how = 'a desktop that keeps it in the keychain has to run'): void {
  if (config.SWITCHYARD_MASTER_KEY || existsSync(join(config.DATA_DIR, 'master.key'))) return
  throw failure(`there is no data key in ${config.DATA_DIR}; ${how}, or set SWITCHYARD_MASTER_KEY`, ENDS.badData)
}
