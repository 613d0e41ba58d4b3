import { join } from 'node:path'
import { systemClock } from './base/clock.ts'
import { FAULT_EXIT, watchFaults } from './base/log/faults.ts'
import { createLogger, type Logger, silentLogger } from './base/log/logger.ts'
import type { SystemProxy } from './base/network/http-client.ts'
import { trustSystemCertificates } from './base/network/system-certificates.ts'
import { createEnvironmentProxy, noSystemProxy, wrongProxyVariable } from './base/network/system-proxy.ts'
import { setOwnCommand } from './base/own-command.ts'
import type { CommandLine } from './command-line/arguments.ts'
import { readHidden } from './command-line/ask-hidden.ts'
import { wrongUse } from './command-line/command.ts'
import { readCommandConfig } from './command-line/command-config.ts'
import { commandIn, commandLines, helpOf, runCommand, settingLines } from './command-line/run-command.ts'
import { createGateway, type Gateway } from './composition/create-gateway.ts'
import { SETUP_LINK_FILE } from './composition/setup-link.ts'
import { type Config, type Environment, readConfig } from './config.ts'
import { version } from './installation.ts'
import { headlessSecrets } from './secrets.ts'
import { CannotStart, EXIT } from './store/sqlite/database.ts'

/** Output, and how a process that cannot continue exits. */
type Terminal = Readonly<{
  print(line: string): void
  printError(line: string): void
  end(exitCode: number): void
}>

const ownProcess: Terminal = {
  print: (line) => console.log(printable(line)),
  printError: (line) => console.error(printable(line)),
  end: (exitCode) => process.exit(exitCode),
}

/** Replaces control characters of terminals: output may contain texts of vendors and imported files. */
const printable = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')

/**
 * The headless gateway: `node gateway/headless.mjs [serve] [--port 6411] [--data-dir ~/.switchyard]`, or with the same
 * settings in the environment. With any command other than `serve` (docs/reference/command-line.md), runs the command
 * and returns its exit code. Returns undefined if a gateway was started, which later ends the process; if it cannot
 * start, returns an exit code.
 */
export async function runHeadless(
  argv: readonly string[],
  environment: Environment = process.env,
  terminal: Terminal = ownProcess,
): Promise<number | undefined> {
  try {
    return await run(argv, environment, terminal)
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    const { message, exitCode } = error
    terminal.printError(argv.includes('--json') ? JSON.stringify({ error: message, exit_code: exitCode }) : message)
    terminal.end(exitCode)
    return exitCode
  }
}

async function run(argv: readonly string[], environment: Environment, terminal: Terminal): Promise<number | undefined> {
  const [name = ''] = argv
  setOwnCommand(environment.SWITCHYARD_COMMAND)
  const print = (lines: readonly string[]): number => {
    terminal.print(lines.join('\n'))
    return 0
  }
  if (argv.includes('--version')) return print([`Switchyard ${version}`])
  if (argv.includes('--help') || argv.includes('-h')) {
    const lines = helpOf(name)
    return print(lines.length > 0 ? lines : help())
  }
  const command = commandIn(argv)
  if (command) return commanded(command, environment, terminal)
  const config = readConfig(environment, name === 'serve' ? argv.slice(1) : argv)
  const log = createLogger(config.LOG_LEVEL)
  const systemProxy = outgoing(config, log, environment)
  const secrets = headlessSecrets(config)
  const gateway = await createGateway({ config, secrets, log, systemProxy })
  stopOnSignals(gateway)
  watchFaults({ log, end: () => void gateway.stop().finally(() => process.exit(FAULT_EXIT)) })
  const { url, urlsForOthers, setupLink } = gateway
  const others = urlsForOthers.filter((other) => other !== url)
  terminal.print(`Switchyard is listening on ${url}`)
  for (const other of others) terminal.print(`From other devices: ${other}`)
  if (setupLink === null) return undefined
  terminal.print(`Not set up yet. Open this one-time link: ${setupLink}`)
  for (const other of others) terminal.print(`From another device: ${other}${setupLink.slice(url.length)}`)
  terminal.print(`The link is also saved in ${join(config.DATA_DIR, SETUP_LINK_FILE)} until setup is complete.`)
  return undefined
}

/** Sets up outgoing connections: trusts the system's certificates, and returns its proxy. */
function outgoing(config: Config, log: Logger, environment: Environment): SystemProxy {
  if (config.USE_SYSTEM_CERTIFICATES) trustSystemCertificates(log)
  return systemProxyOf(config, environment)
}

/** The proxy of the environment; an invalid one ends the start, since direct connections may be forbidden. */
function systemProxyOf({ USE_SYSTEM_PROXY }: Config, environment: Environment): SystemProxy {
  if (!USE_SYSTEM_PROXY) return noSystemProxy
  const wrong = wrongProxyVariable(environment)
  if (wrong) throw new CannotStart(EXIT.badConfig, wrong)
  return createEnvironmentProxy()
}

async function commanded(command: CommandLine, environment: Environment, { print }: Terminal): Promise<number> {
  const config = asCommand(() => readCommandConfig(environment, command.flags))
  const goOut = () => asCommand(() => outgoing(config, silentLogger, environment))
  const secrets = headlessSecrets(config)
  return runCommand({ config, clock: systemClock, secrets, environment, print, readHidden, goOut }, command)
}

/** An invalid flag or setting counts as wrong use of the command. */
function asCommand<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof CannotStart && error.exitCode === EXIT.badConfig ? wrongUse(error.message) : error
  }
}

const help = (): string[] => [
  `Switchyard ${version}`,
  'Without a command the gateway starts. Settings come from flags or from the environment; docs/configuration.md lists them.',
  '',
  'Commands (details: switchyard <command> --help):',
  ...commandLines(),
  '',
  'Flags:',
  ...settingLines(),
  '  --help',
  '  --version',
]

/** The first signal drains and exits 0; the second exits 1 immediately. Charges are safe either way. */
function stopOnSignals(gateway: Gateway): void {
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      void gateway.stop().then(() => process.exit(0))
    })
}
