import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { constants, gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { stepBack } from '../../base/secrets/thread-priority.ts'

/**
 * A compiled query. With an `envelope` it must select a single text, and the thread returns that text as `PackedText`
 * within the envelope.
 */
export type Query = Readonly<{ sql: string; parameters: readonly unknown[]; envelope?: Surround }>
export type Surround = Readonly<{ before: string; after: string }>
export type PackedText = Readonly<{ text: Uint8Array; gzip: Uint8Array }>
type Reply = Readonly<{ rows: unknown[] }> | Readonly<{ failed: string }>
const READY = 'ready'

export interface ReaderThread {
  /** Rejects if the query fails or the thread dies before it replies. */
  read(query: Query): Promise<unknown[]>
  isAlive(): boolean
  /** Rejects the running query at once; resolves when the thread has ended, which a running statement delays. */
  end(): Promise<void>
}

/** Identifies the thread's purpose; this module is loaded on both sides. */
const ROLE = 'log-reading'
const MEGABYTES = 256
/**
 * Bytes of the file that are memory-mapped instead of copied, which halves the time of a scan. The mapped pages belong
 * to the operating system and are released with the thread.
 */
const MAPPED_BYTES = 0x7fff0000
const MAX_STATEMENTS = 100
const NICENESS = 2

/**
 * Starts a thread that opens the database in `file`, and that keeps the process alive only while it reads. The thread
 * runs this file, so import this module only dynamically: it then becomes a separate chunk, and the thread loads no
 * other part of the gateway. Resolves once the thread is ready.
 */
export async function startReaderThread(file: string): Promise<ReaderThread> {
  const ready = Promise.withResolvers<void>()
  let pending: PromiseWithResolvers<unknown[]> | undefined
  let alive = true
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, file },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  const lose = (cause: unknown) => {
    alive = false
    ready.reject(cause)
    pending?.reject(cause)
    pending = undefined
  }
  worker.on('message', (reply: Reply | typeof READY) => {
    worker.unref()
    if (reply === READY) return ready.resolve()
    if ('rows' in reply) pending?.resolve(reply.rows)
    else pending?.reject(new Error(reply.failed))
    pending = undefined
  })
  worker.on('error', lose)
  worker.on('exit', (code) => lose(new Error(`the reading thread ended with code ${code}`)))
  await ready.promise
  return {
    read(query) {
      pending = Promise.withResolvers<unknown[]>()
      worker.ref()
      if (alive) worker.postMessage(query)
      else pending.reject(new Error('the reading thread has ended'))
      return pending.promise
    },
    isAlive: () => alive,
    async end() {
      lose(new Error('the reading thread was ended'))
      await worker.terminate()
    },
  }
}

function serve(port: MessagePort, file: string): void {
  stepBack(NICENESS)
  const reader = new Database(file, { readonly: true, fileMustExist: true })
  reader.pragma('busy_timeout = 1000')
  reader.pragma(`mmap_size = ${MAPPED_BYTES}`)
  reader.pragma('trusted_schema = OFF')
  const statements = new Map<string, Database.Statement>()
  const prepare = (sql: string) => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    const statement = reader.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  port.on('message', ({ sql, parameters, envelope }: Query) => {
    const reply = answer(() => {
      const statement = prepare(sql)
      return envelope ? [pack(statement.get(...parameters), envelope)] : rowsOf(statement, parameters)
    })
    port.postMessage(reply, envelope && 'rows' in reply ? buffersOf(reply.rows[0] as PackedText) : [])
  })
  port.postMessage(READY)
}

/** Max characters of all texts in one result; exceeding the memory limit of the thread would end the process. */
const MAX_CHARACTERS = 32 * 1024 * 1024

function rowsOf(statement: Database.Statement, parameters: readonly unknown[]): unknown[] {
  const rows: unknown[] = []
  let remaining = MAX_CHARACTERS
  for (const row of statement.iterate(...parameters)) {
    for (const value of Object.values(row as object)) if (typeof value === 'string') remaining -= value.length
    if (remaining < 0) throw new Error('the rows are too long together')
    rows.push(row)
  }
  return rows
}

/** Compresses at the fastest level, like other responses of the console. */
function pack(row: unknown, { before, after }: Surround): PackedText {
  const [found] = Object.values(row as Record<string, unknown>)
  const bytes = new TextEncoder()
  const parts = [
    bytes.encode(before),
    found instanceof Uint8Array ? found : bytes.encode(String(found)),
    bytes.encode(after),
  ]
  const text = joined(parts)
  // Copied, because a Node buffer may share its memory with others.
  return { text, gzip: new Uint8Array(gzipSync(text, { level: constants.Z_BEST_SPEED })) }
}

/** Returns a buffer that shares its memory with no other, as transferring it requires. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const buffersOf = ({ text, gzip }: PackedText) => [text.buffer, gzip.buffer] as ArrayBuffer[]

function answer(read: () => unknown[]): Reply {
  try {
    return { rows: read() }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

// `workerData` is untyped; only `startReaderThread` sets this role.
const task = workerData as { role?: unknown; file: string } | null
if (parentPort && task?.role === ROLE) serve(parentPort, task.file)
