import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'

export type SqlDialect = 'sqlite' | 'postgres'
/** The untyped view: a migration sees the database as it was then, not as schema.ts is now. */
export type Older = Kysely<Record<string, Record<string, unknown>>>
export type Migration = Readonly<{ name: string; up(db: Older, dialect: SqlDialect): Promise<void> }>

type Change = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
type Table = CreateTableBuilder<string, string>

/** The words of one dialect, so that a migration reads the same for SQLite and PostgreSQL. */
export function columnsFor(dialect: SqlDialect) {
  const whole: RawBuilder<unknown> = dialect === 'sqlite' ? sql`integer` : sql`bigint`
  return {
    /** A surrogate key that is never given out twice. */
    id: (table: Table) =>
      dialect === 'sqlite'
        ? table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
        : table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()),
    /** A surrogate key of an append-only table: cheaper, its numbers come back only if the newest rows are deleted. */
    rowId: (table: Table) =>
      dialect === 'sqlite'
        ? table.addColumn('id', 'integer', (column) => column.primaryKey())
        : table.addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()),
    whole:
      (name: string, fallback?: number, change: Change = same) =>
      (table: Table) =>
        table.addColumn(name, whole as never, (column) => change(filled(column, fallback))),
    text:
      (name: string, fallback?: string, change: Change = same) =>
      (table: Table) =>
        table.addColumn(name, 'text', (column) => change(filled(column, fallback))),
    optionalText: (name: string) => (table: Table) => table.addColumn(name, 'text'),
    optionalWhole: (name: string) => (table: Table) => table.addColumn(name, whole as never),
    real: (name: string, fallback?: number) => (table: Table) =>
      table.addColumn(name, dialect === 'sqlite' ? 'real' : 'double precision', (column) => filled(column, fallback)),
    /** SQLite checks the declared types only in strict tables. */
    strict: (table: Table) => (dialect === 'sqlite' ? table.modifyEnd(sql`strict`) : table),
  }
}

const same: Change = (column) => column

function filled(column: ColumnDefinitionBuilder, fallback: number | string | undefined): ColumnDefinitionBuilder {
  const required = column.notNull()
  return fallback === undefined ? required : required.defaultTo(fallback)
}

/** Applies column after column: `build(db.schema.createTable('x'), id, text('name'))`. */
export const build = (table: Table, ...steps: ((table: Table) => Table)[]): Table =>
  steps.reduce((built, step) => step(built), table)
