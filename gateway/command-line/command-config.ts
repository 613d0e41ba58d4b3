import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../base/json/json.ts'
import { type Config, type Environment, readConfig } from '../config.ts'

const chosen = z.object({ port: z.number().int().min(1).max(65_535).optional() }).catch({})

/**
 * The settings of the gateway that a command is about: as flags and environment say, and where neither names a port, the one
 * that was chosen on a desktop whose folder it is. Throws `CannotStart` as `readConfig` does.
 */
export function readCommandConfig(environment: Environment, flags: readonly string[]): Config {
  const config = readConfig(environment, flags)
  const port = environment.PORT?.trim() ? undefined : portOfDesktop(config.DATA_DIR)
  return port === undefined ? config : readConfig({ ...environment, PORT: String(port) }, flags)
}

function portOfDesktop(folder: string): number | undefined {
  try {
    return chosen.parse(parsed(readFileSync(join(folder, 'desktop.json'), 'utf8'))).port
  } catch {
    // No desktop has this folder.
    return undefined
  }
}
