/** What a program is connected to. */
export type ConnectTarget = Readonly<{
  /** The gateway, without a path. */
  address: string
  key: string
  model: string
}>

export type PlainValue =
  | string
  | number
  | boolean
  | null
  | readonly PlainValue[]
  | Readonly<{ [name: string]: PlainValue }>

/** A member by its name, or the entry of a list by what one of its members is. */
export type ConnectStep = string | Readonly<{ where: string; is: string }>

/** One value that a program reads, and where in its file. */
export type ConnectSetting = Readonly<{
  path: readonly ConnectStep[]
  value: PlainValue
  /** Told in place of the value wherever the file is shown. */
  isSecret?: true
  /** Sessions of the program name it and open only while it is there (docs/reference/connect.md#sessions). */
  isNamedBySessions?: true
}>

/** A folder of a person: what a variable names, or a folder below their home. */
export type ConnectPlace = Readonly<{ variable?: string; below: string }>

export const connectPlatforms = ['win32', 'darwin', 'linux'] as const
export type ConnectPlatform = (typeof connectPlatforms)[number]

export type ConnectFormat = 'json' | 'toml' | 'yaml' | 'env'

/** A file of a program, and what it is to say. */
export type ConnectFile = Readonly<{
  format: ConnectFormat
  /** Folders in which the program looks, by system; the first whose variable is set counts. */
  places: Readonly<Record<ConnectPlatform, readonly ConnectPlace[]>>
  /** Names in that folder; the first that is there, else the last. */
  names: readonly string[]
  settings: (target: ConnectTarget) => readonly ConnectSetting[]
  /** What a file that is not there yet begins with, beside the settings. */
  begins?: readonly ConnectSetting[]
}>

/** The API a program speaks, in which it is tried. */
export type ConnectDialect = 'chat' | 'responses' | 'anthropic' | 'gemini'

/** How a program is connected: by files that we write, by a link that it opens, in a screen of its own, or by variables. */
type ConnectLink = 'file' | 'link' | 'screen' | 'environment'

/** A program that can be connected (docs/reference/connect.md#clients). */
export type ConnectClient = Readonly<{
  id: string
  name: string
  dialect: ConnectDialect
  link: ConnectLink
  /** Only where `link` is `file`. */
  files?: readonly ConnectFile[]
  /** The release that was run with the files we wrote (docs/reference/connect.md#tried); without one nobody has. */
  tried?: string
  /** What it needs beside its files: a variable that only its own environment can hold. */
  variables?: (target: ConnectTarget) => Readonly<Record<string, string>>
}>

/** What undoing leaves of a program's settings, for its sessions to open; empty for most (docs/reference/connect.md#sessions). */
export const namedBySessions = ({ files = [] }: ConnectClient): readonly ConnectSetting[] =>
  files
    .flatMap(({ settings }) => settings({ address: '', key: '', model: '' }))
    .filter(({ isNamedBySessions }) => isNamedBySessions)

/** A folder that is the same below the home of every system, but for what a variable names. */
export const everywhere = (below: string, variable?: string): ConnectFile['places'] => {
  const places: readonly ConnectPlace[] = variable === undefined ? [{ below }] : [{ variable, below: '' }, { below }]
  return { win32: places, darwin: places, linux: places }
}

/** Folders below `XDG_CONFIG_HOME`, which is `~/.config` where it is not set. */
export const inConfigHome = (below: string): readonly ConnectPlace[] => [
  { variable: 'XDG_CONFIG_HOME', below },
  { below: `.config/${below}` },
]
