import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

/**
 * The gateway's entry point: the build if `npm test` has just made one, which starts in half the time, else the
 * sources.
 */
export const gatewayFile = join(import.meta.dirname, '../..', process.env.BUILT_GATEWAY ?? 'gateway/headless.mjs')

/** Starts a gateway without rate limits in its own process, on a free port; `more` is added to its environment. */
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
  // SIGTERM stops the gateway too.
  process.once('SIGTERM', () => process.exit(1)).once('exit', () => child.kill('SIGKILL'))
  return child
}
