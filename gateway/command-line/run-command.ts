import { formatMessage } from '../../shared/messages/format.ts'
import { GatewayError } from '../base/errors.ts'
import { flagNames } from '../config.ts'
import { CannotStart } from '../store/sqlite/database.ts'
import { type CommandLine, readLine, usageOf } from './arguments.ts'
import { type CommandDeps, ENDS, wrongUse } from './command.ts'
import { commands } from './table.ts'

/**
 * The command of the arguments; undefined if there are no arguments, or they start with a flag or `serve`, so that the
 * gateway starts. Throws `CannotStart` with exit code 2 for an unknown command.
 */
export function commandIn(argv: readonly string[]): CommandLine | undefined {
  const [name = '-', ...rest] = argv
  if (name.startsWith('-') || name === 'serve') return undefined
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw wrongUse(`unknown command ${name}; available commands: ${Object.keys(commands).join(', ')}`)
  return readLine(name, rest, command)
}

/** Runs a command and prints its output or, with `--json`, its result; returns the exit code. */
export async function runCommand(deps: CommandDeps, line: CommandLine): Promise<number> {
  const command = commands[line.name]
  if (!command) throw wrongUse(`unknown command ${line.name}`)
  try {
    const quiet = line.isJson ? { ...deps, print: () => {} } : deps
    const { result, exitCode = 0 } = await command.run(quiet, line)
    if (line.isJson) deps.print(JSON.stringify(result))
    return exitCode
  } catch (error) {
    if (error instanceof GatewayError)
      throw new CannotStart(ENDS.failed, formatMessage('en', error.key, error.params), error)
    if (isOfSystem(error)) throw new CannotStart(ENDS.failed, error.message, error)
    throw error
  }
}

/** Whether an error comes from the disk, the network or SQLite; its message is shown without a stack. */
const isOfSystem = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /^(E[A-Z\d]+|SQLITE_[A-Z_]+)$/.test(String(error.code))

export function commandLines(): string[] {
  const longest = Math.max(...Object.keys(commands).map(({ length }) => length), 'serve'.length)
  const all = Object.entries(commands).map(([name, { about }]) => [name, about] as const)
  return [['serve', 'starts the gateway, as no command does'] as const, ...all].map(
    ([name, about]) => `  ${name.padEnd(longest)}  ${about}`,
  )
}

export function helpOf(name: string): string[] {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return []
  const own = Object.entries(command.flags ?? {}).map(([flag, { value, about }]) => {
    return `  ${value ? `${flag} <${value}>` : flag}\n      ${about}`
  })
  return [
    `switchyard ${usageOf(name, command)} [--data-dir <folder>] [--json]`,
    command.about,
    ...(own.length > 0 ? ['', 'Flags of this command:', ...own] : []),
    '',
    'Flags of every command:',
    '  --json\n      prints the result as one line of JSON',
    '  --data-dir <folder>\n      the data folder, as every setting of the gateway',
    '  --help',
  ]
}

export const settingLines = (): string[] => flagNames.map((name) => `  --${name} <value>`)
