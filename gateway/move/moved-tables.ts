import { sql } from 'kysely'
import { isSqlite } from '../store/match.ts'
import type { Older } from '../store/migrations/column.ts'
import { type Db, EXIT } from '../store/sqlite/database.ts'
import { MARKS } from './marks.ts'
import { type MoveSide, refusal } from './move-side.ts'

/** `key` is the primary key; `only` is SQL that selects the rows to copy. */
export type MovedTable = Readonly<{
  name: string
  columns: readonly string[]
  key: readonly string[]
  only: string
}>

/** Tables that are not copied, and why. A table in neither list fails tests/gateway/move/moved-tables.test.ts. */
export const leftOut: Readonly<Record<string, string>> = {
  schema_migrations: 'each database has its version',
  [MARKS]: 'the marks of moves',
  journal_anchor: 'belongs to the journal of a data folder',
  locks: 'jobs that are running; none is',
  ledger_reached: 'how far a verification came; the target is verified from the first row',
  pool: 'follows users and tokens by triggers',
  leases: 'quota in use by nodes; no node runs',
  nodes: 'begin on the new database',
  node_beats: 'like nodes',
  budget_holds: 'like nodes',
  changes: 'what running nodes must read again',
  ephemeral: 'logins and codes that expire within minutes',
}

export const BODIES: readonly string[] = ['kept_bodies', 'stored_responses']

/**
 * SQL conditions of tables that are copied in part: sums of a verification can be calculated again, those of removed
 * rows cannot.
 */
const ONLY: Readonly<Record<string, string>> = { ledger_sums: 'generation = 0' }

/** The tables to copy, in the order of their names. */
export async function movedTables(db: Db, isWithoutBodies: boolean): Promise<readonly MovedTable[]> {
  const tables = await db.introspection.getTables()
  const names = tables.map(({ name }) => name).filter((name) => !Object.hasOwn(leftOut, name))
  const copied = names.filter((name) => !(isWithoutBodies && BODIES.includes(name))).sort()
  return Promise.all(
    copied.map(async (name) => {
      const columns = tables.find((table) => table.name === name)?.columns ?? []
      const key = await primaryKeyOf(db, name)
      if (key.length === 0) throw new Error(`the table ${name} has no primary key`)
      return { name, columns: columns.map((column) => column.name).sort(), key, only: ONLY[name] ?? '1 = 1' }
    }),
  )
}

/** The tables to copy, which both sides have. Throws `CannotStart` if their tables differ. */
export async function commonTables(
  source: MoveSide,
  target: MoveSide,
  isWithoutBodies: boolean,
): Promise<readonly MovedTable[]> {
  const [ours, theirs] = await Promise.all([source, target].map(({ db }) => movedTables(db, isWithoutBodies)))
  if (!ours || JSON.stringify(ours) !== JSON.stringify(theirs))
    throw refusal(`the tables of ${source.location} and ${target.location} differ`, EXIT.badData)
  return ours
}

export async function tableWithRows(db: Older, tables: readonly MovedTable[]): Promise<string | undefined> {
  for (const { name } of tables)
    if ((await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)).rows.length > 0) return name
  return undefined
}

async function primaryKeyOf(db: Db, name: string): Promise<readonly string[]> {
  const query = isSqlite(db)
    ? sql<{ name: string }>`select name from pragma_table_info(${name}) where pk > 0 order by pk`
    : sql<{ name: string }>`select a.attname as name from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
        where i.indrelid = ${name}::regclass and i.indisprimary order by array_position(i.indkey::int2[], a.attnum)`
  return (await query.execute(db)).rows.map((row) => row.name)
}
