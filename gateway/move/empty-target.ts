import { sql } from 'kysely'
import type { Older } from '../store/migrations/column.ts'
import { MARKS, removeTableMarks } from './marks.ts'

/**
 * Removes all rows of a target and the marks of its tables, so that the next move begins from the start. Only the
 * schema version and the marks of source and target stay.
 */
export async function emptyTarget(db: Older, isOnSqlite: boolean): Promise<void> {
  const all = (await db.introspection.getTables()).map(({ name }) => name)
  const tables = all.filter((name) => name !== 'schema_migrations' && name !== MARKS)
  await removeTableMarks(db)
  if (!isOnSqlite) {
    await sql`truncate ${sql.join(tables.map((name) => sql.table(name)))} restart identity`.execute(db)
    return
  }
  for (const name of tables) await sql`delete from ${sql.table(name)}`.execute(db)
  await sql`delete from sqlite_sequence`.execute(db)
}
