/** A line of a file before and after: kept, taken or added. */
export type DiffLine = Readonly<{ kind: 'kept' | 'taken' | 'added'; text: string }>

/** A file as it would become; `lines` has what changes and a little around it, secrets left out. */
export type ConnectPlannedFile = Readonly<{ path: string; isNew: boolean; lines: readonly DiffLine[] }>

/** Why a file is left as it is. */
const connectProblems = [
  'broken',
  'encoding',
  'notAFile',
  'tooLarge',
  'readOnly',
  'denied',
  'danglingLink',
  'shape',
  'folder',
  'disk',
  'platform',
  'input',
] as const
export type ConnectProblemCode = (typeof connectProblems)[number]
export type ConnectProblem = Readonly<{ problem: ConnectProblemCode; path: string; detail: string }>

/** What would be written; `seal` is given back to write just that. Without files everything is as it should be. */
export type ConnectPlan = Readonly<{ files: readonly ConnectPlannedFile[]; seal: string }>

/** A request with the key that was written, and what came of it. */
export type ConnectTrial = Readonly<{ ok: true; ms: number } | { ok: false; status: number; message: string }>

/** What became of writing: done, or refused because a file was changed meanwhile, with what would be written now. */
export type ConnectApplied = Readonly<{ done: true; trial: ConnectTrial } | { done: false; plan: ConnectPlan }>

/** What became of undoing. */
export type ConnectUndone = Readonly<{
  /** Whether every byte is as before, but for what `leavesProvider` says; else only our settings were taken out. */
  exact: boolean
  /** How many of them somebody has changed, which stay. */
  kept: number
  /** The provider that sessions name stays, without its key (docs/reference/connect.md#sessions). */
  leavesProvider?: true
}>

/** How it stands with a program: set up by us or not, and whether its files were changed since. */
export type ConnectStatus = Readonly<{
  isSetUp: boolean
  isChanged: boolean
  paths: readonly string[]
  /** The gateway's address that was written; empty where none was. */
  address: string
  /** Whether the gateway has another address by now. */
  isMoved: boolean
}>

/** What became of leading a program to the gateway's new address: done, or what would be written now. */
export type ConnectMoved = Readonly<{ done: true } | { done: false; plan: ConnectPlan }>
