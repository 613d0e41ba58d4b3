import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { unixSeconds } from '../../base/clock.ts'
import { FENCE_SECONDS, listNodes } from '../../billing/postgres/membership.ts'
import { openPostgresLedger } from '../../billing/postgres/postgres-ledger.ts'
import { type Connections, openConnections } from '../../store/postgres/connections.ts'
import { LOCKS_OF_APPLICATION, lockedBy, locks, plugins } from '../../store/postgres/dialect.ts'
import { migrateOnce, refuseOthers } from '../../store/postgres/migrate-once.ts'
import type { Schema } from '../../store/schema/schema.ts'
import { type Db, EXIT, LEDGER_JOURNAL } from '../../store/sqlite/database.ts'
import { refuseMoved } from '../marks.ts'
import { type MoveSide, type ReadSide, refusal } from '../move-side.ts'
import type { SideDeps } from '../sqlite-side.ts'

const CONNECTIONS = 4

/** Opens a PostgreSQL database, creating its tables, under the lock of moves. Throws `CannotStart`. */
export async function openPostgresSide(url: string, deps: SideDeps): Promise<MoveSide> {
  await migrateOnce(url, unixSeconds(deps.clock), deps.log)
  const { db, connections } = connect(url, deps)
  const location = locationOf(url)
  const client = await connections.connect()
  const close = async () => {
    // Releases the lock now: the server would notice the end of the connection only a moment later.
    await client.query(`select pg_advisory_unlock(${lockedBy('move')})`, []).catch(() => {})
    client.release()
    await db.destroy()
  }
  try {
    const { rows } = await client.query<{ locked: boolean }>(
      `select pg_try_advisory_lock(${lockedBy('move')}) as locked`,
      [],
    )
    if (!rows[0]?.locked) throw refusal(`another move uses the database ${location}`, EXIT.secondInstance)
    return { db, location, refuseUse: () => refuseNodes(connections, location), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Throws `CannotStart` if a gateway must not use the database (see `refuseMoved`), or if a move is running. */
export async function refuseMovedDatabase(db: Db, url: string): Promise<void> {
  await refuseMoved(db, locationOf(url))
  const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and objsubid = 2
    and classid = ${sql.lit(LOCKS_OF_APPLICATION)} and objid = ${sql.lit(locks.move)}
    and database = (select oid from pg_database where datname = current_database())`.execute(db)
  if (rows.length > 0) throw refusal(`a move of the data of ${locationOf(url)} is running`, EXIT.badData)
}

/** Opens a database without changing it. Throws `CannotStart` if it belongs to another program. */
export async function readPostgres(url: string, deps: SideDeps): Promise<ReadSide> {
  const { db } = connect(url, deps)
  try {
    await refuseOthers(db)
    return { db, location: locationOf(url), close: () => db.destroy() }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Writes the charges in the journals of a folder, whose gateway used the database, to the database. */
export async function writeJournals(url: string, folder: string, { clock, log }: SideDeps): Promise<void> {
  if (!existsSync(join(folder, LEDGER_JOURNAL))) return
  const { db, connections } = connect(url, { clock, log })
  try {
    const settings = { show: String, isCounted: () => true, lostAfter: 0, isStrict: false, version: 'move' }
    const ledger = await openPostgresLedger({ connections, db, folder, clock, log, ...settings })
    await ledger.close()
  } finally {
    await db.destroy()
  }
}

function connect(url: string, { log }: SideDeps): Readonly<{ db: Db; connections: Connections }> {
  const connections = openConnections({ url, max: CONNECTIONS, statementMs: 0 }, log)
  return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool: connections }), plugins }), connections }
}

function locationOf(url: string): string {
  // The driver accepts more than URLs.
  if (!URL.canParse(url)) return 'the PostgreSQL database'
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}

async function refuseNodes(connections: Connections, location: string): Promise<void> {
  for (const { id, seenAt, silentSeconds, fencedAt } of await listNodes(connections)) {
    if (seenAt === 0 || fencedAt !== null) continue
    if (silentSeconds < FENCE_SECONDS)
      throw refusal(`the gateway of node ${id} uses ${location}; stop it first`, EXIT.secondInstance)
    throw refusal(
      `the gateway of node ${id} did not end in order; start and stop it, so that its charges are written, or fence it`,
      EXIT.secondInstance,
    )
  }
}
