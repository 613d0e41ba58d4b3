import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { stepBack } from '../base/thread-priority.ts'
import { type SealedValue, sealedValuesIn } from './sealed-values.ts'

type Task =
  | Readonly<{ kind: 'copy'; file: string; target: string }>
  | Readonly<{ kind: 'check'; file: string }>
  | Readonly<{ kind: 'sealed'; file: string }>
type Reply = Readonly<{ said: unknown }> | Readonly<{ failed: string; code: string }>

/** Why SQLite could not do it, with its code, such as `SQLITE_FULL`. */
class CopyFailed extends Error {
  override readonly name = 'CopyFailed'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Says to a new thread what it is for: this module is loaded on both sides. */
const ROLE = 'copying'
const MEGABYTES = 128
/** Well below the thread that relays. */
const NICENESS = 5

/**
 * Writes what is committed in the database `file`, whole and of one moment, into the empty file `target`, on a thread of its
 * own. Rejects with `CopyFailed`. This module must be imported dynamically only, since the thread runs this very file.
 */
export const copyDatabase = async (file: string, target: string): Promise<void> =>
  void (await inThread({ kind: 'copy', file, target }))

/** What SQLite says of every page, row and index of a file: `ok`, or the first thing that is wrong. Rejects with `CopyFailed`. */
export const checkDatabase = async (file: string): Promise<string> => String(await inThread({ kind: 'check', file }))

/** What `sealedValuesIn` finds in a file (sealed-values.ts). Rejects with `CopyFailed`. */
export const sealedValuesOf = async (file: string): Promise<readonly SealedValue[]> =>
  (await inThread({ kind: 'sealed', file })) as readonly SealedValue[] // what the thread answers to this task

function inThread(task: Task): Promise<unknown> {
  const done = Promise.withResolvers<unknown>()
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, task },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  worker.on('message', (reply: Reply) => {
    if ('said' in reply) done.resolve(reply.said)
    else done.reject(new CopyFailed(reply.failed, reply.code))
  })
  worker.on('error', ({ message }) => done.reject(new CopyFailed(message, '')))
  worker.on('exit', (code) => done.reject(new CopyFailed(`the copying thread ended with code ${code}`, '')))
  return done.promise
}

function work(port: MessagePort, task: Task): void {
  stepBack(NICENESS)
  try {
    port.postMessage({ said: answered(task) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    port.postMessage({ failed: error instanceof Error ? error.message : String(error), code })
  }
}

function answered(task: Task): unknown {
  if (task.kind === 'sealed') return sealedValuesIn(task.file)
  return task.kind === 'copy' ? copied(task.file, task.target) : checked(task.file)
}

function copied(file: string, target: string): string {
  const source = new Database(file, { readonly: true, fileMustExist: true })
  try {
    source.pragma('busy_timeout = 5000')
    source.prepare('VACUUM INTO ?').run(target)
    return 'ok'
  } finally {
    source.close()
  }
}

function checked(file: string): string {
  const copy = new Database(file, { readonly: true, fileMustExist: true })
  try {
    copy.pragma('trusted_schema = OFF')
    return String(copy.pragma('integrity_check(1)', { simple: true }))
  } finally {
    copy.close()
  }
}

// What a thread was started with is unknown to the compiler; only `inThread` sets this role.
const given = workerData as { role?: unknown; task: Task } | null
if (parentPort && given?.role === ROLE) work(parentPort, given.task)
