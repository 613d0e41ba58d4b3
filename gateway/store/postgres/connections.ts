import type { Socket } from 'node:net'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, type PoolClient, type PoolConfig, type QueryConfig, types } from 'pg'
import type { Logger } from '../../base/log/logger.ts'

/** Connections to one PostgreSQL database. */
export interface Connections extends PostgresPool {
  /**
   * Runs a statement that the server prepares once per connection. Rejects after four seconds without a response: the
   * server may still run it.
   */
  named<R>(name: string, text: string, values: readonly unknown[]): Promise<R[]>
  /** Like `named`, for statements that are not frequent enough to be prepared. */
  run<R>(text: string, values?: readonly unknown[]): Promise<R[]>
  /** Destroys all connections; their statements reject. Call it when the connections no longer transmit. */
  reset(): void
  /** Ends the statement that a connection runs; its process id is `pg_backend_pid()`. */
  cancel(processId: number): Promise<void>
}

type ConnectionSettings = Readonly<{
  url: string
  max: number
  /** Max run time of a statement, which the server ends; 0 is unlimited. */
  statementMs: number
}>

/** A server that does not accept a connection within this time is not available. */
const CONNECT_MS = 4000
/** A connection whose packets are dropped reports no error; its statements end after this time. */
const RESPONSE_MS = 4000
/** A transaction that does nothing for this long has lost its gateway: the server ends it, and its locks with it. */
const IDLE_TRANSACTION_MS = 30_000

/**
 * Opens connections as they are needed. Errors of idle connections are logged; the next statement opens another one. No
 * error and no log line contains the database's address.
 */
export function openConnections({ url, max, statementMs }: ConnectionSettings, log: Pick<Logger, 'warn'>): Connections {
  const config: PoolConfig = {
    connectionString: url,
    max,
    connectionTimeoutMillis: CONNECT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: CONNECT_MS,
    application_name: 'switchyard',
    types: { getTypeParser },
    ...(statementMs > 0 ? { statement_timeout: statementMs } : {}),
  }
  const pool = new Pool(config)
  const sockets = new Set<Socket>()
  pool.on('connect', (client) => {
    storeTexts(client)
    // The pool listens to idle clients only; the next statement of one in use reports the error.
    client.on('error', () => {})
    const socket = socketOf(client)
    sockets.add(socket)
    socket.once('close', () => void sockets.delete(socket))
  })
  pool.on('error', (error) => log.warn('a connection to the database was lost', { code: codeOf(error) }))
  const result = async <R>(statement: TimedStatement) => {
    const { rows } = await pool.query({ ...statement, values: statement.values.map(storableValue) }).catch(rethrow)
    return rows as R[] // the caller knows the row type of its statement
  }
  return {
    options: pool.options,
    connect: async () => (await pool.connect().catch(rethrow)) as unknown as PostgresPoolClient, // its own overloads
    end: () => pool.end(),
    named: (name, text, values) => result({ name, text, values: [...values], query_timeout: RESPONSE_MS }),
    run: (text, values = []) => result({ text, values: [...values], query_timeout: RESPONSE_MS }),
    reset: () => sockets.forEach((socket) => void socket.destroy()),
    async cancel(processId) {
      await pool.query('select pg_cancel_backend($1)', [processId])
    },
  }
}

/** A statement with `query_timeout`, an option of the driver that its types omit. */
type TimedStatement = QueryConfig<unknown[]> & Readonly<{ values: unknown[]; query_timeout: number }>

/** The driver's types omit the connection of a client. */
const socketOf = (client: PoolClient): Socket =>
  (client as unknown as Readonly<{ connection: Readonly<{ stream: Socket }> }>).connection.stream

/**
 * Integers and sums are JavaScript numbers, as with SQLite: amounts are below 2 ** 53
 * (docs/reference/tables.md#tables).
 */
const NUMBERS = new Set<number>([types.builtins.INT8, types.builtins.NUMERIC])

const getTypeParser: NonNullable<PoolConfig['types']>['getTypeParser'] = (oid: number, format?: 'text' | 'binary') =>
  NUMBERS.has(oid) ? Number : types.getTypeParser(oid, format)

/**
 * Removes U+0000 and replaces half surrogate pairs, which vendors and callers may send, and which PostgreSQL cannot
 * store in texts.
 */
export const storableText = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

const storableValue = (value: unknown): unknown => (typeof value === 'string' ? storableText(value) : value)

/**
 * Makes a client replace texts that PostgreSQL cannot store. Kysely calls `query` with a text and its values, the pool
 * also with a callback.
 */
function storeTexts(client: PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const storing = (statement: unknown, values: unknown, ...rest: unknown[]) => {
    const result = query(statement, Array.isArray(values) ? values.map(storableValue) : values, ...rest)
    return result instanceof Promise ? result.catch(rethrow) : result
  }
  Object.assign(client, { query: storing })
}

/** PostgreSQL's code for a lost connection. */
const CONNECTION_FAILURE = '08006'

/** PostgreSQL's error classes for lost connections, a server that stops or starts, and too many connections. */
export const AWAY = /^(08|57P|53300)/

/**
 * Rethrows errors of the server, which have PostgreSQL's codes. All others are failed connections, whose messages may
 * contain the server's address and are replaced.
 */
function rethrow(error: Error): never {
  if (error instanceof DatabaseError) throw error
  const reason = 'code' in error ? ` (${String(error.code)})` : ''
  throw Object.assign(new Error(`the database does not respond${reason}`), { code: CONNECTION_FAILURE })
}

/** The code of an error, such as PostgreSQL's; empty if it has none. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')
