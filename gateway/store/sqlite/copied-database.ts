import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Migration } from '../migrations/column.ts'
import { migrations } from '../migrations/index.ts'
import type { Schema } from '../schema/schema.ts'
import type { Db } from './database.ts'
import { latestVersion, migrate, schemaVersion } from './migrate.ts'

/** A copy of a database that no other process uses. It may be changed; discard it if a change fails. */
interface CopiedDatabase {
  readonly db: Db
  /** Leaves a single file, without a journal. */
  close(): Promise<void>
}

/** Opens a copy to inspect and change it. Writes are not safe from power loss. */
export function openCopy(file: string): CopiedDatabase {
  const copy = new Database(file, { fileMustExist: true })
  copy.pragma('journal_mode = DELETE')
  copy.pragma('synchronous = OFF')
  copy.pragma('trusted_schema = OFF')
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: copy }) })
  return { db, close: () => db.destroy() }
}

/** Schema version of a copy, the newest version this release supports, and whether it is a Switchyard database. */
type CopiedSchema = Readonly<{ version: number; latest: number; isOurs: boolean }>

export async function schemaOf(db: Db): Promise<CopiedSchema> {
  const version = await schemaVersion(db)
  if (version === 0) return { version, latest: latestVersion, isOurs: false }
  const first = await db
    .selectFrom('schema_migrations' as never)
    .select('name' as never)
    .orderBy('version' as never)
    .executeTakeFirst()
  const name = (first as Readonly<{ name?: unknown }> | undefined)?.name
  return { version, latest: latestVersion, isOurs: name === migrations[0]?.name }
}

export const upgradeCopy = (db: Db, nowSeconds: number, steps?: readonly Migration[]): Promise<void> =>
  migrate(db, 'sqlite', nowSeconds, steps)
