import { sql } from 'kysely'
import { isSqlite } from '../store/match.ts'
import { type MoveSide, untyped } from './move-side.ts'
import type { MovedTable } from './moved-tables.ts'

/** Makes the ids of new rows begin above all that the source ever assigned, including those of deleted rows. */
export async function setSequences(source: MoveSide, target: MoveSide, tables: readonly MovedTable[]): Promise<void> {
  const given = await (isSqlite(source.db) ? givenOnSqlite(source) : givenOnPostgres(source))
  const names = tables.map(({ name }) => name)
  await (isSqlite(target.db) ? setOnSqlite(target, names, given) : setOnPostgres(target, names, given))
}

/** The highest id that was ever assigned, by table. */
type Given = ReadonlyMap<string, number>

async function givenOnSqlite({ db }: MoveSide): Promise<Given> {
  const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(db)
  return new Map(rows.map(({ name, seq }) => [name, seq]))
}

async function givenOnPostgres(side: MoveSide): Promise<Given> {
  const given = new Map<string, number>()
  for (const { name, sequence } of await identitiesOf(side)) {
    const { rows } = await sql<{ last: number }>`
      select case when is_called then last_value else 0 end as last from ${sql.raw(sequence)}`.execute(side.db)
    given.set(name, rows[0]?.last ?? 0)
  }
  return given
}

async function setOnSqlite({ db }: MoveSide, names: readonly string[], given: Given): Promise<void> {
  const counted = sql<{
    name: string
  }>`select name from sqlite_master where type = 'table' and sql like '%autoincrement%'`
  for (const { name } of (await counted.execute(db)).rows) {
    const id = given.get(name) ?? 0
    if (id === 0 || !names.includes(name)) continue
    await sql`insert into sqlite_sequence (name, seq) select ${name}, 0
      where not exists (select 1 from sqlite_sequence where name = ${name})`.execute(db)
    await sql`update sqlite_sequence set seq = max(seq, ${id}) where name = ${name}`.execute(db)
  }
}

async function setOnPostgres(side: MoveSide, names: readonly string[], given: Given): Promise<void> {
  for (const { name, sequence } of await identitiesOf(side)) {
    if (!names.includes(name)) continue
    const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${sql.table(name)}`.execute(
      untyped(side),
    )
    const id = Math.max(given.get(name) ?? 0, rows[0]?.id ?? 0)
    if (id > 0) await sql`select setval(${sequence}::regclass, ${id}::bigint)`.execute(side.db)
  }
}

async function identitiesOf({ db }: MoveSide): Promise<readonly Readonly<{ name: string; sequence: string }>[]> {
  const query = sql<{ name: string; sequence: string }>`
    select table_name as name, pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
    from information_schema.columns where is_identity = 'YES' and table_schema = current_schema()`
  return (await query.execute(db)).rows
}
