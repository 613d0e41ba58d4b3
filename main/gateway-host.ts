import { createGateway, type Gateway } from '../gateway/app.ts'
import { createLogger } from '../gateway/base/logger.ts'
import { readConfig } from '../gateway/config.ts'
import { openKeychain } from './keychain.ts'

/** Runs the gateway for the desktop; where it runs (this process) is known here and nowhere else. */
export async function startHost(dataFolder: string): Promise<Gateway> {
  const config = readConfig({ ...process.env, DATA_DIR: process.env.DATA_DIR ?? dataFolder }, [])
  const log = createLogger(config.LOG_LEVEL)
  const secrets = await openKeychain(config.DATA_DIR)
  log.info('secrets', { kept: secrets.kind })
  return createGateway({ config, secrets, log })
}
