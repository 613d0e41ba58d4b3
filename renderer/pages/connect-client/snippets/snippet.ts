import type { PlainValue } from '../../../../shared/connect/client.ts'

/** The shell and paths of a system: everything but Windows, or Windows with PowerShell. */
export type System = 'unix' | 'windows'

/** The values in an example; `key` is the masked or the full one. */
export type Target = Readonly<{ address: string; key: string; model: string; system: System }>

/**
 * An example of a program for a target. A program with several examples has one per `variant`: a language,
 * `ENVIRONMENT`, or the file that the example belongs to.
 */
export type Snippet = Readonly<{
  id: string
  program: string
  name: string
  variant: string
  /** A path on macOS and Linux, from `~`; on Windows `windowsFile`, else the same path below the user's folder. */
  file?: string
  windowsFile?: string
  language: 'shell' | 'python' | 'js' | 'json' | 'toml' | 'yaml' | 'env'
  text: (target: Target) => string
}>

/** The variant that sets environment variables. */
export const ENVIRONMENT = 'environment'

export function fileOn(system: System, { file, windowsFile }: Snippet): string | undefined {
  if (system !== 'windows' || file === undefined) return file
  return windowsFile ?? file.replace('~', '%USERPROFILE%').replaceAll('/', '\\')
}

export const dependsOnSystem = ({ language, file }: Snippet): boolean => language === 'shell' || file !== undefined

export const ownSystem = (): System => (/windows/i.test(navigator.userAgent) ? 'windows' : 'unix')

export const inShell = (system: System, variables: Readonly<Record<string, string>>, command: string): string =>
  [...Object.entries(variables).map(([name, value]) => assigned(system, name, value)), command].join('\n')

export const assigned = (system: System, name: string, value: string): string =>
  system === 'windows' ? `$env:${name} = ${quoted(system, value)}` : `export ${name}=${quoted(system, value)}`

/** Quotes a text as one shell word; a masked key is quoted like the full one. */
export function quoted(system: System, text: string): string {
  if (system === 'windows') return `'${text.replaceAll("'", "''")}'`
  return /^[\w@%+=:,./…-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

export const json = (value: PlainValue): string => JSON.stringify(value, null, 2)
