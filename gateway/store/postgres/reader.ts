import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { refuse } from '../../base/errors.ts'
import { createFairQueue, TooManyWaiting } from '../../base/fair-queue.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Schema } from '../schema/schema.ts'
import type { ReadCaller, Reader } from '../sqlite/reader.ts'
import { type Connections, openConnections } from './connections.ts'
import { plugins } from './dialect.ts'

/** Max run time of a query, and max waiting queries; as on SQLite. */
const READ_MS = 2000
const MAX_WAITING = 100
/** The server ended a statement: it ran too long, or was cancelled. */
const QUERY_CANCELLED = '57014'

const packedText = promisify(gzip)

/** Creates a reader with separate connections, so that slow reads of the console do not delay the relay's. */
export function createPostgresReader(url: string, max: number, log: Logger): Reader {
  const connections = openConnections({ url, max, statementMs: READ_MS }, log)
  const turns = createFairQueue(max, MAX_WAITING)
  const closing = new AbortController()
  const until = (caller: ReadCaller = {}) => {
    const pool = fairly(connections, (ends) => turns.take(caller.accountId ?? 0, ends), closing.signal, caller.gone)
    return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins })
  }
  return {
    until,
    async packed({ sql, parameters }, { before, after }, caller) {
      const { rows } = await until(caller).executeQuery<{ text: string }>(CompiledQuery.raw(sql, [...parameters]))
      const text = Buffer.from(`${before}${rows[0]?.text ?? ''}${after}`)
      return { text, gzip: await packedText(text, { level: constants.Z_BEST_SPEED }) }
    },
    async close() {
      closing.abort(busy())
      await connections.end()
    },
  }
}

const busy = () => refuse('limited', 'read.busy', {}, { retryAfterSeconds: 1 })

/**
 * Connections that accounts take in turn. Once the caller has disconnected, waiting queries are dropped and a running
 * one is cancelled.
 */
function fairly(
  connections: Connections,
  take: (ends: AbortSignal) => Promise<() => void>,
  closing: AbortSignal,
  gone: AbortSignal | undefined,
): Connections {
  const ends = gone ? AbortSignal.any([closing, gone]) : closing
  return {
    ...connections,
    async connect() {
      const release = await take(ends).catch((cause: unknown) => {
        throw cause instanceof TooManyWaiting ? busy() : cause
      })
      const client = await connections.connect().catch((cause: unknown) => {
        release()
        throw cause
      })
      const cancel = () => void connections.cancel(client.processID ?? 0).catch(() => {})
      ends.addEventListener('abort', cancel, { once: true })
      return {
        ...client,
        query: async (text: string, values: readonly unknown[]) => {
          ends.throwIfAborted()
          return client.query(text, values).catch((cause: unknown) => {
            throw refusalFor(cause, ends)
          })
        },
        release: (isBroken?: boolean) => {
          ends.removeEventListener('abort', cancel)
          client.release(isBroken)
          release()
        },
      } as typeof client
    },
  }
}

function refusalFor(cause: unknown, ends: AbortSignal): unknown {
  const isCancelled = cause instanceof Error && 'code' in cause && cause.code === QUERY_CANCELLED
  if (!isCancelled) return cause
  return ends.aborted ? ends.reason : refuse('timeout', 'read.slow', { seconds: READ_MS / 1000 }, { cause })
}
