import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

/**
 * What a process of the gateway begins with: the built one where `npm test` has just built it, which starts in half the time,
 * else its sources.
 */
export const gatewayFile = join(import.meta.dirname, '../..', process.env.BUILT_GATEWAY ?? 'gateway/headless.mjs')

/** Starts a gateway without limits of rate in a process of its own, on a free port; `more` is its environment besides. */
export function startHeadless(folder: string, more: Readonly<Record<string, string>>) {
  const env = {
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    PORT: '0',
    DRAIN_S: '1',
    DATA_DIR: folder,
    GLOBAL_API_RATE_LIMIT: '0',
    GLOBAL_WEB_RATE_LIMIT: '0',
    USE_SYSTEM_CERTIFICATES: 'false',
    SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64'),
    ...more,
  }
  const child = spawn(process.execPath, [gatewayFile], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  // Told to stop, it takes the gateway with it.
  process.once('SIGTERM', () => process.exit(1)).once('exit', () => child.kill('SIGKILL'))
  return child
}
