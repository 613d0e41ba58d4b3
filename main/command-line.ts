import { inspect } from 'node:util'
import type { Environment } from '../gateway/config.ts'

/**
 * The argument that, followed by `--` and a command, makes the program run the command and exit: no window, tray or
 * lock.
 */
export const COMMAND_LINE = '--command-line'

/** The command in the program's arguments; undefined if it was started as a desktop program. */
export function commandIn(argv: readonly string[]): readonly string[] | undefined {
  const end = argv.indexOf('--')
  return end > 0 && argv.slice(0, end).includes(COMMAND_LINE) ? argv.slice(end + 1) : undefined
}

/**
 * Runs the server's command line (docs/reference/command-line.md) in this process: packages have no other Node, and a
 * fuse prevents running Electron as Node. Uses the desktop's data folder by default.
 */
export async function runCommandLine(
  command: readonly string[],
  folder: string,
  environment: Environment,
  exit: (code: number) => void,
): Promise<void> {
  try {
    const { runHeadless } = await import('../gateway/headless-gateway.ts')
    const exitCode = await runHeadless(command, { ...environment, DATA_DIR: environment.DATA_DIR?.trim() || folder })
    if (exitCode !== undefined) exit(exitCode)
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`)
    exit(1)
  }
}
