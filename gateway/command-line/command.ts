import type { Clock } from '../base/clock.ts'
import type { SystemProxy } from '../base/network/http-client.ts'
import type { Config } from '../config.ts'
import type { Secrets } from '../secrets.ts'
import { CannotStart } from '../store/sqlite/database.ts'

/** Exit codes other than 0 (docs/reference/command-line.md#exit-codes). */
export const ENDS = { failed: 1, wrongUse: 2, inUse: 3, badData: 4 } as const

export type CommandDeps = Readonly<{
  config: Config
  clock: Clock
  secrets: Secrets
  /** Environment variables: for imported files, a passphrase, and the key and the home folder of `connect`. */
  environment: Readonly<Record<string, string | undefined>>
  /** Prints one line immediately. Silent with `--json`. */
  print: (line: string) => void
  /**
   * Call before requests to other machines: trusts the system's certificates and returns its proxy, like a running
   * gateway. Throws `CannotStart` (2) if a proxy variable is invalid.
   */
  goOut: () => SystemProxy
  /** Prompts for a secret; undefined if there is no terminal. */
  readHidden: (question: string) => Promise<string | undefined>
}>

export type Given = Readonly<{
  args: readonly string[]
  /** The command's flags without values, such as `--dry-run`. */
  switches: readonly string[]
  /** The command's flags with values, by name with dashes. */
  values: Readonly<Record<string, string>>
}>

/** A flag of a command; `value` is the placeholder of its value. */
export type CommandFlag = Readonly<{ value?: string; about: string }>

export type Command = Readonly<{
  /** The arguments after its name: `<file> [name]`. */
  args?: string
  about: string
  flags?: Readonly<Record<string, CommandFlag>>
  /** Returns its result, which `--json` prints; `exitCode` if it is not 0. Throws `CannotStart` and refusals. */
  run: (deps: CommandDeps, given: Given) => Promise<CommandResult>
}>

/** `result` must be serializable as JSON. */
export type CommandResult = Readonly<{ result: unknown; exitCode?: number }>

/** Returns the error for arguments that a command does not accept; its message is shown. */
export const wrongUse = (message: string): CannotStart => new CannotStart(ENDS.wrongUse, message)

export const failure = (message: string, exitCode: number = ENDS.failed): CannotStart =>
  new CannotStart(exitCode, message)
