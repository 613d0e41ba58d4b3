import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { stepBack } from '../../base/secrets/thread-priority.ts'
import { type SealedValue, sealedValuesIn } from '../sealed-values.ts'

type Task =
  | Readonly<{ kind: 'copy'; file: string; target: string }>
  | Readonly<{ kind: 'check'; file: string }>
  | Readonly<{ kind: 'sealed'; file: string }>
type Reply = Readonly<{ result: unknown }> | Readonly<{ failed: string; code: string }>

/** An SQLite failure with its code, such as `SQLITE_FULL`. */
class CopyFailed extends Error {
  override readonly name = 'CopyFailed'
  readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

/** Identifies the thread's purpose; this module is loaded on both sides. */
const ROLE = 'copying'
const MEGABYTES = 128
const NICENESS = 5
/** Each round after the first copies only the commits made during the previous one. */
const CHECKPOINT_ROUNDS = 3

/**
 * Writes a consistent snapshot of the committed data of `file` into the empty file `target`, on a separate thread, and
 * then checkpoints the commits made meanwhile. Rejects with `CopyFailed`. The thread runs this file, so import this
 * module only dynamically.
 */
export const copyDatabase = async (file: string, target: string): Promise<void> =>
  void (await inThread({ kind: 'copy', file, target }))

/** Runs SQLite's integrity check; returns `ok` or the first problem found. Rejects with `CopyFailed`. */
export const checkDatabase = async (file: string): Promise<string> => String(await inThread({ kind: 'check', file }))

/** Runs `sealedValuesIn` (sealed-values.ts) on a thread. Rejects with `CopyFailed`. */
export const sealedValuesOf = async (file: string): Promise<readonly SealedValue[]> =>
  (await inThread({ kind: 'sealed', file })) as readonly SealedValue[] // the thread's result for this task

function inThread(task: Task): Promise<unknown> {
  const done = Promise.withResolvers<unknown>()
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, task },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  worker.on('message', (reply: Reply) => {
    if ('result' in reply) done.resolve(reply.result)
    else done.reject(new CopyFailed(reply.failed, reply.code))
  })
  worker.on('error', ({ message }) => done.reject(new CopyFailed(message, '')))
  worker.on('exit', (code) => done.reject(new CopyFailed(`the copying thread ended with code ${code}`, '')))
  return done.promise
}

function work(port: MessagePort, task: Task): void {
  stepBack(NICENESS)
  try {
    port.postMessage({ result: resultOf(task) })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    port.postMessage({ failed: error instanceof Error ? error.message : String(error), code })
  }
}

function resultOf(task: Task): unknown {
  if (task.kind === 'sealed') return sealedValuesIn(task.file)
  return task.kind === 'copy' ? copied(task.file, task.target) : checked(task.file)
}

function copied(file: string, target: string): string {
  const source = new Database(file, { readonly: true, fileMustExist: true })
  try {
    source.pragma('busy_timeout = 5000')
    source.prepare('VACUUM INTO ?').run(target)
  } finally {
    source.close()
  }
  checkpoint(file)
  return 'ok'
}

/** Copies the write-ahead log into the database without delaying writers, which add to it meanwhile. */
function checkpoint(file: string): void {
  const writer = new Database(file, { fileMustExist: true })
  try {
    for (let round = 0; round < CHECKPOINT_ROUNDS; round += 1) writer.pragma('wal_checkpoint(PASSIVE)')
  } finally {
    writer.close()
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

// `workerData` is untyped; only `inThread` sets this role.
const startData = workerData as { role?: unknown; task: Task } | null
if (parentPort && startData?.role === ROLE) work(parentPort, startData.task)
