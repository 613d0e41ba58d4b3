import { join } from 'node:path'
import { createGateway, type Gateway } from './app.ts'
import { systemClock } from './base/clock.ts'
import { FAULT_EXIT, watchFaults } from './base/faults.ts'
import { createLogger } from './base/logger.ts'
import { commandIn, runCommand, usageLines } from './commands.ts'
import { flagNames, readConfig } from './config.ts'
import type { ConnectShell } from './connect/from-shell.ts'
import { CONNECT_USAGE } from './connect/usage.ts'
import { version } from './installation.ts'
import { headlessSecrets } from './secrets.ts'
import { SETUP_LINK_FILE } from './setup-link.ts'
import { CannotStart } from './store/database.ts'

/**
 * The headless gateway: `node gateway/headless.mjs [--port 6411] [--data-dir ~/.switchyard]`, or the same by environment.
 * With a command in front (`reset-login`, see commands.ts) it does that instead and ends.
 */
async function main(): Promise<void> {
  const argv = process.argv.slice(2)
  if (argv.includes('--version')) return console.log(`Switchyard ${version}`)
  if (argv.includes('--help') || argv.includes('-h')) return console.log(help())
  const print = (line: string) => console.log(line)
  if (argv[0] === 'connect') return connect({ argv: argv.slice(1), environment: process.env, say: print })
  const command = commandIn(argv)
  const config = readConfig(process.env, command?.flags ?? argv)
  if (command) {
    const secrets = headlessSecrets(config)
    return runCommand({ config, clock: systemClock, secrets, environment: process.env, say: print }, command)
  }
  const log = createLogger(config.LOG_LEVEL)
  const gateway = await createGateway({ config, secrets: headlessSecrets(config), log })
  stopOnSignals(gateway)
  watchFaults({ log, end: () => void gateway.stop().finally(() => process.exit(FAULT_EXIT)) })
  console.log(`Switchyard is listening on ${gateway.url}`)
  if (gateway.setupLink === null) return
  console.log(`Not set up yet. Open this one-time link: ${gateway.setupLink}`)
  console.log(`The link is also saved in ${join(config.DATA_DIR, SETUP_LINK_FILE)} until setup is complete.`)
}

/** Sets programs up for a gateway that runs; no gateway loads what that takes. */
async function connect(asked: ConnectShell): Promise<void> {
  const { connectFromShell } = await import('./connect/from-shell.ts')
  await connectFromShell(asked)
}

/** What can be asked of the gateway from a shell; what each setting does is in docs/configuration.md. */
const help = (): string =>
  [
    `Switchyard ${version}`,
    'Without a command the gateway starts. Settings come from flags or from the environment; docs/configuration.md lists them.',
    '',
    'Flags:',
    ...flagNames.map((name) => `  --${name} <value>`),
    '  --help',
    '  --version',
    '',
    'Commands, while no gateway uses the data folder:',
    ...usageLines().map((line) => `  ${line}`),
    '',
    'Commands, while a gateway runs:',
    `  ${CONNECT_USAGE}`,
  ].join('\n')

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
