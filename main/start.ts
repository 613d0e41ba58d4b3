import type { Config, Environment } from '../gateway/config.ts'
import { CannotStart, EXIT } from '../gateway/store/sqlite/database.ts'
import { changeChoices } from './desktop-file.ts'
import { freePortAfter } from './free-port.ts'
import { type Decisions, type Host, readHostConfig, restoreBackup, type System, startHost } from './gateway-host.ts'
import { NoDataKey } from './keychain.ts'
import { portOwner } from './port-owner.ts'
import {
  backupIn,
  type Diagnosis,
  diagnose,
  type Remedy,
  withFailure,
  withNewKey,
  withRestore,
} from './startup-diagnosis.ts'
import type { StartupWindow } from './startup-window.ts'

type StartDeps = Readonly<{
  /** The program's folder: its settings, and the data unless DATA_DIR is set. */
  folder: string
  environment: Environment
  startup: Pick<StartupWindow, 'consult'>
  system: System
}>

/** A running gateway, or the exit code if the user declined to fix the problem. */
type Started = Host | Readonly<{ exitCode: number }>

/**
 * Starts the gateway. Shows fixable problems and retries, also as soon as a slow keychain responds, until the gateway
 * runs or the user quits.
 */
export async function startOrMend({ folder, environment, startup, system }: StartDeps): Promise<Started> {
  let decisions: Decisions = {}
  for (;;) {
    let config: Config | undefined
    try {
      config = readHostConfig(folder, environment, decisions)
      return await startHost(config, system, { ...decisions, environment })
    } catch (error) {
      const port = config && isPortTaken(error) ? await inspectPort(config) : undefined
      const freePort = port?.freePort
      const found = diagnose(error, { config, freePort, ...port })
      if (!found) throw error
      const pending = error instanceof NoDataKey ? error.pending : undefined
      const remedy = await Promise.race([awaitDecision(startup, found, config), untilKeychainResponds(pending)])
      if (remedy === 'quit') return { exitCode: found.exitCode }
      decisions = { ...decisions, pending, ...decisionOf(remedy, freePort) }
      if (remedy === 'port') changeChoices(folder, { port: freePort })
    }
  }
}

/**
 * The user's decision; a new key despite encrypted data, and a restore of the database, require a second
 * confirmation.
 */
async function awaitDecision(
  startup: StartDeps['startup'],
  found: Diagnosis,
  config: Config | undefined,
): Promise<Remedy> {
  const remedy = await startup.consult(found)
  if (remedy === 'newKey') return startup.consult(withNewKey(found))
  const backup = backupIn(remedy)
  if (backup === undefined || !config) return remedy
  const meant = await startup.consult(withRestore(found, backup))
  if (meant !== 'useBackup') return meant
  const problem = await restoreBackup(config, backup)
  return problem === undefined ? 'retry' : awaitDecision(startup, withFailure(found, problem), config)
}

/** Resolves once a slow keychain has responded; never if it fails. */
async function untilKeychainResponds(pending: NoDataKey['pending']): Promise<Remedy> {
  const answer = await pending
  return answer === undefined || answer instanceof Error ? new Promise(() => {}) : 'retry'
}

/** The program that occupies the configured port, if known, and a free port. */
async function inspectPort({ PORT, HOST }: Config) {
  const [freePort, owner] = await Promise.all([freePortAfter(PORT, HOST), portOwner(PORT)])
  return { freePort, portOwner: owner }
}

const isPortTaken = (error: unknown) => error instanceof CannotStart && error.exitCode === EXIT.portInUse

function decisionOf(remedy: Remedy, freePort: number | undefined): Decisions {
  if (remedy === 'port' && freePort !== undefined) return { port: freePort }
  if (remedy === 'keyFile' || remedy === 'useNewKey') return { mayMakeKey: true }
  return {}
}
