import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely'

export type SqlDialect = 'sqlite' | 'postgres'
/** An untyped database, because a migration sees the schema of its time and not the one in schema.ts. */
export type Older = Kysely<Record<string, Record<string, unknown>>>
export type Migration = Readonly<{
  name: string
  /**
   * The oldest schema version whose releases can use the database afterwards; absent if the migration only adds what
   * all older releases ignore.
   */
  leastVersion?: number
  up(db: Older, dialect: SqlDialect): Promise<void>
}>

type Table = CreateTableBuilder<string, string>
type Step = (table: Table) => Table
/** Constraints of a column other than its type and default. */
type Rule = (name: string) => (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

/** Steps that build each table, by table name. */
export type Tables = Readonly<Record<string, (columns: Columns) => readonly Step[]>>
type Columns = ReturnType<typeof columnsFor>

/** Creates the tables, as strict tables in SQLite, and then the indexes (the SQL after `create`). */
export async function createTables(
  db: Older,
  dialect: SqlDialect,
  tables: Tables,
  indexes: readonly string[],
): Promise<void> {
  const columns = columnsFor(dialect)
  for (const [name, steps] of Object.entries(tables)) {
    const table = steps(columns).reduce((built, step) => step(built), db.schema.createTable(name) as Table)
    // SQLite checks the declared types only in strict tables.
    await (dialect === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute()
  }
  for (const index of indexes) await sql.raw(`create ${index}`).execute(db)
}

/** Column builders for one dialect, so that a migration is the same for SQLite and PostgreSQL. */
function columnsFor(dialect: SqlDialect) {
  const whole: RawBuilder<unknown> = dialect === 'sqlite' ? sql`integer` : sql`bigint`
  const identity: Step = (table) =>
    table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
  return {
    /** A surrogate key that is never reused. */
    id: (table: Table) =>
      dialect === 'sqlite'
        ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        : identity(table),
    /** A cheaper surrogate key for append-only tables; ids are reused only if the newest rows are deleted. */
    rowId: (table: Table) =>
      dialect === 'sqlite' ? table.addColumn('id', 'integer', (column) => column.primaryKey()) : identity(table),
    whole:
      (name: string, fallback?: number, rule: Rule = none): Step =>
      (table) =>
        table.addColumn(name, whole as never, (column) => rule(name)(required(column, fallback))),
    text:
      (name: string, fallback?: string, rule: Rule = none): Step =>
      (table) =>
        table.addColumn(name, 'text', (column) => rule(name)(required(column, fallback))),
    optionalText:
      (name: string): Step =>
      (table) =>
        table.addColumn(name, 'text'),
    optionalWhole:
      (name: string): Step =>
      (table) =>
        table.addColumn(name, whole as never),
    real:
      (name: string, fallback?: number): Step =>
      (table) =>
        table.addColumn(name, dialect === 'sqlite' ? 'real' : 'double precision', (column) =>
          required(column, fallback),
        ),
    /** Stores an SQLite table in primary key order. */
    withoutRowId: (table: Table) => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid,`) : table),
  }
}

function required(column: ColumnDefinitionBuilder, fallback: number | string | undefined): ColumnDefinitionBuilder {
  const filled = column.notNull()
  return fallback === undefined ? filled : filled.defaultTo(fallback)
}

const none: Rule = () => (column) => column
export const primary: Rule = () => (column) => column.primaryKey()
export const unique: Rule = () => (column) => column.unique()
export const check =
  (condition: RawBuilder<unknown>): Rule =>
  () =>
  (column) =>
    column.check(condition)
export const oneOf =
  (...values: number[]): Rule =>
  (name) =>
    check(sql`${sql.ref(name)} in (${sql.raw(values.join(','))})`)(name)
/** For a table with a single row. */
export const single: Rule = () => (column) => column.primaryKey().check(sql`id = 1`)

/**
 * A balance may fall below zero by one request's overrun, but never below this bound
 * (docs/reference/reliability.md#money-invariants).
 */
export const balance: Rule = (name) => check(sql`${sql.ref(name)} between -1000000000000 and 1000000000000000`)(name)
export const amount: Rule = (name) => check(sql`${sql.ref(name)} between 0 and 1000000000000000`)(name)

export const primaryKey =
  (name: string, ...columns: string[]): Step =>
  (table) =>
    table.addPrimaryKeyConstraint(name, columns as never)
export const uniqueKey =
  (name: string, ...columns: string[]): Step =>
  (table) =>
    table.addUniqueConstraint(name, columns as never)
