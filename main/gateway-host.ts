import { join } from 'node:path'
import { goOnWithRestore, restoreHere } from '../gateway/backup/restore-here.ts'
import { systemClock } from '../gateway/base/clock.ts'
import { GatewayError } from '../gateway/base/errors.ts'
import type { LogTarget } from '../gateway/base/log/log-file.ts'
import { createLogger } from '../gateway/base/log/logger.ts'
import type { SystemProxy } from '../gateway/base/network/http-client.ts'
import { trustSystemCertificates } from '../gateway/base/network/system-certificates.ts'
import { noSystemProxy } from '../gateway/base/network/system-proxy.ts'
import { createVault } from '../gateway/base/secrets/ciphers.ts'
import { createGateway, type Gateway } from '../gateway/composition/create-gateway.ts'
import type { OnNotice } from '../gateway/composition/host-api.ts'
import { type Config, type Environment, readConfig } from '../gateway/config.ts'
import { BACKUP_FOLDER } from '../gateway/store/sqlite/backup-files.ts'
import { CannotStart } from '../gateway/store/sqlite/database.ts'
import { formatMessage, nested } from '../shared/messages/format.ts'
import { readChoices } from './desktop-file.ts'
import { NoDataKey, openKeychain } from './keychain.ts'

/** The user's decisions on the startup page for this start, and a pending keychain request. */
export type Decisions = Readonly<{ port?: number; mayMakeKey?: boolean; pending?: NoDataKey['pending'] }>

export type Host = Readonly<{ gateway: Gateway; config: Config }>

/** Console requests per 180 s from this machine: far above normal use; requests for files are unlimited. */
const ownMachine = { GLOBAL_API_RATE_LIMIT: '1800', GLOBAL_WEB_RATE_LIMIT: '0' }

/**
 * The gateway's settings on a desktop: the environment as on a server, but with the program's data folder, a port
 * chosen on the startup page, and high rate limits while only this machine can reach it. Throws `CannotStart` on an
 * invalid setting.
 */
export function readHostConfig(folder: string, environment: Environment, { port }: Decisions = {}): Config {
  const chosen = readChoices(folder).port
  const given = ofDesktop(environment)
  const limits = given.HOST === undefined ? ownMachine : {}
  return readConfig({ DATA_DIR: folder, ...limits, ...asPort(chosen), ...given, ...asPort(port) }, [])
}

/**
 * The environment without empty values, DATABASE_URL and REDIS_URL: the data of a desktop is in its folder, and these
 * URLs, which many developers have set, are for servers only.
 */
const ofDesktop = (environment: Environment): Environment =>
  Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => value?.trim() && !/^(DATABASE|REDIS)_URL/.test(name)),
  )

/**
 * The API rate limit for shared addresses: the environment's or the default, because the high limit of `ownMachine` is
 * only for the user of this computer.
 */
const usualApiLimit = (environment: Environment): number => readConfig(ofDesktop(environment), []).GLOBAL_API_RATE_LIMIT

export const usualPort = (environment: Environment): number => readConfig(ofDesktop(environment), []).PORT

/** What the gateway needs from its host system. */
export type System = Readonly<{
  logTarget: LogTarget
  proxy: SystemProxy
  /** Additional trusted certificates, as PEM. */
  certificates: string
  onNotice?: OnNotice
}>

/** Runs the gateway for the desktop in this process; only this module relies on the shared process. */
export async function startHost(
  config: Config,
  system: System,
  { environment, ...decisions }: Decisions & Readonly<{ environment: Environment }>,
): Promise<Host> {
  const { mayMakeKey = false, pending } = decisions
  const log = createLogger(config.LOG_LEVEL, { target: system.logTarget })
  // First, because a pending restore may bring back the file with the data key.
  goOnWithRestore(config.DATA_DIR)
  const secrets = await openKeychain({ config, mayMakeKey, pending })
  log.info('secrets', { kept: secrets.kind })
  if (config.USE_SYSTEM_CERTIFICATES) trustSystemCertificates(log, system.certificates)
  const systemProxy = config.USE_SYSTEM_PROXY ? system.proxy : noSystemProxy
  const { onNotice } = system
  const options = { sharedApiLimit: usualApiLimit(environment), ...(onNotice && { onNotice }) }
  return { gateway: await createGateway({ config, secrets, log, systemProxy, ...options }), config }
}

/**
 * Replaces the database with a backup from the data folder, using the desktop's data key; returns the error's message,
 * or undefined on success.
 */
export async function restoreBackup(config: Config, name: string): Promise<string | undefined> {
  const { DATA_DIR: folder } = config
  try {
    const secrets = await openKeychain({ config, mayMakeKey: false })
    const vault = createVault(await secrets.dataKey())
    const file = join(folder, BACKUP_FOLDER, name)
    await restoreHere(file, { folder, clock: systemClock, vault, mayDiffer: false, by: nested('log.startup_page') })
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return formatMessage('en', error.key, error.params)
    if (error instanceof CannotStart || error instanceof NoDataKey) return error.message
    throw error
  }
}

const asPort = (port: number | undefined) => (port === undefined ? {} : { PORT: String(port) })
