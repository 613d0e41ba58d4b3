import type { PlainValue } from '../../../../shared/connect/client.ts'

/** Where a shell is, and the files of a person: everything but Windows, or Windows with PowerShell. */
export type System = 'unix' | 'windows'

/** What an example is made for; `key` is the one to show or the one to copy. */
export type Target = Readonly<{ address: string; key: string; model: string; system: System }>

/**
 * One example: the program it is for and what it is called, and its text for a target. A program with several has one in
 * each `variant`: a language, `ENVIRONMENT`, or the file it belongs into.
 */
export type Snippet = Readonly<{
  id: string
  program: string
  name: string
  variant: string
  /** A path of macOS and Linux, from `~`; on Windows it is `windowsFile`, else the same below the person's folder. */
  file?: string
  windowsFile?: string
  /** `shell` is Bash, or PowerShell on Windows. */
  language: 'shell' | 'python' | 'js' | 'json' | 'toml' | 'yaml' | 'env'
  text: (target: Target) => string
}>

/** The variant of what a shell is told. */
export const ENVIRONMENT = 'environment'

/** Where the file of an example is. */
export function fileOn(system: System, { file, windowsFile }: Snippet): string | undefined {
  if (system !== 'windows' || file === undefined) return file
  return windowsFile ?? file.replace('~', '%USERPROFILE%').replaceAll('/', '\\')
}

/** Whether an example differs between systems. */
export const dependsOnSystem = ({ language, file }: Snippet): boolean => language === 'shell' || file !== undefined

/** The system of whoever sits here. */
export const ownSystem = (): System => (/windows/i.test(navigator.userAgent) ? 'windows' : 'unix')

/** Variables for the session of a shell, and the command that is run with them. */
export const inShell = (system: System, variables: Readonly<Record<string, string>>, command: string): string =>
  [...Object.entries(variables).map(([name, value]) => assigned(system, name, value)), command].join('\n')

/** One variable, as the shell of a system is told it. */
export const assigned = (system: System, name: string, value: string): string =>
  system === 'windows' ? `$env:${name} = ${quoted(system, value)}` : `export ${name}=${quoted(system, value)}`

/** A text as one word of the shell; a masked key is shown as the whole one will be. */
export function quoted(system: System, text: string): string {
  if (system === 'windows') return `'${text.replaceAll("'", "''")}'`
  return /^[\w@%+=:,./…-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A value as the text of a JSON file. */
export const json = (value: PlainValue): string => JSON.stringify(value, null, 2)
