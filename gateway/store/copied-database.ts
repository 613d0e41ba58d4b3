import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Db } from './database.ts'
import { latestVersion, migrate, schemaVersion } from './migrate.ts'
import type { Migration } from './migrations/column.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'

/** A copy of a database that nobody else uses yet: it may be changed, and is thrown away should that fail. */
interface CopiedDatabase {
  readonly db: Db
  /** Leaves one file, with no journal beside it. */
  close(): Promise<void>
}

/** Opens a copy to look into it and to change it; nothing of that is safe from a power cut. */
export function openCopy(file: string): CopiedDatabase {
  const copy = new Database(file, { fileMustExist: true })
  copy.pragma('journal_mode = DELETE')
  copy.pragma('synchronous = OFF')
  copy.pragma('trusted_schema = OFF')
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: copy }) })
  return { db, close: () => db.destroy() }
}

/** Of which schema a copy is: its version, the newest that this release knows, and whether it is one of this product's at all. */
type CopiedSchema = Readonly<{ version: number; latest: number; isOurs: boolean }>

/** Reads it. */
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

/** Brings a copy of an older release to the schema of this one. */
export const upgradeCopy = (db: Db, nowSeconds: number, steps?: readonly Migration[]): Promise<void> =>
  migrate(db, 'sqlite', nowSeconds, steps)
