import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'
import {
  type ForeignCell,
  type ForeignFault,
  type ForeignRow,
  type ForeignSlice,
  type ForeignTables,
  LARGE,
} from './foreign-rows.ts'

type SliceRequest = Readonly<{ table: string; columns: readonly string[]; after: bigint }>
type CountRequest = Readonly<{ table: string; column: string; below: number; after: bigint }>
type Request = SliceRequest | CountRequest | Readonly<{ tables: readonly string[] }>
type Reply = Readonly<{ result: unknown } | { failed: ForeignFault }>

/** Reads a foreign database on a thread. Methods reject with a `ForeignFault` if the file cannot be read. */
interface ForeignThread {
  /** Opens the file; omits tables that do not exist. */
  tables(wanted: readonly string[]): Promise<ForeignTables>
  slice(table: string, columns: readonly string[], after: bigint): Promise<ForeignSlice>
  /** Counts the rows after row id `after` whose `column` holds a number less than `below`. */
  countBelow(table: string, column: string, bounds: Readonly<{ below: number; after: bigint }>): Promise<number>
  end(): Promise<void>
}

const ROLE = 'foreign-reading'
const MEGABYTES = 256
/** Max bytes read per cell; larger cells become `LARGE`. */
const MAX_CELL = 1024 * 1024
/** A slice ends after this many rows or characters, whichever comes first. */
const SLICE_ROWS = 500
const SLICE_CHARACTERS = 2 * 1024 * 1024
/** Limit per request; counting years of log rows takes seconds. */
const MAX_MS = 120_000

/**
 * Starts a thread that reads a database file of another program. The thread runs this file, so import this module only
 * dynamically. The file is untrusted: it is opened read-only, tables are read row by row, and a file with views,
 * triggers, virtual tables or computed columns is rejected.
 */
export function startForeignThread(file: string): ForeignThread {
  let pending: PromiseWithResolvers<unknown> | undefined
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { role: ROLE, file },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  })
  const lose = (fault: ForeignFault) => {
    pending?.reject(fault)
    pending = undefined
  }
  worker.on('message', (reply: Reply) => {
    if ('result' in reply) pending?.resolve(reply.result)
    else pending?.reject(reply.failed)
    pending = undefined
  })
  worker.on('error', ({ message }) => lose({ fault: 'damaged', detail: message }))
  worker.on('exit', () => lose({ fault: 'damaged', detail: '' }))
  const request = async (question: Request): Promise<unknown> => {
    const deferred = Promise.withResolvers<unknown>()
    pending = deferred
    const limit = setTimeout(() => {
      lose({ fault: 'slow', detail: '' })
      void worker.terminate()
    }, MAX_MS)
    worker.postMessage(question)
    return deferred.promise.finally(() => clearTimeout(limit))
  }
  return {
    tables: (wanted) => request({ tables: wanted }) as Promise<ForeignTables>,
    slice: (table, columns, after) => request({ table, columns, after }) as Promise<ForeignSlice>,
    countBelow: (table, column, bounds) => request({ table, column, ...bounds }) as Promise<number>,
    async end() {
      lose({ fault: 'damaged', detail: '' })
      await worker.terminate()
    },
  }
}

function serve(port: MessagePort, file: string): void {
  let database: Database.Database | undefined
  port.on('message', (request: Request) => {
    try {
      if ('tables' in request) {
        checkHeader(file)
        database = opened(file)
        port.postMessage({ result: tablesOf(database, request.tables) })
        return
      }
      if (!database) throw fault('damaged')
      port.postMessage({ result: 'column' in request ? countBelow(database, request) : sliceOf(database, request) })
    } catch (error) {
      port.postMessage({ failed: isFault(error) ? error : faultOf(error) })
    }
  })
}

const fault = (kind: ForeignFault['fault'], detail = ''): ForeignFault => ({ fault: kind, detail })
const isFault = (error: unknown): error is ForeignFault =>
  typeof error === 'object' && error !== null && 'fault' in error

function faultOf(error: unknown): ForeignFault {
  const { code = '', message = '' } = error instanceof Error ? (error as Error & { code?: string }) : {}
  if (code === 'SQLITE_NOTADB') return fault('not_sqlite')
  return fault('damaged', message.slice(0, 200))
}

const HEADER = 100

/**
 * Throws `not_sqlite` if the file does not begin like a database, and `truncated` if it is shorter than its header or
 * the pages declared there.
 */
