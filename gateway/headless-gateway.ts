import { join } from 'node:path'
import { createGateway, type Gateway } from './app.ts'
import { systemClock } from './base/clock.ts'
import { FAULT_EXIT, watchFaults } from './base/faults.ts'
import { createLogger } from './base/logger.ts'
import { commandIn, runCommand } from './commands.ts'
import { readConfig } from './config.ts'
import { headlessSecrets } from './secrets.ts'
import { SETUP_LINK_FILE } from './setup-link.ts'
import { CannotStart } from './store/database.ts'

/**
 * The headless gateway: `node gateway/headless.mjs [--port 6411] [--data-dir ~/.switchyard]`, or the same by environment.
 * With a command in front (`reset-login`, see commands.ts) it does that instead and ends.
 */
async function main(): Promise<void> {
  const argv = process.argv.slice(2)
  const command = commandIn(argv)
  const config = readConfig(process.env, command?.flags ?? argv)
  if (command) return runCommand({ config, clock: systemClock, say: (line) => console.log(line) }, command.words)
  const log = createLogger(config.LOG_LEVEL)
  const gateway = await createGateway({ config, secrets: headlessSecrets(config), log })
  stopOnSignals(gateway)
  watchFaults({ log, end: () => void gateway.stop().finally(() => process.exit(FAULT_EXIT)) })
  console.log(`Switchyard is listening on ${gateway.url}`)
  if (gateway.setupLink === null) return
  console.log(`Not set up yet. Open this one-time link: ${gateway.setupLink}`)
  console.log(`The link is also saved in ${join(config.DATA_DIR, SETUP_LINK_FILE)} until setup is complete.`)
}

/** The first signal drains and exits 0; the second one exits at once. Charges are safe either way. */
function stopOnSignals(gateway: Gateway): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      void gateway.stop().then(() => process.exit(0))
    })
}

try {
  await main()
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  console.error(error.message)
  process.exit(error.exitCode)
}
