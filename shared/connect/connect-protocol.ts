/** A line of a file's diff: kept, taken (removed) or added. */
export type DiffLine = Readonly<{ kind: 'kept' | 'taken' | 'added'; text: string }>

/** A file's planned content; `lines` has the changes with some context, without secrets. */
export type ConnectPlannedFile = Readonly<{ path: string; isNew: boolean; lines: readonly DiffLine[] }>

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

/** The planned changes; pass back `seal` to write exactly these. Without files, everything is up to date. */
export type ConnectPlan = Readonly<{ files: readonly ConnectPlannedFile[]; seal: string }>

/** The result of a test request with the written key. */
export type ConnectTrial = Readonly<{ ok: true; ms: number } | { ok: false; status: number; message: string }>

/** The result of writing: done, or refused because a file was changed meanwhile, with a new plan. */
export type ConnectApplied = Readonly<{ done: true; trial: ConnectTrial } | { done: false; plan: ConnectPlan }>

export type ConnectUndone = Readonly<{
  /** Whether every byte is restored, except for `leavesProvider`; else only our settings were removed. */
  exact: boolean
  /** Number of our settings that were changed by others since; they stay. */
  kept: number
  /** The provider named by sessions stays, without its key (docs/reference/connect.md#sessions). */
  leavesProvider?: true
}>

/** A program's state: whether it is set up by us, and whether its files were changed since. */
export type ConnectStatus = Readonly<{
  isSetUp: boolean
  isChanged: boolean
  paths: readonly string[]
  /** The written gateway address; empty if there is none. */
  address: string
  /** Whether the gateway's address has changed since. */
  isMoved: boolean
}>

/** The result of moving a program to the gateway's new address: done, or a new plan. */
export type ConnectMoved = Readonly<{ done: true } | { done: false; plan: ConnectPlan }>