function checkHeader(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(HEADER)
    const read = readSync(descriptor, bytes, 0, HEADER, 0)
    if (bytes.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw fault('not_sqlite')
    const stated = bytes.readUInt16BE(16)
    const pageSize = stated === 1 ? 65_536 : stated
    const isCountValid = bytes.readUInt32BE(24) === bytes.readUInt32BE(92)
    const pages = isCountValid ? bytes.readUInt32BE(28) : 1
    if (read < HEADER || fstatSync(descriptor).size < pages * pageSize) throw fault('truncated')
  } finally {
    closeSync(descriptor)
  }
}

function opened(file: string): Database.Database {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  for (const pragma of ['trusted_schema = OFF', 'cell_size_check = ON', 'mmap_size = 0', 'query_only = ON'])
    database.pragma(pragma)
  database.defaultSafeIntegers(true)
  return database
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

type SchemaRow = Readonly<{ type: string; name: string; sql: string | null }>

function tablesOf(database: Database.Database, wanted: readonly string[]): ForeignTables {
  const rows = database.prepare('select type, name, sql from sqlite_schema').all() as SchemaRow[]
  const active = rows.find(
    ({ type, sql }) => ['view', 'trigger'].includes(type) || /^\s*create\s+virtual\b/i.test(sql ?? ''),
  )
  if (active) throw fault('objects', active.name.slice(0, 100))
  const names = rows.filter(({ type, name }) => type === 'table' && wanted.includes(name)).map(({ name }) => name)
  return Object.fromEntries(
    names.map((name) => [name, { columns: columnsOf(database, name), rows: count(database, name) }]),
  )
}

function columnsOf(database: Database.Database, table: string): string[] {
  const rows = database.prepare('select name, hidden from pragma_table_xinfo(?)').all(table) as {
    name: string
    hidden: bigint
  }[]
  const computed = rows.find(({ hidden }) => hidden !== 0n)
  if (computed) throw fault('objects', `${table}.${computed.name}`.slice(0, 100))
  const names = rows.map(({ name }) => name)
  // Rows are read by row id, which a column of this name would hide.
  if (names.some((name) => name.toLowerCase() === '_rowid_')) throw fault('without_rows', table)
  try {
    database.prepare(`select _rowid_ from ${quoted(table)} limit 1`).get()
  } catch (error) {
    throw /no such column/.test(String(error)) ? fault('without_rows', table) : error
  }
  return names
}

const count = (database: Database.Database, table: string): number =>
  Number((database.prepare(`select count(*) as n from ${quoted(table)}`).get() as { n: bigint }).n)

/** Ignores values that are not numbers. */
function countBelow(database: Database.Database, { table, column, below, after }: CountRequest): number {
  const statement = database.prepare(
    `select count(*) as n from ${quoted(table)} where _rowid_ > ? and typeof(${quoted(column)}) in ('integer', 'real') and ${quoted(column)} < ?`,
  )
  return Number((statement.get(after, below) as { n: bigint }).n)
}

function sliceOf(database: Database.Database, { table, columns, after }: SliceRequest): ForeignSlice {
  const cells = columns.map((name, index) => {
    const column = quoted(name)
    return `case when octet_length(${column}) > ${MAX_CELL} then char(0) || 'large' else ${column} end as c${index}`
  })
  const statement = database.prepare(
    `select ${['_rowid_ as n', ...cells].join(', ')} from ${quoted(table)} where _rowid_ > ? order by _rowid_ limit ${SLICE_ROWS}`,
  )
  const rows: ForeignRow[] = []
  let characters = 0
  let last: bigint | undefined
  for (const found of statement.iterate(after) as IterableIterator<Record<string, unknown>>) {
    const row = Object.fromEntries(columns.map((name, index) => [name, cellOf(found[`c${index}`])]))
    rows.push(row)
    last = found.n as bigint // integers are returned as bigint
    for (const cell of Object.values(row)) characters += typeof cell === 'string' ? cell.length : 0
    if (characters > SLICE_CHARACTERS) break
  }
  return { rows, last }
}

function cellOf(value: unknown): ForeignCell {
  if (typeof value === 'bigint') {
    const whole = Number(value)
    return Number.isSafeInteger(whole) ? whole : LARGE
  }
  // SQLite has no NaN, but it has infinities.
  if (typeof value === 'number') return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE)
  if (typeof value === 'string') return value === LARGE ? LARGE : value.replaceAll('\0', '')
  return Buffer.isBuffer(value) ? value.toString('utf8').replaceAll('\0', '') : null
}

// `workerData` is untyped; only `startForeignThread` sets this role.
const task = workerData as { role?: unknown; file: string } | null
if (parentPort && task?.role === ROLE) serve(parentPort, task.file)
