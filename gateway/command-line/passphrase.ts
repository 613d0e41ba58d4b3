import { readFileSync } from 'node:fs'
import { type CommandDeps, type CommandFlag, failure, type Given, wrongUse } from './command.ts'

/** Sources of a passphrase; never an argument, which all users of the machine could read. */
export const passphraseFlags: Readonly<Record<string, CommandFlag>> = {
  '--passphrase-file': {
    value: 'file',
    about: 'reads the passphrase from the first line of a file; else it is SWITCHYARD_PASSPHRASE, or is asked for',
  },
}

/** Returns the passphrase. A prompt is repeated if `isChosen`: the user is choosing a new passphrase. */
export async function passphraseFor(deps: CommandDeps, { values }: Given, isChosen: boolean): Promise<string> {
  const file = values['--passphrase-file']
  if (file !== undefined) return firstLineOf(file)
  const fromEnvironment = deps.environment.SWITCHYARD_PASSPHRASE
  if (fromEnvironment) return fromEnvironment
  const typed = await deps.readHidden('Passphrase: ')
  if (typed === undefined) throw wrongUse('no passphrase: set SWITCHYARD_PASSPHRASE or use --passphrase-file <file>')
  if (isChosen && (await deps.readHidden('Once more: ')) !== typed) throw failure('the two passphrases differ')
  return typed
}

function firstLineOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
  } catch (cause) {
    throw failure(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}
