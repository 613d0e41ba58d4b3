import { readFileSync } from 'node:fs'
import { type CommandDeps, type CommandFlag, failure, type Given, wrongUse } from './command.ts'

/** Where a passphrase comes from that is never an argument, which everybody on the machine could read. */
export const passphraseFlags: Readonly<Record<string, CommandFlag>> = {
  '--passphrase-file': {
    value: 'file',
    about: 'reads the passphrase from the first line of a file; else it is SWITCHYARD_PASSPHRASE, or is asked for',
  },
}

/** The passphrase; asked for twice where a new one `isChosen`. */
export async function passphraseFor(deps: CommandDeps, { values }: Given, isChosen: boolean): Promise<string> {
  const file = values['--passphrase-file']
  if (file !== undefined) return firstLineOf(file)
  const given = deps.environment.SWITCHYARD_PASSPHRASE
  if (given) return given
  const typed = await deps.askHidden('Passphrase: ')
  if (typed === undefined) throw wrongUse('no passphrase: set SWITCHYARD_PASSPHRASE or use --passphrase-file <file>')
  if (isChosen && (await deps.askHidden('Once more: ')) !== typed) throw failure('the two passphrases differ')
  return typed
}

function firstLineOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
  } catch (cause) {
    throw failure(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
