import { inspect } from 'node:util'
import type { Environment } from '../gateway/config.ts'

/** What a start is given, before `--` and the words, that is to do what they say and to end: no window, no tray, no lock. */
export const COMMAND_LINE = '--command-line'

/** The words of the command line among the arguments of a start; undefined where it is a desktop's. */
export function wordsIn(argv: readonly string[]): readonly string[] | undefined {
  const end = argv.indexOf('--')
  return end > 0 && argv.slice(0, end).includes(COMMAND_LINE) ? argv.slice(end + 1) : undefined
}

/**
 * Does what the command line of the server does (docs/reference/command-line.md), in this process: packages have no other Node,
 * and a fuse keeps the program from being one. Its data folder is the desktop's unless another is named.
 */
export async function runCommandLine(
  words: readonly string[],
  folder: string,
  environment: Environment,
  exit: (code: number) => void,
): Promise<void> {
  try {
    const { runHeadless } = await import('../gateway/headless-gateway.ts')
    const exitCode = await runHeadless(words, { ...environment, DATA_DIR: environment.DATA_DIR?.trim() || folder })
    if (exitCode !== undefined) exit(exitCode)
  } catch (error) {
    process.stderr.write(`${inspect(error)}\n`)
    exit(1)
  }
}
