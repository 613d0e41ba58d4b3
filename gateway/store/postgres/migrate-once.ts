import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { Logger } from '../../base/log/logger.ts'
import type { Schema } from '../schema/schema.ts'
import { CannotStart, EXIT } from '../sqlite/database.ts'
import { migrate, NewerSchema } from '../sqlite/migrate.ts'
import { codeOf, openConnections } from './connections.ts'
import { lockedBy } from './dialect.ts'

/** A try of a migration waits this long for another node's statement, so that it does not stop that node's writes. */
const LOCK_MS = 2000

/** Migrates on one node at a time: nodes that start together wait for the first. Throws `CannotStart`. */
export async function migrateOnce(url: string, nowSeconds: number, log: Logger): Promise<void> {
  const connections = openConnections({ url, max: 1, statementMs: 0 }, log)
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connections }) })
  try {
    const client = await connections.connect()
    await client.query(`select pg_advisory_lock(${lockedBy('migration')})`, [])
    await client.query(`set lock_timeout = ${LOCK_MS}`, [])
    client.release()
    await retried(async () => {
      await refuseOthers(db)
      await migrate(db, 'postgres', nowSeconds)
    }, log)
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause
    if (cause instanceof NewerSchema) throw new CannotStart(EXIT.badData, cause.message, cause)
    throw new CannotStart(EXIT.badData, `the database of DATABASE_URL cannot be used: ${reasonOf(cause)}`, cause)
  } finally {
    await db.destroy()
  }
}

/** Each migration is one transaction, so one that other nodes' statements hinder is tried again. */
async function retried(work: () => Promise<void>, log: Logger): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      return await work()
    } catch (error) {
      if (tries === MAX_TRIES || !HINDERED.has(codeOf(error))) throw error
      log.warn('a migration waits for statements of other nodes', { error, tries })
      await sleep(PAUSE_MS)
    }
}

const MAX_TRIES = 3
const PAUSE_MS = 1000
/** PostgreSQL's codes of a deadlock and of a lock that was not free in time. */
const HINDERED: ReadonlySet<string> = new Set(['40P01', '55P03'])

/** Throws `CannotStart` if the database belongs to another program, whose URL may be in the environment by chance. */
export async function refuseOthers(db: Kysely<Schema>): Promise<void> {
  const tables = await db.introspection.getTables()
  const record = tables.find(({ name }) => name === 'schema_migrations')
  const isOurs = record?.columns.some(({ name }) => name === 'applied_at')
  if (tables.length > 0 && !isOurs)
    throw new CannotStart(EXIT.badData, 'the database of DATABASE_URL belongs to another program; create an empty one')
}

/** PostgreSQL's own messages do not contain the server's address; those of failed connections do. */
function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return cause instanceof Error && /^[0-9A-Z]{5}$/.test(code) ? cause.message : code || 'it does not respond'
}
