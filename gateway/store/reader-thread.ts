import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { constants, gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { stepBack } from '../base/thread-priority.ts'

/** A compiled query; one with an `envelope` finds a single text, and is answered by `PackedText` with that around it. */
export type Query = Readonly<{ sql: string; parameters: readonly unknown[]; envelope?: Surround }>
/** What stands before and behind a text. */
export type Surround = Readonly<{ before: string; after: string }>
/** A text as it goes out, plain and packed. */
export type PackedText = Readonly<{ text: Uint8Array; gzip: Uint8Array }>
type Reply = Readonly<{ rows: unknown[] }> | Readonly<{ failed: string }>
/** The first thing a thread says. */
const READY = 'ready'

/** A thread that reads one query at a time on a connection of its own. */
export interface ReaderThread {
  /** Rejects when the query fails, and when the thread dies before it answers. */
  read(query: Query): Promise<unknown[]>
  isAlive(): boolean
  /** What is being read rejects at once; resolves when the thread is gone, which a running statement delays to its end. */
  end(): Promise<void>
}

/** Says to a new thread what it is for: this module is loaded on both sides. */
const ROLE = 'log-reading'
const MEGABYTES = 256
/** Of the file, mapped rather than copied: a scan takes half the time. The pages are the system's and go with the thread. */
const MAPPED_BYTES = 0x7fff0000
const MAX_STATEMENTS = 100
/** A step below the thread that relays. */
const NICENESS = 2

/**
 * Starts a thread that keeps the process alive only while it reads and opens the database in `file` for that. It runs
 * this very file, so this module must be imported dynamically only: then it is a chunk of its own, and the thread loads
 * nothing of the gateway. Resolves once it can be asked.
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

/** Characters of all texts of one answer: what is over the memory of the thread ends the process. */
const MAX_CHARACTERS = 32 * 1024 * 1024

function rowsOf(statement: Database.Statement, parameters: readonly unknown[]): unknown[] {
  const rows: unknown[] = []
  let left = MAX_CHARACTERS
  for (const row of statement.iterate(...parameters)) {
    for (const value of Object.values(row as object)) if (typeof value === 'string') left -= value.length
    if (left < 0) throw new Error('the rows are too long together')
    rows.push(row)
  }
  return rows
}

/** Packed quickly, as answers of the console are. */
function pack(row: unknown, { before, after }: Surround): PackedText {
  const [found] = Object.values(row as Record<string, unknown>)
  const bytes = new TextEncoder()
  const parts = [
    bytes.encode(before),
    found instanceof Uint8Array ? found : bytes.encode(String(found)),
    bytes.encode(after),
  ]
  const text = joined(parts)
  // A buffer of Node's may share its memory with others.
  return { text, gzip: new Uint8Array(gzipSync(text, { level: constants.Z_BEST_SPEED })) }
}

/** In memory that is the text's alone, as what is handed over has to be. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** They are handed over, not copied. */
const buffersOf = ({ text, gzip }: PackedText) => [text.buffer, gzip.buffer] as ArrayBuffer[]

function answer(read: () => unknown[]): Reply {
  try {
    return { rows: read() }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

// What a thread was started with is unknown to the compiler; only `startReaderThread` sets this role.
const task = workerData as { role?: unknown; file: string } | null
if (parentPort && task?.role === ROLE) serve(parentPort, task.file)
