import { type Kysely, sql } from 'kysely'
import type { Migration, Older, SqlDialect } from '../migrations/column.ts'
import { FIRST_VERSION, migrations } from '../migrations/index.ts'
import type { Schema } from '../schema/schema.ts'

/** A newer release has changed the database, and starting would damage it. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
}

export const latestVersion = versionAfter(migrations)

export function versionAfter(steps: readonly Migration[]): number {
  return FIRST_VERSION + steps.length - 1
}

/** Returns the schema version of a database; 0 if its record of migrations is missing or empty. */
export async function schemaVersion(db: Kysely<Schema>): Promise<number> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'schema_migrations')) return 0
  const { rows } = await sql<{ version: number | null }>`select max(version) as version from schema_migrations`.execute(
    db,
  )
  return Number(rows[0]?.version ?? 0)
}

/** The oldest schema version whose releases can use the database. */
async function leastVersion(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ least: number }>`select max(least_version) as least from schema_migrations`.execute(db)
  return Number(rows[0]?.least)
}

/**
 * Applies the missing `steps`, each migration and its record in one transaction, so a kill never leaves a partial
 * version. Changes nothing if the schema is newer than this release, and then throws `NewerSchema` unless the release
 * can use it (docs/operations.md#upgrade).
 */
export async function migrate(
  db: Kysely<Schema>,
  dialect: SqlDialect,
  nowSeconds: number,
  steps: readonly Migration[] = migrations,
): Promise<void> {
  const reached = await schemaVersion(db)
  const latest = versionAfter(steps)
  if (reached > latest && (await leastVersion(db)) > latest)
    throw new NewerSchema(`the database has schema version ${reached}, but this release only supports up to ${latest}`)
  if (reached > 0 && reached < FIRST_VERSION)
    throw new Error(`the database has schema version ${reached}, which no release had`)
  if (reached === 0) await createRecord(db)
  for (const [index, migration] of steps.entries()) {
    const version = FIRST_VERSION + index
    if (version <= reached) continue
    await db.transaction().execute(async (transaction) => {
      await migration.up(transaction as unknown as Older, dialect)
      await sql`insert into schema_migrations (version, name, applied_at, least_version)
        values (${version}, ${migration.name}, ${nowSeconds}, ${migration.leastVersion ?? FIRST_VERSION})`.execute(
        transaction,
      )
    })
  }
}

const createRecord = (db: Kysely<Schema>) =>
  db.schema
    .createTable('schema_migrations')
    .ifNotExists()
    .addColumn('version', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .addColumn('least_version', 'integer', (column) => column.notNull())
    .execute()
