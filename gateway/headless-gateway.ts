import { join } from 'node:path'
import { createGateway, type Gateway } from './app.ts'
import { systemClock } from './base/clock.ts'
import { FAULT_EXIT, watchFaults } from './base/faults.ts'
import { createLogger, type Logger, silentLogger } from './base/logger.ts'
import { trustSystemCertificates } from './base/system-certificates.ts'
import { environmentProxy, noSystemProxy, type SystemProxy, wrongProxyVariable } from './base/system-proxy.ts'
import type { CommandLine } from './command-line/arguments.ts'
import { askHidden } from './command-line/ask-hidden.ts'
import { wrongUse } from './command-line/command.ts'
import { commandIn, commandLines, helpOf, runCommand, settingLines } from './command-line/run-command.ts'
import { type Config, readConfig } from './config.ts'
import { version } from './installation.ts'
import { headlessSecrets } from './secrets.ts'
import { SETUP_LINK_FILE } from './setup-link.ts'
import { CannotStart, EXIT } from './store/database.ts'

/**
 * The headless gateway: `node gateway/headless.mjs [serve] [--port 6411] [--data-dir ~/.switchyard]`, or the same by
 * environment. With another command in front (docs/reference/command-line.md) it does that instead and ends.
 */
async function main(): Promise<void> {
  const argv = process.argv.slice(2)
  const [name = ''] = argv
  if (argv.includes('--version')) return console.log(`Switchyard ${version}`)
  if (argv.includes('--help') || argv.includes('-h')) {
    const lines = helpOf(name)
    return console.log((lines.length > 0 ? lines : help()).join('\n'))
  }
  const command = commandIn(argv)
  if (command) return end(await commanded(command))
  const config = readConfig(process.env, name === 'serve' ? argv.slice(1) : argv)
  const log = createLogger(config.LOG_LEVEL)
  const systemProxy = outgoing(config, log)
  const secrets = headlessSecrets(config)
  const gateway = await createGateway({ config, secrets, log, systemProxy })
  stopOnSignals(gateway)
  watchFaults({ log, end: () => void gateway.stop().finally(() => process.exit(FAULT_EXIT)) })
  console.log(`Switchyard is listening on ${gateway.url}`)
  if (gateway.setupLink === null) return
  console.log(`Not set up yet. Open this one-time link: ${gateway.setupLink}`)
  console.log(`The link is also saved in ${join(config.DATA_DIR, SETUP_LINK_FILE)} until setup is complete.`)
}

/** How what leaves goes: trusts the system's certificates, and answers its proxy. */
function outgoing(config: Config, log: Logger): SystemProxy {
  if (config.USE_SYSTEM_CERTIFICATES) trustSystemCertificates(log)
  return systemProxyOf(config)
}

/** The proxy of the environment; one that cannot be used ends the start, since going round it may be forbidden. */
function systemProxyOf({ USE_SYSTEM_PROXY }: Config): SystemProxy {
  if (!USE_SYSTEM_PROXY) return noSystemProxy
  const wrong = wrongProxyVariable(process.env)
  if (wrong) throw new CannotStart(EXIT.badConfig, wrong)
  return environmentProxy
}

/** Runs one command; its exit code. */
async function commanded(command: CommandLine): Promise<number> {
  const config = asCommand(() => readConfig(process.env, command.flags))
  const say = (line: string) => console.log(line)
  const goOut = () => asCommand(() => outgoing(config, silentLogger))
  const secrets = headlessSecrets(config)
  return runCommand({ config, clock: systemClock, secrets, environment: process.env, say, askHidden, goOut }, command)
}

/** A flag or setting that is wrong is a wrong use of the command. */
function asCommand<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof CannotStart && error.exitCode === EXIT.badConfig ? wrongUse(error.message) : error
  }
}

/** Ends once what was printed has gone out; nothing that is left holds the process. */
function end(exitCode: number): void {
  process.exitCode = exitCode
}

/** What can be asked of the gateway from a shell; what each setting does is in docs/configuration.md. */
const help = (): string[] => [
  `Switchyard ${version}`,
  'Without a command the gateway starts. Settings come from flags or from the environment; docs/configuration.md lists them.',
  '',
  'Commands (switchyard <command> --help tells more):',
  ...commandLines(),
  '',
  'Flags:',
  ...settingLines(),
  '  --help',
  '  --version',
]

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
  const isJson = process.argv.includes('--json')
  console.error(isJson ? JSON.stringify({ error: error.message, exit_code: error.exitCode }) : error.message)
  process.exit(error.exitCode)
}
