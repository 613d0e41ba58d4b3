import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { type Compilable, CompiledQuery, Kysely, PGliteDialect } from 'kysely'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Schema } from '../../gateway/store/schema/schema.ts'
import { type Db, openDatabase } from '../../gateway/store/sqlite/database.ts'
import { migrate } from '../../gateway/store/sqlite/migrate.ts'
import { compiled, type Prepare, preparedOn, type Slot } from '../../gateway/store/sqlite/prepared.ts'

import { isGate } from './speed.ts'

/** A migrated, empty database of one dialect. */
export type TestDatabase = Readonly<{ db: Db; prepare: Prepare; close(): Promise<void> }>

/**
 * The databases a store must behave the same on (docs/reference/tables.md#tables: bigint and sums are numbers on both).
 * The gate uses SQLite only: PostgreSQL takes seconds to start.
 */
export const databases: Readonly<Record<string, () => Promise<TestDatabase>>> = {
  SQLite: anSqlite,
  ...(!isGate && { PostgreSQL: aPostgres }),
}

/** A suite that is the same on each database. */
export type Suite = (db: () => Db, dialect: string, prepare: Prepare) => void

/** Runs a suite once on each database; `db()` is its own database, empty at the start. */
export function onEachDatabase(name: string, suite: Suite): void {
  for (const [dialect, open] of Object.entries(databases))
    describe(`${name} on ${dialect}`, () => {
      let database: TestDatabase
      beforeAll(async () => {
        database = await open()
      })
      afterAll(() => database.close())
      suite(
        () => database.db,
        dialect,
        (build) => database.prepare(build),
      )
    })
}

/** A file in its own folder, opened as the gateway does. */
export async function anSqlite(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-'))
  const opened = await openDatabase(folder, 1_700_000_000)
  const close = async () => {
    await opened.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { db: opened.db, prepare: preparedOn(opened.reader), close }
}

/** PostgreSQL within this process, empty. Starting one takes seconds, so returned ones are reused. */
export async function aPostgres(): Promise<TestDatabase> {
  const pglite = idle.pop() ?? (await PGlite.create({ parsers: { [types.INT8]: Number, [types.NUMERIC]: Number } }))
  const db = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
  await migrate(db, 'postgres', 1_700_000_000)
  const close = async () => {
    for (const statement of ['discard all', 'drop schema public cascade', 'create schema public'])
      await pglite.exec(statement)
    idle.push(pglite)
  }
  return { db, prepare: preparedOver(db), close }
}

const idle: PGlite[] = []

/** Queries asynchronously, as over a connection to a database server. */
const preparedOver =
  (db: Db): Prepare =>
  <A extends object, R>(build: (slot: Slot<A>) => Compilable<R>) => {
    const { sql, bind } = compiled(build)
    return {
      // The caller's builder knows the row of its own query.
      one: async (args: A) => (await db.executeQuery(CompiledQuery.raw(sql, bind(args)))).rows[0] as R | undefined,
    }
  }
