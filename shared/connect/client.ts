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

/** A member by name, or a list's entry by one of its members. */
export type ConnectStep = string | Readonly<{ where: string; is: string }>

/** A value that a program reads, and its location in the file. */
export type ConnectSetting = Readonly<{
  path: readonly ConnectStep[]
  value: PlainValue
  /** Masked wherever the file is shown. */
  isSecret?: true
  /** The program's sessions refer to it and can be opened only while it exists (docs/reference/connect.md#sessions). */
  isNamedBySessions?: true
}>

/** A user's folder: named by a variable, or below their home. */
export type ConfigLocation = Readonly<{ variable?: string; below: string }>

export const connectPlatforms = ['win32', 'darwin', 'linux'] as const
export type ConnectPlatform = (typeof connectPlatforms)[number]

export type ConnectFormat = 'json' | 'toml' | 'yaml' | 'env'

export type ConnectFile = Readonly<{
  format: ConnectFormat
  /**
   * Folders in which the program looks, by system; the first one applies that has no variable or whose variable is set.
   */
  locations: Readonly<Record<ConnectPlatform, readonly ConfigLocation[]>>
  /** File names in the folder that applies; the first one that exists is used, else the last one. */
  names: readonly string[]
  settings: (target: ConnectTarget) => readonly ConnectSetting[]
  /** Additional initial content of a new file. */
  begins?: readonly ConnectSetting[]
}>

/** The API format a program uses, and is tested with. */
export type ConnectDialect = 'chat' | 'responses' | 'anthropic' | 'gemini'

/** How a program is connected: by files that we write, a link that it opens, its own settings screen, or variables. */
type ConnectLink = 'file' | 'link' | 'screen' | 'environment'

/** A program that can be connected (docs/reference/connect.md#clients). */
export type ConnectClient = Readonly<{
  id: string
  name: string
  dialect: ConnectDialect
  link: ConnectLink
  /** Only if `link` is `file`. */
  files?: readonly ConnectFile[]
  /** The program version tested with these files (docs/reference/connect.md#tried); undefined if untested. */
  tried?: string
  /** Variables it needs in addition to its files. */
  variables?: (target: ConnectTarget) => Readonly<Record<string, string>>
}>

/**
 * The settings that undo leaves, so that the program's sessions can still be opened; usually empty
 * (docs/reference/connect.md#sessions).
 */
export const namedBySessions = ({ files = [] }: ConnectClient): readonly ConnectSetting[] =>
  files
    .flatMap(({ settings }) => settings({ address: '', key: '', model: '' }))
    .filter(({ isNamedBySessions }) => isNamedBySessions)

/** A folder with the same path below the user's home on every system, unless an environment variable names it. */
export const everywhere = (below: string, variable?: string): ConnectFile['locations'] => {
  const locations: readonly ConfigLocation[] =
    variable === undefined ? [{ below }] : [{ variable, below: '' }, { below }]
  return { win32: locations, darwin: locations, linux: locations }
}

/** Folders below `XDG_CONFIG_HOME`, `~/.config` by default. */
export const inConfigHome = (below: string): readonly ConfigLocation[] => [
  { variable: 'XDG_CONFIG_HOME', below },
  { below: `.config/${below}` },
]
