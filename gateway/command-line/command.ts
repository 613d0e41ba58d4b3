import type { Clock } from '../base/clock.ts'
import type { SystemProxy } from '../base/network/http-client.ts'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets.ts'
import { CannotStart } from '../store/sqlite/database.ts'

/** How a command may end beside 0 (docs/reference/command-line.md#exit-codes). */
export const ENDS = { failed: 1, wrongUse: 2, inUse: 3, badData: 4 } as const

/** What a command works with. */
export type CommandDeps = Readonly<{
  config: Config
  clock: Clock
  secrets: Secrets
  /** Variables of the process: what an imported file may name, and where a passphrase may stand. */
  environment: Readonly<Record<string, string | undefined>>
  /** Tells whoever called it one line, at once. Silent where the result is asked for as JSON. */
  print: (line: string) => void
  /**
   * To be called before anything is asked of another machine: it goes out as from a gateway that runs, trusting what the system
   * trusts and over the proxy that is answered. Throws `CannotStart` (2) where a variable names none.
   */
  goOut: () => SystemProxy
  /** Asks for something that nobody else should see; undefined where nobody can be asked. */
  askHidden: (question: string) => Promise<string | undefined>
}>

/** What stands behind a command's name. */
export type Given = Readonly<{
  words: readonly string[]
  /** Flags of its own that have no value, such as `--dry-run`. */
  switches: readonly string[]
  /** Those that have one, by their name with dashes. */
  values: Readonly<Record<string, string>>
}>

/** A flag of a command's own; `value` names what stands behind it. */
export type CommandFlag = Readonly<{ value?: string; about: string }>

/** One command of the command line, in a file of its own. */
export type Command = Readonly<{
  /** Behind its name: `<file> [name]`. */
  words?: string
  /** In one line. */
  about: string
  flags?: Readonly<Record<string, CommandFlag>>
  /** Answers what it found or did, which `--json` prints; `exitCode` where that is not well. Throws `CannotStart` and refusals. */
  run: (deps: CommandDeps, given: Given) => Promise<CommandResult>
}>

/** `result` has to be JSON. */
export type CommandResult = Readonly<{ result: unknown; exitCode?: number }>

/** It was called with words that it does not know: the one line says how it is called. */
export const wrongUse = (message: string): CannotStart => new CannotStart(ENDS.wrongUse, message)

/** It could not do what was asked. */
export const failure = (message: string, exitCode: number = ENDS.failed): CannotStart =>
  new CannotStart(exitCode, message)
