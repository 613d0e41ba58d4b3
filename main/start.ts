import type { Config, Environment } from '../gateway/config.ts'
import { CannotStart, EXIT } from '../gateway/store/database.ts'
import { readChoices, writeChoices } from './desktop-file.ts'
import { freePortAfter } from './free-port.ts'
import { type Decisions, type Host, readHostConfig, startHost } from './gateway-host.ts'
import { diagnose, type Remedy } from './startup-diagnosis.ts'
import type { StartupWindow } from './startup-window.ts'

export type StartDeps = Readonly<{
  /** The program's own folder: its choices, and the data unless DATA_DIR says otherwise. */
  folder: string
  environment: Environment
  startup: Pick<StartupWindow, 'consult'>
}>

/** A running gateway, or the exit code of what the person did not want to mend. */
export type Started = Host | Readonly<{ exitCode: number }>

/** Starts the gateway; whatever a person can mend is shown to them, and it is tried again until it works or they quit. */
export async function startOrMend({ folder, environment, startup }: StartDeps): Promise<Started> {
  let decisions: Decisions = {}
  for (;;) {
    let config: Config | undefined
    try {
      config = readHostConfig(folder, environment, decisions)
      return await startHost(config, decisions)
    } catch (error) {
      const freePort = config && isPortTaken(error) ? await freePortAfter(config.PORT, config.HOST) : undefined
      const found = diagnose(error, { config, freePort })
      if (!found) throw error
      const remedy = await startup.consult(found)
      if (remedy === 'quit') return { exitCode: found.exitCode }
      decisions = { ...decisions, ...decisionOf(remedy, freePort) }
      if (remedy === 'port') writeChoices(folder, { ...readChoices(folder), port: freePort })
    }
  }
}

const isPortTaken = (error: unknown) => error instanceof CannotStart && error.exitCode === EXIT.portInUse

function decisionOf(remedy: Remedy, freePort: number | undefined): Decisions {
  if (remedy === 'port' && freePort !== undefined) return { port: freePort }
  if (remedy === 'keyFile' || remedy === 'newKey') return { mayMakeKey: true }
  return {}
}
