import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parsed } from '../base/json/json.ts'
import { type Config, type Environment, readConfig } from '../config.ts'

const chosen = z.object({ port: z.number().int().min(1).max(65_535).optional() }).catch({})

/**
 * The gateway's settings for a command: from flags and environment; if neither sets a port, the one chosen on the
 * desktop that owns the folder. Throws `CannotStart` like `readConfig`.
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
    // The folder is not a desktop's.
    return undefined
  }
}
